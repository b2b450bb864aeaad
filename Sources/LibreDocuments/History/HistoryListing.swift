// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HistoryFormats
import HostSystem
import LibreKit
package import SampleStore
import TextFormats

/// The history for standard output, written entry by entry, so that its length does not matter.
package struct HistoryListing {
  package static let document = SchemaDocument(
    "history", summary: "samples of the store, with the anchor for the next call",
    description: "Samples of the store, newest first, and the anchor for the next call. Not for treatment decisions.",
    [
      .init("samples", .array(of: .reference("sample"))),
      .init("deleted", .array(of: .sampleID).described("Ids of samples removed since --after.")),
      .init(
        "anchor",
        .string.matching("^[0-9A-F]{16}-[0-9]+$").described("The current state of the store, for the next --after.")),
    ], parts: [("sample", SampleDocument.sample)])

  private let format: OutputFormat
  private let unit: GlucoseUnit
  private var table: HistoryTable
  private var document: (any HistoryDocument)?
  package private(set) var count = 0

  /// Creates the listing. The table has a column for the ring if `rings` has several, and one for the calibration if
  /// `showsCalibration`. With `isWithoutFormulas` a spreadsheet takes no text of the CSV for a formula.
  package init(
    format: OutputFormat, unit: GlucoseUnit, style: Style, rings: Set<SampleRing>, showsCalibration: Bool,
    isWithoutFormulas: Bool = false, now: Instant
  ) {
    self.format = format
    self.unit = unit
    table = HistoryTable(unit: unit, style: style, showsRing: rings.count > 1, showsCalibration: showsCalibration)
    var context = ExportContext(
      unit: unit, program: Program.name, version: Program.version, now: now,
      clock: LocalTime.clock, person: nil)
    context.isWithoutFormulas = isWithoutFormulas
    switch format {
    case .csv: document = CSVWriter().document(context)
    case .ndjson: document = NDJSONWriter().document(context)
    case .json, .table: document = nil
    }
  }

  /// The text before the first entry.
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
