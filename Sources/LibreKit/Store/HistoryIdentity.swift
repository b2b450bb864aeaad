// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

extension HistoryEntry {
  /// Returns the entry with the id derived from its content, so that a value imported twice, or on two machines, is one
  /// value.
  ///
  /// | entry | hashed name |
  /// |---|---|
  /// | a sensor's sample | LibreDocuments/Contract, "Ids" |
  /// | imported | `imported/<source>/<device>/<ring>/<time>`, the second value of that time with `/2` appended |
  /// | finger-stick | `finger_stick/<time>/<mg/dL, at most 4 decimals>` |
  /// | blood pressure | `blood_pressure/<source>/<time>/<systolic>/<diastolic>/<unit>/<pulse>/<user>`, numbers with at most 4 decimals |
  ///
  /// In a source and a device `/` becomes `%2F` and `%` becomes `%25`, so that names are unique. `-` means no device,
  /// and `%2D` a device named `-`; `-` is also an unknown source, pulse or user of a blood pressure.
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
    case .bloodPressure(var pressure):
      let facts: [String?] = [
        pressure.source.map(ImportedSample.escaped), pressure.time.rfc3339,
        DecimalText.shortest(pressure.systolic, places: 4), DecimalText.shortest(pressure.diastolic, places: 4),
        pressure.unit.rawValue, pressure.pulse.map { DecimalText.shortest($0, places: 4) },
        pressure.user.map { String($0) },
      ]
      pressure.id = UUIDv5.id(of: "blood_pressure/" + facts.map { $0 ?? "-" }.joined(separator: "/"))
      return .bloodPressure(pressure)
    }
  }
}

extension StoredSample {
  /// Returns the sample with the id from its sensor, ring, minute and wear; without an id if the UID is unknown.
  package func identified() -> StoredSample {
    var stored = self
    stored.sample.id = sensor.uid.map {
      UUIDv5.sample(uid: $0, ring: sample.ring, minute: sample.minute, wear: wear)
    }
    return stored
  }
}

extension ImportedSample {
  /// The common start of the ids of its source, device, ring and time.
  fileprivate var ids: UUIDv5.Start {
    let device = self.device.map { $0 == "-" ? "%2D" : Self.escaped($0) } ?? "-"
    return UUIDv5.Start("imported/\(Self.escaped(source))/\(device)/\(ring.rawValue)/\(time.rfc3339)")
  }

  fileprivate static func escaped(_ text: String) -> String {
    // Most names contain neither, and a replacement is slower than the hash.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "/") }) else { return text }
    return text.replacing("%", with: "%25").replacing("/", with: "%2F")
  }
}

extension UUIDv5.Start {
  /// The id of the value with this ordinal.
  fileprivate func id(ordinal: Int) -> SampleID { ordinal > 1 ? id(endingWith: "/\(ordinal)") : id }
}

/// Gives the entries of one file their ids, in the order of the file.
///
/// Times of other programs are whole minutes, and two scans in one minute are two values. The second value of a source,
/// a device and a ring at one time gets the ordinal 2, the next 3, so that a second import of the file gives the same
/// ids. The same value twice in a file is one value. An id in the file itself is kept if it is possible for these
/// facts, so that a partial export keeps its ids.
///
/// Limits: two scans in one minute with the same value are one. If another file lists two values of a minute in reverse
/// order, or lacks the first, the store already has a different value with that id and reports a conflict. Only the
/// last time of each device is remembered: values of one time that are apart in the file get the same id.
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

  /// The different values at the last time of a group, in the order of the file.
  private struct Moment {
    let time: Instant
    var values: [Value] = []
  }

  private var moments: [Group: Moment] = [:]

  /// Limits far above the devices of one person and the values in a minute, so that a malicious file cannot fill the
  /// memory.
  private static let groupLimit = 1_024
  private static let ordinalLimit = 64

  /// Returns the entry with its id; a sensor's sample as it is, because the store identifies it by sensor, wear, ring
  /// and minute.
  mutating func identified(_ entry: HistoryEntry) -> HistoryEntry {
    switch entry {
    case .sensor: return entry
    case .fingerStick, .bloodPressure: return entry.identified()
    case .imported(var imported):
      let ordinal = ordinal(of: imported)
      let ids = imported.ids
      let expected = ids.id(ordinal: ordinal)
      // An id of the file is kept if it is one of those that are possible.
      if let given = imported.id, given != expected,
        (1...Self.ordinalLimit).contains(where: { ids.id(ordinal: $0) == given })
      {
        return entry
      }
      imported.id = expected
      return .imported(imported)
    }
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
