// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem
import TextFormats

/// One entry of the history on one line: value, time, kind, source and id.
package enum EntryText {
  package static func text(of entry: HistoryEntry, unit: GlucoseUnit) -> String {
    let value = pressure(entry) ?? entry.concentration.map { "\(unit.shown($0)) \(unit.rawValue)" } ?? "–"
    let time = entry.time.map(LocalTime.text) ?? "an unknown time"
    return "\(value) at \(time), \(kind(of: entry)), id \(entry.id?.description ?? "–")"
  }

  /// Returns `138/88 mmHg`; nil for glucose.
  private static func pressure(_ entry: HistoryEntry) -> String? {
    guard case .bloodPressure(let pressure) = entry else { return nil }
    let values = [pressure.systolic, pressure.diastolic].map { DecimalText.shortest($0, places: 1) }
    return "\(values.joined(separator: "/")) \(pressure.unit.rawValue)"
  }

  private static func kind(of entry: HistoryEntry) -> String {
    switch entry {
    case .sensor(let stored):
      let name = stored.sensor.serial ?? stored.sensor.uid?.description ?? "without UID"
      return "\(stored.sample.ring.rawValue) of sensor \(name), minute \(stored.sample.minute)"
    case .imported(let imported):
      let device = imported.device.map { " (\(SafeText.line($0)))" } ?? ""
      return "\(imported.ring.rawValue) imported from \(SafeText.line(imported.source))\(device)"
    case .fingerStick(let stick):
      return "finger-stick\(stick.source.map { " from \(SafeText.line($0))" } ?? "")"
    case .bloodPressure(let pressure):
      return "blood pressure\(pressure.source.map { " from \(SafeText.line($0))" } ?? "")"
    }
  }
}
