// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import LibreKit
import TextFormats

/// The history as a table, line by line; its columns have fixed widths, because later rows are not known yet.
struct HistoryTable {
  let unit: GlucoseUnit
  let style: Style
  let showsRing: Bool
  let showsCalibration: Bool

  var head: String {
    style.dim(
      Self.line(
        ["time"] + (showsRing ? ["ring"] : []) + [unit.rawValue, "quality"] + (showsCalibration ? ["calibration"] : [])
          + ["from"], widths)) + "\n"
  }

  func row(_ entry: HistoryEntry) -> String {
    let value = entry.usableConcentration.map { Self.bound(entry) + unit.shown($0) } ?? "–"
    let cells =
      [Self.time(of: entry)] + (showsRing ? [Self.ring(of: entry)] : []) + [
        value, Self.quality(of: entry),
      ] + (showsCalibration ? [Self.calibration(of: entry)] : []) + [Self.source(of: entry)]
    return Self.line(cells, widths) + "\n"
  }

  /// Widths of the columns; negative for right alignment.
  private var widths: [Int] { [26] + (showsRing ? [7] : []) + [-6, 11] + (showsCalibration ? [14] : []) }

  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    cells.enumerated().map { index, cell in
      guard index < widths.count else { return cell }
      let padding = String(repeating: " ", count: max(0, abs(widths[index]) - cell.count))
      return widths[index] < 0 ? padding + cell : cell + padding
    }.joined(separator: "  ")
  }

  private static func time(of entry: HistoryEntry) -> String {
    if let time = entry.time { return LocalTime.text(time) }
    if case .sensor(let stored) = entry { return "minute \(stored.sample.minute)" }
    return "unknown"
  }

  private static func ring(of entry: HistoryEntry) -> String {
    switch entry {
    case .sensor(let stored): stored.sample.ring.rawValue
    case .imported(let imported): imported.ring.rawValue
    case .fingerStick, .bloodPressure: ""
    }
  }

  private static func quality(of entry: HistoryEntry) -> String {
    if case .sensor(let stored) = entry { return stored.sample.quality.rawValue.replacing("_", with: " ") }
    return "ok"
  }

  private static func calibration(of entry: HistoryEntry) -> String {
    guard case .sensor(let stored) = entry else { return "" }
    return stored.calibration.map { "\($0.model), v\($0.version)" } ?? "–"
  }

  private static func source(of entry: HistoryEntry) -> String {
    let words =
      switch entry {
      case .sensor(let stored):
        [
          SensorNames.short(stored.sensor), stored.wear > 1 ? "wear \(stored.wear)" : "",
          stored.supersededBy.map { "does not count: \(SensorNames.short($0)) does" } ?? "",
        ]
      case .imported(let imported): [imported.source, imported.device ?? ""]
      case .fingerStick(let stick): ["finger-stick", stick.source ?? "", stick.note ?? ""]
      case .bloodPressure(let pressure): ["blood pressure", pressure.source ?? ""]
      }
    return SafeText.line(words.filter { !$0.isEmpty }.joined(separator: ", "))
  }

  private static func bound(_ entry: HistoryEntry) -> String {
    guard case .imported(let imported) = entry else { return "" }
    return imported.bound?.mark ?? ""
  }
}
