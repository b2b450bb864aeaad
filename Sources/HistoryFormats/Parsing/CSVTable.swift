// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// The positions of the columns that a format needs.
protocol TableColumns {
  /// The largest of them.
  var last: Int { get }
}

/// A table with a header, which may come after other rows.
struct CSVTable {
  let separator: UInt8
  var hasQuotes = true
  /// A description of the header, for the error of a file without it.
  let lacks: String

  /// Calls `row` with each row below the header, and with the columns that `header` found in it; `header` returns nil
  /// for other rows.
  ///
  /// - Throws: `notThisFormat` if there is no header; `truncated` for a last row without a line end, in which a needed
  ///   value may be incomplete.
  func forEachRow<Columns: TableColumns>(
    of file: any HistoryFile, header: (CSVColumns) throws(HistoryError) -> Columns?,
    _ row: (Columns, CSVRow) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    var columns: Columns?
    var passed = 0
    try file.forEachRow(separator: separator, hasQuotes: hasQuotes) { (line) throws(HistoryError) in
      if let columns {
        let isWhole = line.isEnded || line.count > columns.last + (line.isLastFieldWhole ? 0 : 1)
        guard isWhole else { throw .truncated("line \(line.line) does not end") }
        return try row(columns, line)
      }
      passed += 1
      // Some programs write a line or two about the report before the header.
      guard passed <= 10 else { throw .notThisFormat(lacks: lacks) }
      columns = try header(CSVColumns(line))
    }
    if columns == nil { throw .notThisFormat(lacks: lacks) }
  }

  /// Also counts the rows that are invalid.
  func forEachRow<Columns: TableColumns>(
    of file: any HistoryFile, header: (CSVColumns) throws(HistoryError) -> Columns?, refused: inout RefusedRecords,
    _ row: (Columns, CSVRow) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    try forEachRow(of: file, header: header) { (columns, line) throws(HistoryError) in
      try refused.collect { () throws(HistoryError) in try row(columns, line) }
    }
  }
}

extension HistoryFile {
  /// - Throws: `badLine`, and `truncated` for a quote that is never closed.
  func forEachRow(
    separator: UInt8, hasQuotes: Bool = true, _ row: (CSVRow) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    var csv = CSVReading(separator: separator, hasQuotes: hasQuotes)
    try forEachChunk { (chunk) throws(HistoryError) in
      csv.append(chunk)
      while let next = try csv.nextRow() { try row(next) }
    }
    if let last = try csv.lastRow() { try row(last) }
  }
}

extension CSVReading {
  fileprivate mutating func nextRow() throws(HistoryError) -> CSVRow? {
    do throws(CSVError) { return try next() } catch { throw HistoryError(error) }
  }

  fileprivate mutating func lastRow() throws(HistoryError) -> CSVRow? {
    do throws(CSVError) { return try finish() } catch { throw HistoryError(error) }
  }
}

extension HistoryError {
  fileprivate init(_ error: CSVError) {
    self =
      switch error {
      case .unclosedQuote(let line): .truncated("the quote on line \(line) is not closed")
      case .textAfterQuote(let line): .badLine(line, "expected a separator after a closing quote")
      case .tooLong(let line, let limit): .badLine(line, "the row has more than \(limit) bytes")
      }
  }
}
