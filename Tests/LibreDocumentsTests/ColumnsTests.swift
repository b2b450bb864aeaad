// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LibreDocuments

struct ColumnsTests {
  @Test("a cell of a table cannot set a colour, move the cursor or begin a line")
  func hostileCells() {
    let rows = [["a\u{1B}[31mb", "c\u{202E}d"], ["e\nf"]]
    let table = Columns.table(["name"], rows, [.left, .left], style: Style(isColored: true))
    #expect(table == ["\u{1B}[2mname\u{1B}[0m", "a?[31mb  c?d", "e?f"])
    #expect(Columns.lines(rows, [.left, .left]) == ["a?[31mb  c?d", "e?f"])
  }
}
