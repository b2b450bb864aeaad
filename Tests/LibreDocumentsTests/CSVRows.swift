// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// The rows of a document as other programs read them.
enum CSVRows {
  static func of(_ text: String) throws -> [[String]] {
    var (csv, rows) = (CSVReading(separator: UInt8(ascii: ",")), [[String]]())
    csv.append(Array(text.utf8))
    while let row = try csv.next() { rows.append(row.fields) }
    return try csv.finish() == nil ? rows : []
  }
}
