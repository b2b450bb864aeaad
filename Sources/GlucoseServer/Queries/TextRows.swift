// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// Entries as rows of text, which Nightscout sends to a client that does not ask for JSON.
///
/// ```
/// "2026-01-01T11:05:00.000Z"⇥1767265500000⇥118⇥"Flat"⇥"libre"
/// ```
/// Strings in JSON's quotes, a comma instead of the tab for CSV, CRLF between two rows and none at the end.
enum TextRows {
  private static let columns = ["dateString", "date", "sgv", "direction", "device"]

  static func answer(_ records: [WireRecord], _ format: AnswerFormat) -> ServerAnswer {
    var body: [UInt8] = []
    for (index, record) in records.enumerated() {
      if index > 0 { body += "\r\n".utf8 }
      for (column, name) in columns.enumerated() {
        if column > 0 { body.append(UInt8(ascii: format == .commas ? "," : "\t")) }
        guard let value = record[name] else { continue }
        var cell = JSONWriter(indented: false)
        value.write(to: &cell)
        body += cell.bytes
      }
    }
    return ServerAnswer(contentType: format.contentType, body: body)
  }
}
