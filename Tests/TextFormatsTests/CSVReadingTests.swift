// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("Reading separated values in pieces")
struct CSVReadingTests {
  /// The rows of a text that arrives in pieces of the given size.
  private func rows(
    _ text: some Sequence<UInt8>, separator: Character = ",", hasQuotes: Bool = true, pieces: Int = 7
  ) throws -> [CSVRow] {
    var csv = CSVReading(separator: separator.asciiValue ?? 0, hasQuotes: hasQuotes)
    var rows: [CSVRow] = []
    let bytes = Array(text)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      csv.append(Array(bytes[start..<min(start + pieces, bytes.count)]))
      while let row = try csv.next() { rows.append(row) }
    }
    if let last = try csv.finish() { rows.append(last) }
    return rows
  }

  private func fields(_ text: String, separator: Character = ",", pieces: Int = 7) throws -> [[String]] {
    try rows(text.utf8, separator: separator, pieces: pieces).map(\.fields)
  }

  @Test("fields end at separators and rows at any line end", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(end: String) throws {
    let text = ["a,b,c", "", "1,,3", ",,"].map { $0 + end }.joined()
    for pieces in 1...9 {
      #expect(try fields(text, pieces: pieces) == [["a", "b", "c"], ["1", "", "3"], ["", "", ""]])
    }
  }

  @Test("a quoted field keeps separators, line ends and doubled quotes")
  func quotes() throws {
    let text = "\"a,b\",\"c\r\nd\",\"say \"\"no\"\"\",\"\",plain \"quotes\"\nnext\n"
    for pieces in 1...9 {
      #expect(try fields(text, pieces: pieces) == [["a,b", "c\r\nd", "say \"no\"", "", "plain \"quotes\""], ["next"]])
    }
  }

  @Test("a byte order mark does not belong to the first field, quoted or not")
  func byteOrderMark() throws {
    for pieces in 1...4 {
      #expect(try fields("\u{FEFF}\"Index\",b\n", pieces: pieces) == [["Index", "b"]])
      #expect(try fields("\u{FEFF}a;b\n", separator: ";", pieces: pieces) == [["a", "b"]])
    }
    #expect(try rows([0xEF, 0xBB, UInt8(ascii: "a")]).map { Array($0.fields[0].utf8).last } == [UInt8(ascii: "a")])
  }

  @Test("each row has its line number and whether it has a line end")
  func lines() throws {
    let found = try rows("a\r\n\r\n\"two\nlines\",x\nlast,".utf8, pieces: 1)
    #expect(found.map(\.line) == [1, 3, 5] && found.map(\.count) == [1, 2, 2])
    #expect(found.map(\.isEnded) == [true, true, false] && found.map(\.isLastFieldWhole) == [true, true, false])
    #expect(try rows("a,\"b\"".utf8).map(\.isLastFieldWhole) == [true])
  }

  @Test("a column that a row lacks is empty, white space is removed, and a quote may be an ordinary character")
  func subscripts() throws {
    let row = try #require(try rows(" a ,\tb\n".utf8).first)
    #expect([row[0], row[1], row[2], row[-1]] == ["a", "b", "", ""])
    #expect(row.fields == [" a ", "\tb"])
    #expect(try rows("a;\"b;c\n".utf8, separator: ";", hasQuotes: false).map(\.fields) == [["a", "\"b", "c"]])
  }

  @Test("an unclosed quote, text after a closing quote, and an endless row are errors with the line")
  func errors() {
    #expect(throws: CSVError.unclosedQuote(line: 2)) { try rows("a\nb,\"c\nd\n".utf8) }
    #expect(throws: CSVError.textAfterQuote(line: 2)) { try rows("a\n\"b\"c\n".utf8) }
    let limit = CSVReading.limit
    for byte in "x,".utf8 {
      let endless = Array(repeating: byte, count: limit + 1)
      #expect(throws: CSVError.tooLong(line: 1, limit: limit)) { try rows(endless, pieces: 65_536) }
    }
  }

  @Test("the most frequent separator outside quotes is chosen")
  func separators() {
    for (text, separator) in [
      ("a;b;c\n\"1,2,3,4\";5,6;7\n", ";"), ("a,b\n", ","), ("a\tb\tc,d\n", "\t"), ("word", ","),
    ] as [(String, Character)] {
      #expect(CSVReading.separator(in: text.utf8) == separator.asciiValue)
    }
  }

  @Test("Python's csv module finds the same fields in tables that Python wrote", .startsProcesses, arguments: 1...6)
  func python(seed: Int) throws {
    let directory = try TemporaryDirectory()
    let script = """
      import csv, json, random, sys
      draw = random.Random(int(sys.argv[1]))
      separator = draw.choice(",;\\t")
      letters = ["a", "é", "1", " ", '"', ",", ";", "\\t", "\\n", "\\r\\n", "x" * 50]
      field = lambda: "".join(draw.choices(letters, k=draw.randrange(6)))
      rows = [[field() for _ in range(draw.randrange(1, 8))] for _ in range(400)]
      path = sys.argv[2] + "/table.csv"
      with open(path, "w", newline="", encoding=draw.choice(["utf-8", "utf-8-sig"])) as file:
          csv.writer(file, delimiter=separator, lineterminator=draw.choice(["\\n", "\\r\\n", "\\r"]),
                     quoting=draw.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])).writerows(rows)
      with open(path, newline="", encoding="utf-8-sig") as file:
          read = [row for row in csv.reader(file, delimiter=separator, strict=True) if row]
      json.dump({"separator": separator, "rows": read}, open(sys.argv[2] + "/rows.json", "w"))
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-S", "-c", script, String(seed), directory.path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    struct Table: Decodable {
      let separator: String
      let rows: [[String]]
    }
    let table = try JSONDecoder().decode(
      Table.self, from: Data(contentsOf: directory.url.appendingPathComponent("rows.json")))
    let text = try directory.bytes(of: "table.csv")
    #expect(table.rows.count > 300)
    for pieces in [1, 64, 4_096] {
      let found = try rows(text, separator: Character(table.separator), pieces: pieces).map(\.fields)
      #expect(found == table.rows)
    }
  }
}
