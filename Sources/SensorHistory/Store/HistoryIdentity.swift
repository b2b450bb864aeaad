// SPDX-License-Identifier: Apache-2.0
import TextFormats

extension HistoryEntry {
  /// Returns the entry with the id derived from its content, so that a value imported twice, or on two machines, is one
  /// value. The id of a sensor's sample follows from the sensor, and is not stored.
  ///
  /// | entry | hashed name |
  /// |---|---|
  /// | imported | `imported/<source>/<device>/<ring>/<time>`, the second value of that time with `/2` appended: `SameTimeValues` |
  /// | finger-stick | `finger_stick/<time>/<mg/dL, at most 4 decimals>` |
  /// | blood pressure | `blood_pressure/<source>/<time>/<systolic>/<diastolic>/<unit>/<pulse>/<user>`, numbers with at most 4 decimals |
  ///
  /// In a source and a device `/` becomes `%2F` and `%` becomes `%25`, so that names are unique. `-` means no device,
  /// and `%2D` a device named `-`; `-` is also an unknown source, pulse or user of a blood pressure.
  package func identified() -> HistoryEntry {
    switch self {
    case .sensor: return self
    case .imported(var imported):
      imported.id = imported.id(ordinal: 1)
      return .imported(imported)
    case .fingerStick(var stick):
      let value = DecimalText.shortest(stick.concentration.milligramsPerDecilitre, places: 4)
      stick.id = SampleID(name: "finger_stick/\(stick.time.rfc3339)/\(value)")
      return .fingerStick(stick)
    case .bloodPressure(var pressure):
      let facts: [String?] = [
        pressure.source.map(ImportedSample.escaped), pressure.time.rfc3339,
        DecimalText.shortest(pressure.systolic, places: 4), DecimalText.shortest(pressure.diastolic, places: 4),
        pressure.unit.rawValue, pressure.pulse.map { DecimalText.shortest($0, places: 4) },
        pressure.user.map { String($0) },
      ]
      pressure.id = SampleID(name: "blood_pressure/" + facts.map { $0 ?? "-" }.joined(separator: "/"))
      return .bloodPressure(pressure)
    }
  }

  /// Returns an entry of a file with its id. An id in the file is kept if it is possible for these facts.
  func identifiedInFile() -> HistoryEntry {
    switch self {
    case .sensor, .fingerStick, .bloodPressure: return identified()
    case .imported(let imported):
      // Most files have no ids, and each ordinal costs a hash.
      guard let given = imported.id else { return identified() }
      return SameTimeValues.ordinals.contains { imported.id(ordinal: $0) == given } ? self : identified()
    }
  }
}

extension ImportedSample {
  func id(ordinal: Int) -> SampleID {
    let device = self.device.map { $0 == "-" ? "%2D" : Self.escaped($0) } ?? "-"
    let name = "imported/\(Self.escaped(source))/\(device)/\(ring.rawValue)/\(time.rfc3339)"
    return SampleID(name: ordinal > 1 ? "\(name)/\(ordinal)" : name)
  }

  fileprivate static func escaped(_ text: String) -> String {
    // Most names contain neither, and a replacement is slower than the hash.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "/") }) else { return text }
    return text.replacing("%", with: "%25").replacing("/", with: "%2F")
  }
}
