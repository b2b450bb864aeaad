// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The export of xDrip and Spike for SiDiary: one row for each moment, with all that was measured then
/// (HistoryFormats/Formats, "sidiary").
struct SiDiaryReader: HistoryReader {
  let name = "sidiary"
  let summary = "xDrip's CSV for SiDiary: DAY;TIME;UDT_CGMS;BG_LEVEL;…"

  private static let signature = "the columns DAY;TIME;UDT_CGMS"

  private struct Columns: TableColumns {
    let day: Int
    let time: Int
    let sensor: Int
    let blood: Int?
    let remark: Int?

    var last: Int { [day, time, sensor, blood, remark].compactMap(\.self).max() ?? 0 }
  }

  func hasSignature(_ file: any HistoryFile) -> Bool {
    file.head.contains(text: "DAY;TIME;") && file.head.contains(text: "UDT_CGMS")
  }

  @discardableResult func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: Self.signature) }
    let table = CSVTable(separator: UInt8(ascii: ";"), hasQuotes: false, lacks: Self.signature)
    return try RowDating.dating(.dayFirst, options, entry) { clock throws(HistoryError) in
      try table.forEachRow(of: file, header: columns, refused: &clock.refused) { (columns, row) throws(HistoryError) in
        func glucose(_ column: Int, _ name: String) throws(HistoryError) -> ShownGlucose? {
          try ShownGlucose.read(row[column], options.unit(.milligramsPerDecilitre), line: row.line, name: name)
        }
        let sensor = try glucose(columns.sensor, "UDT_CGMS")
        let blood = try columns.blood.flatMap { (column) throws(HistoryError) in try glucose(column, "BG_LEVEL") }
        let text = "\(row[columns.day]) \(row[columns.time])"
        if let sensor {
          try clock.add(text, line: row.line, to: RowDating.Group(kind: 0, isRegular: true), entry) { time in
            imported(sensor, at: time)
          }
        }
        if let blood {
          let remark = columns.remark.map { row[$0] }
          try clock.add(text, line: row.line, to: RowDating.Group(kind: 1, isRegular: false), entry) { time in
            fingerStick(blood, at: time, note: remark)
          }
        }
      }
    }
  }

  private func columns(_ header: CSVColumns) throws(HistoryError) -> Columns? {
    guard let day = header.firstIndex(of: ["DAY"]) else { return nil }
    return Columns(
      day: day, time: try header.index(of: "TIME"), sensor: try header.index(of: "UDT_CGMS"),
      blood: header.firstIndex(of: ["BG_LEVEL"]), remark: header.firstIndex(of: ["REMARK"]))
  }
}
