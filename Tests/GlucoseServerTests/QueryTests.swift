// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("Query parameters of clients")
struct QueryTests {
  private let example = ServedExample()

  @Test(
    "a time is accepted in every form that clients write",
    arguments: [
      "find[date][$gt]=1767265199999", "find[date][$gte]=1767265200000", "find[date][$gte]=1767265200000.0",
      "find[date][$gte]=1767265200000}", "find[date][$gte]=2026-01-01T11:00:00.000Z",
      "find[dateString][$gte]=2026-01-01T11:00:00Z", "find[dateString][$gte]=2026-01-01T11:00",
      "find[dateString][$gte]=2026-01-01T11:00:00", "find[dateString][$gte]=2026-01-01T12:00:00+01:00",
      "find[dateString][$gte]=2026-01-01T12:00:00%2B0100", "find[dateString][$gte]=2026-01-01T06:00:00-0500",
      "find[dateString][$gte]=1767265200000", "find[date][$gt]=2026-01-01T10:59:59.999Z",
      "find[sysTime][$gte]=2026-01-01T11:00:00Z",
    ])
  func moments(condition: String) throws {
    #expect(try example.times("/api/v1/entries.json?\(condition)&count=100") == ["11:05", "11:00"])
  }

  @Test("both ends of a time range work, each inclusive and exclusive")
  func span() throws {
    let base = "/api/v1/entries.json?find[date][$gte]=1767264600000&find[date]"
    #expect(try example.times("\(base)[$lte]=1767265200000") == ["11:00", "10:55", "10:50"])
    #expect(try example.times("\(base)[$lt]=1767265200000") == ["10:59", "10:54"])
    #expect(try example.times("/api/v1/entries.json?find[date]=1767265200000") == ["11:00"])
  }

  @Test(
    "a time that cannot be read matches nothing, so that the answer has no more than was asked for",
    arguments: ["NaN", "undefined", "", "yesterday", "2026-13-01"])
  func unreadable(text: String) throws {
    #expect(try example.answer("/api/v1/entries.json?find[date][$gt]=\(text)").text == "[]")
  }

  @Test(
    "a count is the number in its leading digits; it is unlimited for 'all' and for 0 with a date",
    arguments: [
      ("count=3", 3), ("count=3/", 3), ("count=all", 292), ("count=0", 292), ("count=-5", 10), ("count=", 10),
    ])
  func count(query: String, rows: Int) throws {
    #expect(try example.values("/api/v1/entries.json?find[date][$gte]=1&\(query)").count == rows)
    #expect(try example.values("/api/v1/entries.json?count=0").count == 10)
  }

  @Test("unknown parameters, fields and operators are ignored")
  func unknown() throws {
    let plain = try example.answer("/api/v1/entries.json?count=5").body
    for extra in [
      "rr=1767265570000", "_=1", "timestamp=1", "token=x", "find[mood]=good", "find[sgv][$near]=5", "find[]=1", "find[",
      "find[$where]=1", "find[sgv][$options]=i", "a&&b",
    ] {
      #expect(try example.answer("/api/v1/entries.json?count=5&\(extra)").body == plain, "\(extra)")
    }
  }

  @Test("values are compared as numbers, and a list matches any of its values")
  func numbers() throws {
    #expect(
      try example.values("/api/v1/entries.json?find[sgv][$gte]=118&find[sgv][$lt]=120&count=3") == [118, 118, 119])
    #expect(
      try example.values("/api/v1/entries.json?find[sgv][$in][0]=105&find[sgv][$in][1]=106&count=2") == [105, 106])
    #expect(try example.values("/api/v1/entries.json?find[sgv][$nin][]=118&count=1") == [117])
  }

  @Test("no value of libre has insulin or carbohydrates")
  func neverThere() throws {
    for condition in [
      "find[$or][0][insulin][$exists]=true&find[$or][1][carbs][$exists]=true", "find[insulin][$gt]=0",
    ] {
      #expect(try example.answer("/api/v1/treatments.json?\(condition)").text == "[]", "\(condition)")
    }
    #expect(try example.json("/api/v1/treatments.json?find[carbs][$exists]=false").elements.count == 3)
  }

  @Test("conditions in $and must all match, and one of those in $or")
  func groups() throws {
    func kinds(_ query: String) throws -> [String?] {
      try example.json("/api/v1/treatments.json?\(query)").elements.map { $0["eventType"].text }
    }
    #expect(
      try kinds("find[$and][0][enteredBy][$ne]=other&find[$and][1][eventType]=BG%20Check") == ["BG Check", "BG Check"])
    #expect(
      try kinds("find[$or][0][eventType]=Sensor%20Start&find[$or][1][units]=mmol") == ["BG Check", "Sensor Start"])
  }

  @Test(
    "a pattern is used as a list of alternatives, compared as plain text",
    arguments: [
      ("/Sensor Start|Sensor Change/", 1), ("/sensor/i", 1), ("/sensor/", 0), ("/^BG/", 2), ("/Start$/", 1),
      ("/^Start$/", 0), ("/(a+)+b/", 0), ("/.*/", 0), ("//", 0), ("Sensor+Start", 1),
    ])
  func patterns(pattern: String, found: Int) throws {
    let target = "/api/v1/treatments.json?find[eventType]=\(pattern.replacing(" ", with: "%20"))"
    #expect(try example.json(target).elements.count == found)
  }
}
