// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
package import SampleStore
import TextFormats

/// The list of imports as a table and as comma-separated values.
package enum ImportsTable {
  package static func text(of imports: [StoredImport], style: Style) -> String {
    // Only some imports complete values or meet other ones.
    let columns = shown.filter { column in !column.isRare || imports.contains { column.cell($0) != "0" } }
    return Columns.table(
      columns.map(\.name), imports.map { stored in columns.map { $0.cell(stored) } }, columns.map(\.alignment),
      style: style
    ).map { "\($0)\n" }.joined()
  }

  private typealias Shown = (
    name: String, alignment: Columns.Alignment, isRare: Bool, cell: @Sendable (StoredImport) -> String
  )

  /// The columns of the table: the values of an import are the sum of its numbers.
  private static let shown: [Shown] = [
    ("id", .right, false, { "\($0.id)" }),
    ("imported", .left, false, { LocalTime.minuteText($0.at) }),
    ("format", .left, false, { formats(of: $0) ?? "not finished" }),
    ("new", .right, false, { "\($0.counts.added)" }),
    ("completed", .right, true, { "\($0.counts.filled)" }),
    ("known", .right, false, { "\($0.counts.known)" }),
    ("in conflict", .right, true, { "\($0.counts.conflicts)" }),
    ("left out", .right, false, { "\($0.counts.leftOut)" }),
    ("zone", .left, false, { $0.timeZone ?? "" }),
    ("files", .left, false, { files(of: $0) }),
  ]

  package static func csv(of imports: [StoredImport]) -> String {
    CSVColumn.header(columns) + CSVColumn.rows(imports, columns)
  }

  /// The files of an import: `a.csv and 2 others`.
  package static func files(of stored: StoredImport) -> String {
    let names = stored.files.map { $0 == "-" ? "standard input" : SafeText.line($0) }
    guard let first = names.first else { return "" }
    return names.count < 3
      ? names.joined(separator: ", ") : "\(first) and \(CountText.of(names.count - 1, "other"))"
  }

  package static func text(of content: ImportContent) -> String {
    let span = content.span.map {
      " from \(LocalTime.minuteText($0.lowerBound)) to \(LocalTime.minuteText($0.upperBound))"
    }
    let names = content.sources.prefix(3).map(SafeText.line).joined(separator: ", ")
    let sources = names.isEmpty ? "" : " of \(names)\(content.sources.count > 3 ? ", …" : "")"
    let scans = content.scans > 0 ? " and \(CountText.of(content.scans, "scan"))" : ""
    return "\(CountText.of(content.values, "value"))\(span ?? "")\(sources)\(scans)"
  }

  private static func formats(of stored: StoredImport) -> String? { stored.formats?.joined(separator: ", ") }

  private static let columns =
    ImportsJSON.one.columns(["id", "at"]) + [CSVColumn("formats") { formats(of: $0) }]
    + ImportsJSON.one.columns(["time_zone", "added", "known", "left_out"])
    + [CSVColumn("files") { $0.files.joined(separator: "\n") }] + ImportsJSON.one.columns(["filled", "conflicts"])
}
