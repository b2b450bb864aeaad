// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

extension HistoryEntry {
  /// With the id that its facts give it: the same value imported twice, or on two machines, is one value.
  ///
  /// | entry | name that is hashed |
  /// |---|---|
  /// | a sensor's sample | LibreDocuments/Contract, "Ids" |
  /// | imported | `imported/<source>/<device>/<ring>/<time>`, the second value of that time with `/2` behind it |
  /// | finger-stick | `finger_stick/<time>/<mg/dL, at most 4 decimals>` |
  ///
  /// In a source and a device `/` is written `%2F` and `%` is written `%25`, so that no two pairs have one name. `-` is
  /// no device, and `%2D` one that is called so.
  package func identified(ordinal: Int = 1) -> HistoryEntry {
    switch self {
    case .sensor(let stored): return .sensor(stored.identified())
    case .imported(var imported):
      imported.id = imported.ids.id(ordinal: ordinal)
      return .imported(imported)
    case .fingerStick(var stick):
      let value = DecimalText.shortest(stick.concentration.milligramsPerDecilitre, places: 4)
      stick.id = UUIDv5.id(of: "finger_stick/\(stick.time.rfc3339)/\(value)")
      return .fingerStick(stick)
    }
  }
}

extension StoredSample {
  /// With the id that its sensor, ring, minute and wear give it; none for a sensor whose UID is not known.
  package func identified() -> StoredSample {
    var stored = self
    stored.sample.id = sensor.uid.map {
      UUIDv5.sample(uid: $0, ring: sample.ring, minute: sample.minute, wear: wear)
    }
    return stored
  }
}

extension ImportedSample {
  /// What gives the values of its source, device, ring and time their ids.
  fileprivate var ids: UUIDv5.Start {
    let device = self.device.map { $0 == "-" ? "%2D" : Self.escaped($0) } ?? "-"
    return UUIDv5.Start("imported/\(Self.escaped(source))/\(device)/\(ring.rawValue)/\(time.rfc3339)")
  }

  private static func escaped(_ text: String) -> String {
    // Most have neither, and to replace nothing takes longer than the hash.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "/") }) else { return text }
    return text.replacing("%", with: "%25").replacing("/", with: "%2F")
  }
}

extension UUIDv5.Start {
  /// The id of the first, the second, … value.
  fileprivate func id(ordinal: Int) -> SampleID { ordinal > 1 ? id(endingWith: "/\(ordinal)") : id }
}

/// Gives the entries of one file their ids, in the order of the file.
///
/// Other programs' times end at the minute, and two scans in one minute are two values. The second value that a source,
/// a device and a ring have at one time gets the ordinal 2, the next 3: a second import of the file finds the same. One
/// that is in the file twice is one value. An id that the file itself gives stands if these facts can have it, so that
/// an export of a part of the history keeps its ids.
///
/// What cannot be seen: two scans in one minute with the same value; and which of two values came first where another
/// file lists them the other way round, or lacks the first. The store has another value under that id then, and says
/// so. Only the last time of each device is kept in mind: values of one time that stand apart in the file have one id.
struct EntryIdentities {
  private struct Group: Hashable {
    let source: String
    let device: String?
    let ring: SampleRing
  }

  private struct Value: Hashable {
    let milligramsPerDecilitre: Double
    let bound: ImportedSample.Bound?
  }

  /// The different values at the last time of a group, in the order in which they came.
  private struct Moment {
    let time: Instant
    var values: [Value] = []
  }

  private var moments: [Group: Moment] = [:]

  /// Far more devices than one person has, and more values than fit into a minute: a file of anything must not fill the
  /// memory.
  private static let groupLimit = 1_024
  private static let ordinalLimit = 64

  mutating func identified(_ entry: HistoryEntry) -> HistoryEntry {
    guard case .imported(var imported) = entry else { return entry.identified() }
    let ordinal = ordinal(of: imported)
    guard let given = imported.id else { return entry.identified(ordinal: ordinal) }
    let ids = imported.ids
    let known = (1...Self.ordinalLimit).first { ids.id(ordinal: $0) == given }
    imported.id = ids.id(ordinal: known ?? ordinal)
    return .imported(imported)
  }

  private mutating func ordinal(of imported: ImportedSample) -> Int {
    let group = Group(source: imported.source, device: imported.device, ring: imported.ring)
    let value = Value(
      milligramsPerDecilitre: imported.concentration.milligramsPerDecilitre, bound: imported.bound)
    if moments.count >= Self.groupLimit, moments[group] == nil { moments = [:] }
    guard var moment = moments[group], moment.time == imported.time else {
      moments[group] = Moment(time: imported.time, values: [value])
      return 1
    }
    if let index = moment.values.firstIndex(of: value) { return index + 1 }
    guard moment.values.count < Self.ordinalLimit else { return Self.ordinalLimit }
    moment.values.append(value)
    moments[group] = moment
    return moment.values.count
  }
}
