// SPDX-License-Identifier: Apache-2.0
import Testing
import TextFormats

struct CSVWritingTests {
  @Test(
    "a cell is quoted where RFC 4180 requires it, and nowhere else",
    arguments: [
      ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("\"", "\"\"\"\""), ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""),
      ("a\rb", "\"a\rb\""), (",", "\",\""), (",\u{301}", "\",\u{301}\""), ("a b", "a b"), ("", ""),
    ])
  func quoting(cell: String, written: String) {
    #expect(CSVWriting.row([cell, "1"]) == "\(written),1\n")
  }
}
