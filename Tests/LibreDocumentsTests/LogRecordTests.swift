// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreDocuments
import TestSupport
import Testing
import TextFormats

@Suite("A record of the log") struct LogRecordTests {
  private static let time = Instant(secondsSince1970: 1_714_644_900)

  private func json(_ record: LogRecord) throws -> JSONValue {
    try JSONValue { LogJSON.write(record, to: &$0) }
  }

  @Test("is a line with its level and its details; values with spaces are in quotes")
  func loggedText() {
    let record = LogRecord(
      logged: "request", .info,
      [("address", .text("https://ns.example/api")), ("duration_ms", .number(12.345)), ("status", .integer(200))],
      at: Self.time)
    #expect(record.text == "libre: info: request address=https://ns.example/api duration_ms=12.3 status=200\n")
    let words = LogRecord(
      logged: "exchange", .debug, [("question", .text("read block 3")), ("x", .text(""))], at: Self.time)
    #expect(words.text == "libre: debug: exchange question=\"read block 3\" x=\"\"\n")
  }

  @Test("of the command itself has no level in its text, and has its suggested fix on a line of its own")
  func remarkText() {
    #expect(LogRecord("wrote r.html", .notice, at: Self.time).text == "libre: wrote r.html\n")
    let error = LogRecord("no reader", .error, code: "no_reader", resolution: "libre doctor", at: Self.time)
    #expect(error.text == "libre: no reader\n  Try: libre doctor\n")
  }

  @Test("is one JSON object with the moment in UTC, and numbers as numbers")
  func document() throws {
    let logged = try json(
      LogRecord(
        logged: "request", .info,
        [("duration_ms", .number(12.3456)), ("method", .text("POST")), ("status", .integer(200))],
        at: Self.time))
    #expect(logged.keys == ["schema", "time", "level", "message", "duration_ms", "method", "status"])
    #expect(logged["schema"] == .string("libre.log/1") && logged["time"] == .string("2024-05-02T10:15:00Z"))
    #expect(logged["level"] == .string("info") && logged["message"] == .string("request"))
    #expect(logged["duration_ms"] == .number(12.346) && logged["status"] == .number(200))
    let error = try json(
      LogRecord(
        "a.bin: torn", .error, code: "truncated", resolution: "read it again", [("path", .text("a.bin"))], at: Self.time
      ))
    #expect(error["code"] == .string("truncated") && error["resolution"] == .string("read it again"))
    #expect(error["path"] == .string("a.bin") && error["level"] == .string("error"))
  }

  @Test("keeps its own members if a detail has the same name, and stays on one line if a value has a line break")
  func hostileDetails() throws {
    let record = LogRecord(
      logged: "a\nb", .info, [("level", .text("error")), ("name", .text("x\nlibre: fine"))], at: Self.time)
    let document = try json(record)
    #expect(document["level"] == .string("info") && document["message"] == .string("a?b"))
    #expect(document["name"] == .string("x?libre: fine") && record.text.split(separator: "\n").count == 1)
  }
}
