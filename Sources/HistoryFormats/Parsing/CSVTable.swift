// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// What a header says about the columns that a format needs.
protocol TableColumns {
  /// The last of them.
  var last: Int { get }
}

/// A table with a header, which need not be its first row.
struct CSVTable {
  let separator: UInt8
  var hasQuotes = true
  /// What a file without the header lacks, in words.
  let lacks: String

  /// Some programs write a line or two about the report before the header.
  private static let rowsToHeader = 10

  /// Calls `row` with each row below the header, and with what `header` made of it: nil for a row that is none.
  ///
  /// Throws `notThisFormat` if there is no header, `truncated` for a last row without a line end of which a value that
  /// is needed may have been cut.
  func forEachRow<Columns: TableColumns>(
    of file: any HistoryFile, header: (CSVColumns) throws(HistoryError) -> Columns?,
    _ row: (Columns, CSVRow) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    var columns: Columns?
    var passed = 0
    try file.forEachRow(separator: separator, hasQuotes: hasQuotes) { (line) throws(HistoryError) in
      if let columns {
        let isWhole = line.isEnded || line.count > columns.last + (line.isLastFieldWhole ? 0 : 1)
        guard isWhole else { throw .truncated("line \(line.line) has no end") }
        return try row(columns, line)
      }
      passed += 1
      guard passed <= Self.rowsToHeader else { throw .notThisFormat(lacks: lacks) }
      columns = try header(CSVColumns(line))
    }
    if columns == nil { throw .notThisFormat(lacks: lacks) }
  }
}

extension HistoryFile {
  /// Reads separated values piece by piece. Throws `badLine`, and `truncated` for a quote that is never closed.
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
      case .unclosedQuote(let line): .truncated("a quote on line \(line) is never closed")
      case .textAfterQuote(let line): .badLine(line, "there is text after a closing quote")
      case .tooLong(let line, let limit): .badLine(line, "a row of more than \(limit) bytes")
      }
  }
}
