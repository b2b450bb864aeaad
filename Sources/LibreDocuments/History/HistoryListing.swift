// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HistoryFormats
import HostSystem
import SensorHistory
import TextFormats

/// The history for standard output, written entry by entry, so that its length does not matter.
package struct HistoryListing {
  package static let document = SchemaDocument(
    "history", summary: "samples of the store, with the anchor for the next call",
    description: "Samples of the store, newest first, and the anchor for the next call. Not for treatment decisions.",
    [
      .init("samples", .array(of: .reference("sample"))),
      .init("deleted", .array(of: .sampleID), "Ids of samples removed since --after."),
      .init(
        "anchor", .string.matching("^[0-9A-F]{16}-[0-9]+$"), "The current state of the store, for the next --after."),
    ], parts: [("sample", SampleDocument.sample)])

  private let format: OutputFormat
  private let unit: GlucoseUnit
  private var table: HistoryTable
  private var document: (any HistoryDocument)?
  package private(set) var count = 0

  /// The table has a column for the ring if `rings` has several, and one for the calibration if
  /// `showsCalibration`. With `isWithoutFormulas` a spreadsheet takes no text of the CSV for a formula.
  package init(
    format: OutputFormat, unit: GlucoseUnit, style: Style, rings: Set<SampleRing>, showsCalibration: Bool,
    isWithoutFormulas: Bool = false, now: Instant
  ) {
    self.format = format
    self.unit = unit
    table = HistoryTable(unit: unit, style: style, showsRing: rings.count > 1, showsCalibration: showsCalibration)
    var context = ExportContext(
      unit: unit, program: Program.name, version: Program.version, now: now, clock: LocalTime.clock, person: nil)
    context.isWithoutFormulas = isWithoutFormulas
    switch format {
    case .csv: document = CSVWriter().document(context)
    case .ndjson: document = NDJSONWriter().document(context)
    case .json, .table: document = nil
    }
  }

  package mutating func begin() -> [UInt8] {
    switch format {
    case .table: []
    case .json: Array("{\n  \"schema\": \"\(Self.document.identifier)\",\n  \"samples\": [".utf8)
    case .csv, .ndjson: document?.begin() ?? []
    }
  }

  package mutating func add(_ entry: HistoryEntry) -> [UInt8] {
    defer { count += 1 }
    switch format {
    case .table: return Array(((count == 0 ? table.head : "") + table.row(entry)).utf8)
    case .json:
      var writer = JSONWriter(indented: false)
      SampleJSON.write(entry, unit: unit, to: &writer)
      return Array((count == 0 ? "\n    " : ",\n    ").utf8) + writer.bytes
    case .csv, .ndjson: return document?.add(entry) ?? []
    }
  }

  /// The text after the last entry. `deleted` are the ids removed since the given anchor, `anchor` is the next one.
  package mutating func end(deleted: [SampleID], anchor: StoreAnchor) -> [UInt8] {
    switch format {
    case .table: return count == 0 ? [] : Array("\n\(Program.disclaimer)\n".utf8)
    case .json:
      var writer = JSONWriter(indented: true)
      writer.object { json in
        json.member("deleted", deleted.map(\.description))
        json.member("anchor", anchor.description)
      }
      // The object continues after the samples.
      return Array((count == 0 ? "]," : "\n  ],").utf8) + writer.bytes.dropFirst() + [0x0A]
    case .csv, .ndjson: return document?.end() ?? []
    }
  }
}

/// The format of results on standard output.
package enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  case table, json, ndjson, csv
}

/// The history as a table, line by line; its columns have fixed widths, because later rows are not known yet.
struct HistoryTable {
  /// `width` is negative for right alignment.
  private typealias Column = (head: String, width: Int, cell: @Sendable (HistoryEntry) -> String)

  private let style: Style
  private let columns: [Column]

  init(unit: GlucoseUnit, style: Style, showsRing: Bool, showsCalibration: Bool) {
    self.style = style
    let ring: [Column] = showsRing ? [("ring", 7, Self.ring)] : []
    let value: [Column] = [(unit.rawValue, -6, { Self.value(of: $0, unit) }), ("quality", 11, Self.quality)]
    let calibration: [Column] = showsCalibration ? [("calibration", 14, Self.calibration)] : []
    columns = [("time", 26, Self.time)] + ring + value + calibration + [("from", 0, Self.source)]
  }

  var head: String { style.dim(line { $0.head }) + "\n" }

  func row(_ entry: HistoryEntry) -> String { line { $0.cell(entry) } + "\n" }

  private func line(_ cell: (Column) -> String) -> String {
    columns.map { column in
      let cell = cell(column)
      let padding = String(repeating: " ", count: max(0, abs(column.width) - cell.count))
      return column.width < 0 ? padding + cell : cell + padding
    }.joined(separator: "  ")
  }

  @Sendable private static func time(of entry: HistoryEntry) -> String {
    if let time = entry.time { return LocalTime.text(time) }
    if case .sensor(let stored) = entry { return "minute \(stored.sample.minute)" }
    return "unknown"
  }

  @Sendable private static func ring(of entry: HistoryEntry) -> String {
    switch entry {
    case .sensor(let stored): stored.sample.ring.rawValue
    case .imported(let imported): imported.ring.rawValue
    case .fingerStick, .bloodPressure: ""
    }
  }

  @Sendable private static func quality(of entry: HistoryEntry) -> String {
    if case .sensor(let stored) = entry { return stored.sample.quality.rawValue.replacing("_", with: " ") }
    return "ok"
  }

  @Sendable private static func calibration(of entry: HistoryEntry) -> String {
    guard case .sensor(let stored) = entry else { return "" }
    return stored.calibration.map { "\($0.model), v\($0.version)" } ?? "–"
  }

  @Sendable private static func source(of entry: HistoryEntry) -> String {
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

  private static func value(of entry: HistoryEntry, _ unit: GlucoseUnit) -> String {
    let bound = if case .imported(let imported) = entry { imported.bound?.mark ?? "" } else { "" }
    return entry.usableConcentration.map { bound + unit.shown($0) } ?? "–"
  }
}
