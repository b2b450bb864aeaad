// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("Nightscout's entries")
struct EntriesTests {
  private let example = ServedExample()

  @Test("a value has every member that clients read, in the expected order and with the expected types")
  func record() throws {
    #expect(
      try example.answer("/api/v1/entries.json?count=1").text == """
        [{"_id":"000000000000000000000000","type":"sgv","device":"3MH00TEST01","date":1767265500000,\
        "mills":1767265500000,"dateString":"2026-01-01T11:05:00.000Z","sysTime":"2026-01-01T11:05:00.000Z",\
        "utcOffset":0,"sgv":118,"delta":3.5,"direction":"Flat","trend":4,"noise":1,"rssi":100}]
        """)
  }

  @Test("a request without a count gets ten values, newest first, in version 2 too", arguments: [1, 2])
  func usualCount(version: Int) throws {
    let times = try example.times("/api/v\(version)/entries.json")
    #expect(times == ["11:05", "11:00", "10:55", "10:50", "10:45", "10:30", "10:15", "10:00", "09:45", "09:30"])
  }

  @Test("a record is found by its id, and an unknown id is an error in JSON")
  func byID() throws {
    #expect(try example.json("/api/v1/entries/000000000000000000000003.json")[0]["sgv"].number == 116)
    #expect(try example.json("/api/v1/entries/65a1f0c2d4b37e08c9a10f25.json")[0]["mbg"].number == 104)
    let unknown = try example.answer("/api/v1/entries/ffffffffffffffffffffffff")
    #expect(unknown.status == 404 && unknown.contentType == "application/json; charset=utf-8")
  }

  @Test(
    "values older than those in memory are read from the store, and none occurs twice, with and without steps"
  )
  func older() throws {
    var split = example
    split.glucose = Array(example.glucose.prefix(40))
    split.older = Array(example.glucose.dropFirst(40))
    let target = "/api/v1/entries.json?find[date][$gte]=1&count=1000"
    #expect(try split.answer(target).body == example.answer(target).body)
    #expect(try split.json(target).elements.count == 4 + 288)
    split.glucose = Array(example.glucose.prefix(8))
    split.older = Array(example.glucose.dropFirst(8))
    let values = try split.context.glucose(GlucoseSelection(limit: 12, interval: 0))
    #expect(values.map(\.time) == example.glucose.prefix(12).map(\.time))
  }

  @Test("the number of matching values is given in the form of Nightscout")
  func count() throws {
    #expect(
      try example.answer("/api/v1/count/entries/where?find[sgv][$gte]=140&find[date][$gte]=0").text
        == #"[{"_id":null,"count":28}]"#)
  }

  @Test("an hour of minutes is answered in steps of five minutes, or of one minute on request")
  func interval() throws {
    let minutes = ServedExample.values((0..<60).map { ($0, 100 + Double($0)) })
    #expect(
      try minutes.values("/sgv.json") == [100, 105, 110, 115, 120, 125, 130, 135, 140, 145, 150, 155])
    #expect(try minutes.values("/api/v1/entries.json?count=4&interval=60") == [100, 101, 102, 103])
    #expect(try minutes.values("/sgv.json?count=4&interval=900") == [100, 113, 126, 139])
  }
}

@Suite("Entries as text")
struct TextRowTests {
  private let example = ServedExample.values([(0, 118), (5, 115)])
  private let rows = """
    "2026-01-01T11:05:00.000Z"\t1767265500000\t118\t"NONE"\t"3MH00TEST01"\r
    "2026-01-01T11:00:00.000Z"\t1767265200000\t115\t"NONE"\t"3MH00TEST01"
    """

  @Test(
    "a client gets rows with tabs, without a header and a final line break, unless it or the path asks for more",
    arguments: [
      ("?count=60", "*/*", "plain"), ("", "text/html,application/xml;q=0.9,*/*;q=0.8", "plain"), ("", nil, "plain"),
      (".tsv", nil, "tab-separated-values"), ("/sgv.csv", nil, "csv"),
      // JSON if it is named first, if only unsupported types are named, and by the extension.
      ("", "application/json, text/plain, */*", "json"), ("", "image/png", "json"),
      ("", "*/*;q=0.1, application/json", "json"), (".json", "text/plain", "json"),
    ] as [(String, String?, String)])
  func types(path: String, accept: String?, type: String) throws {
    let answer = try example.answer("/api/v1/entries\(path)", headers: accept.map { ["Accept": $0] } ?? [:])
    #expect(answer.contentType == "\(type == "json" ? "application" : "text")/\(type); charset=utf-8")
    if type == "json" { return #expect(answer.body.first == UInt8(ascii: "[")) }
    #expect(answer.text == (type == "csv" ? rows.replacing("\t", with: ",") : rows))
    #expect(try ServedExample.values([]).answer("/api/v1/entries.txt").body.isEmpty)
  }
}

@Suite("Requests for data that the client already has")
struct RevalidationTests {
  private let example = ServedExample()

  @Test(
    "an ETag that still matches gets 304 without a body until there is a new value",
    arguments: [
      "/api/v1/entries.json?count=3", "/api/v1/treatments.json", "/sgv.json", "/api/v2/properties",
      "/api/v1/devicestatus.json", "/treatments.json",
    ])
  func tag(target: String) throws {
    let tag = try #require(try example.answer(target).header("ETag"))
    for known in [tag, String(tag.dropFirst(2)), "\"x\", \(tag)", "*"] {
      let answer = try example.answer(target, headers: ["If-None-Match": known])
      #expect(answer.status == 304 && answer.body.isEmpty && answer.header("ETag") == tag)
    }
    if target.contains("treatments") || target.contains("devicestatus") { return }
    var later = example
    later.glucose.insert(ServedExample.value(at: ServedExample.newest.adding(minutes: 1), 120), at: 0)
    let answer = try later.answer(target, headers: ["If-None-Match": tag])
    #expect(answer.status == 200 && answer.header("ETag") != tag)
  }

  @Test(
    "If-Modified-Since not before the newest value gets 304, an earlier or invalid one, or one beside a tag, does not")
  func date() throws {
    let target = "/api/v1/entries/sgv.json"
    #expect(try example.answer(target).header("Last-Modified") == "Thu, 01 Jan 2026 11:05:00 GMT")
    for (date, status) in [
      ("Thu, 01 Jan 2026 11:05:00 GMT", 304), ("Thu, 01 Jan 2026 11:06:00 GMT", 304),
      ("Thu, 01 Jan 2026 11:04:59 GMT", 200), ("yesterday", 200),
    ] {
      #expect(try example.answer(target, headers: ["If-Modified-Since": date]).status == status, "\(date)")
    }
    let headers = ["If-None-Match": "\"old\"", "If-Modified-Since": "Thu, 01 Jan 2026 11:06:00 GMT"]
    #expect(try example.answer("/api/v1/entries.json", headers: headers).status == 200)
  }
}
