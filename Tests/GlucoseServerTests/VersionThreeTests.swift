// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("Version 3 of Nightscout's interface")
struct VersionThreeTests {
  private let example = ServedExample()

  @Test("the status shows what may be read of all six collections, and their newest documents are given by date")
  func status() throws {
    let status = try example.json("/api/v3/status")
    #expect(status["status"].number == 200 && status["result"]["srvDate"].number == 1_767_265_570_000)
    let permissions = status["result"]["apiPermissions"]
    #expect(permissions.keys == ["devicestatus", "entries", "food", "profile", "settings", "treatments"])
    #expect(permissions["entries"].text == "r" && permissions["settings"].text == "")
    let collections = try example.json("/api/v3/lastModified")["result"]["collections"]
    #expect(collections["entries"].number == 1_767_265_500_000)
    #expect(collections["treatments"].number == 1_767_265_080_000)
  }

  @Test("documents are sorted, limited and skipped as requested")
  func search() throws {
    func times(_ query: String) throws -> [String] {
      try example.json("/api/v3/entries?\(query)")["result"].elements.compactMap {
        $0["dateString"].text.map { String($0.dropFirst(11).prefix(5)) }
      }
    }
    #expect(try times("sort$desc=date&limit=2") == ["11:05", "11:00"])
    #expect(try times("sort$desc=date&limit=2&skip=1") == ["11:00", "10:55"])
    #expect(try times("sort=date&date$gt=1767264600000&limit=500") == ["10:55", "11:00", "11:05"])
    #expect(try times("sort=date&date$gte=2026-01-01T10:50:00Z&limit=2") == ["10:50", "10:55"])
    #expect(try times("type$eq=sgv&sgv$lt=110&limit=1") == ["10:52"])
    #expect(try times("sgv$in=105|106&limit=2") == ["10:30", "10:15"])
    #expect(try times("type=mbg&date$gte=0") == [])
  }

  @Test("a document has an identifier and is marked as valid; the answer has the requested fields")
  func document() throws {
    let document = try example.json("/api/v3/entries?limit=1")["result"][0]
    #expect(document["identifier"].text == "000000000000000000000000" && document["isValid"] == .bool(true))
    #expect(document["srvModified"].number == 1_767_265_500_000 && document["app"].text == "libre")
    #expect(document["type"].text == "sgv" && document["_id"] == .null)
    #expect(try example.json("/api/v3/entries?limit=1&fields=sgv,date")["result"][0].keys == ["sgv", "date"])
    #expect(try example.json("/api/v3/entries?limit=1&fields=_all")["result"][0].keys == document.keys)
  }

  @Test("a history begins after the given time, ascending, and has its newest time in the tag")
  func history() throws {
    let answer = try example.answer("/api/v3/entries/history/1767264900000?limit=500")
    #expect(
      try JSONValue(parsing: answer.body)["result"].elements.map { $0["date"].number }
        == [1_767_265_200_000, 1_767_265_500_000])
    #expect(answer.header("ETag") == "W/\"1767265500000\"")
    #expect(answer.header("Last-Modified") == "Thu, 01 Jan 2026 11:05:00 GMT")
    let none = try example.answer("/api/v3/entries/history/1767265500000")
    #expect(none.text == #"{"status":200,"result":[]}"# && none.header("ETag") == "W/\"1767265500000\"")
    #expect(try example.json("/api/v3/entries/history/1767264900")["result"].elements.count == 2)
    #expect(try example.json("/api/v3/treatments/history/1767225600000")["result"].elements.count == 1)
  }

  @Test(
    "a value out of range and a missing document give an error in JSON",
    arguments: [
      ("entries?limit=1001", 400), ("entries?limit=0", 400), ("entries?limit=x", 400), ("entries?skip=-1", 400),
      ("entries/history/x", 404), ("nothing", 404), ("entries/abc", 404), ("", 404),
    ])
  func errors(path: String, status: Int) throws {
    let answer = try example.answer("/api/v3/\(path)")
    let body = try JSONValue(parsing: answer.body)
    #expect(answer.status == status && body["status"].number == Double(status))
  }

  @Test("collections that are always empty exist", arguments: ["devicestatus", "food", "profile", "settings"])
  func empty(name: String) throws {
    #expect(try example.answer("/api/v3/\(name)?limit=1").text == #"{"status":200,"result":[]}"#)
    #expect(try example.json("/api/v3/\(name)/history/1767264900000")["result"].elements.isEmpty)
  }
}
