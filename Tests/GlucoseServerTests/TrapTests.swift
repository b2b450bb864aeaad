// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import GlucoseServer

/// Known causes of failures in clients of a glucose server (GlucoseServer/ClientsAndPaths, "What breaks clients").
@Suite("Known causes of broken clients")
struct TrapTests {
  private let example = ServedExample()

  @Test(
    "finger-sticks are not among the entries of a client that names no type",
    arguments: [
      "/api/v1/entries?count=100", "/api/v1/entries/current.json",
      "/api/v1/entries.json?count=100&find[type][$ne]=cal", "/api/v1/entries.json?count=100&find[date][$gte]=1",
      "/sgv.json",
    ])
  func fingerSticksAmongEntries(target: String) throws {
    let rows = try example.json(target, headers: ["Accept": "application/json"]).elements
    #expect(!rows.isEmpty && rows.allSatisfy { $0["type"].text == "sgv" && $0["sgv"].number != nil })
  }

  @Test("finger-sticks are among the entries of a client that names their type")
  func fingerSticksAskedFor() throws {
    for target in [".json?find[type]=mbg", ".json?find[type][$eq]=mbg", ".json?find[type][$in][]=mbg", "/mbg.json"] {
      let rows = try example.json("/api/v1/entries\(target)").elements
      #expect(rows.map { $0["mbg"].number } == [112, 104] && rows[0]["sgv"] == .null, "\(target)")
    }
    let both = try example.json("/api/v1/entries.json?find[type][$in][]=mbg&find[type][$in][]=sgv&count=4").elements
    #expect(both.map { $0["type"].text } == ["sgv", "sgv", "mbg", "sgv"])
  }

  /// All of them, ordered by their numbers.
  private static let directions: [TrendDirection?] = [
    nil, .doubleUp, .singleUp, .fortyFiveUp, .flat, .fortyFiveDown, .singleDown, .doubleDown, .notComputable,
  ]

  @Test("a direction is a word that every client knows, never omitted, and a number that increases from rise to fall")
  func directions() throws {
    #expect(Set(Self.directions) == Set(TrendDirection.allCases.map(Optional.some) + [nil]))
    for (number, direction) in Self.directions.enumerated() {
      let example = ServedExample(glucose: [ServedExample.value(at: ServedExample.newest, 118, direction: direction)])
      let properties = try example.json("/api/v2/properties")
      let row = try example.json("/api/v1/entries.json")[0]
      let pebble = try example.json("/pebble")["bgs"][0]
      let words = Set([
        row["direction"], try example.json("/sgv.json")[0]["direction"], pebble["direction"],
        properties["direction"]["value"], properties["bgnow"]["sgvs"][0]["direction"],
        try example.json("/api/v3/entries")["result"][0]["direction"],
      ])
      #expect(words.count == 1 && words.allSatisfy(ExpectedKind.direction.accepts), "\(words)")
      #expect(row["trend"].number == Double(number) && pebble["trend"].number == Double(number))
    }
  }

  @Test("a value is between 39, which clients show as LOW, and 500")
  func range() throws {
    for (measured, served) in [(-20.0, 39), (38.4, 39), (39.0, 39), (39.5, 40), (499.6, 500), (650, 500)] {
      let example = ServedExample(glucose: [ServedExample.value(at: ServedExample.newest, measured)])
      #expect(try example.values("/api/v1/entries.json") == [served])
      #expect(try example.json("/api/v2/properties")["bgnow"]["last"].number == Double(served))
    }
  }

  @Test("every date is in UTC with a Z and three decimals, and agrees with its milliseconds")
  func dates() throws {
    for target in [
      "/api/v1/entries.json?count=100", "/sgv.json", "/api/v1/treatments.json", "/api/v1/entries/mbg.json",
    ] {
      for row in try example.json(target).elements {
        let milliseconds = try #require(row["date"].number)
        for name in ["dateString", "sysTime", "created_at", "timestamp"] where row.keys.contains(name) {
          let text = try #require(row[name].text)
          #expect(text.hasSuffix(".000Z") && text.count == 24)
          #expect(Instant(rfc3339: text).map { Double($0.secondsSince1970) * 1_000 } == milliseconds)
        }
      }
    }
  }

  @Test(
    "no reading is in the future",
    arguments: [
      "/api/v1/entries.json", "/sgv.json", "/api/v1/entries/current.json", "/pebble", "/api/v2/properties",
      "/api/v3/entries", "/api/v3/lastModified", "/api/v1/entries.json?find[date][$gt]=1767265500000",
    ])
  func future(target: String) throws {
    var ahead = example
    ahead.glucose.insert(ServedExample.value(number: 999, at: ServedExample.now.adding(minutes: 1), 222), at: 0)
    #expect(try ahead.answer(target) == example.answer(target))
  }

  @Test("an old value keeps its date, and is served only to requests with a date once it is four days old")
  func oldValues() throws {
    var later = example
    later.now = ServedExample.newest.adding(days: 3)
    #expect(try later.json("/sgv.json?count=1")[0]["date"].number == 1_767_265_500_000)
    #expect(try later.json("/pebble")["bgs"][0]["datetime"].number == 1_767_265_500_000)
    #expect(try later.json("/api/v2/properties")["bgnow"]["mills"].number == 1_767_265_500_000)
    later.now = ServedExample.newest.adding(days: 4).adding(minutes: 1)
    for target in ["/sgv.json", "/api/v1/entries.json", "/api/v1/entries/current.json", "/api/v1/entries/mbg.json"] {
      #expect(try later.answer(target).text == "[]", "\(target)")
    }
    #expect(try later.json("/pebble")["bgs"].elements.isEmpty)
    #expect(try later.answer("/api/v2/properties").text == "{}")
    #expect(try later.values("/api/v1/entries.json?find[date][$gte]=1").first == 118)
  }

  @Test(
    "whole numbers have no decimals and no exponent",
    arguments: [
      "/api/v1/entries.json?count=100", "/sgv.json", "/pebble?count=10", "/api/v2/properties", "/api/v1/status.json",
      "/api/v1/treatments.json", "/api/v3/entries", "/api/v3/lastModified",
    ])
  func wholeNumbers(target: String) throws {
    let text = try example.answer(target).text
    let whole = [
      "sgv", "date", "mills", "trend", "noise", "rssi", "utcOffset", "last", "mgdl", "fromMills", "toMills", "index",
      "datetime", "now", "serverTimeEpoch", "srvDate", "srvModified", "entries", "bgHigh", "bgLow", "elapsedMins",
    ]
    for name in whole {
      for value in text.split(separator: "\"\(name)\":").dropFirst() where "-0123456789".contains(value.first!) {
        #expect(value.drop { "-0123456789".contains($0) }.first.map { ",}".contains($0) } == true, "\(name)")
      }
    }
  }

  @Test("every row has a change, 0 if it is not known: Home Assistant's library and a watch face fail without one")
  func changes() throws {
    let rows = try ServedExample.values([(0, 130), (60, 100)]).json("/api/v1/entries.json").elements
    #expect(rows.map { $0["delta"].number } == [0, 0])
    #expect(try example.json("/sgv.json").elements.allSatisfy { $0["delta"].number != nil })
  }

  @Test("insulin on board, and raw values that would never change, are omitted")
  func leftOut() throws {
    for target in ["/api/v1/entries.json", "/sgv.json", "/pebble", "/api/v2/properties"] {
      let text = try example.answer(target).text
      for name in ["iob", "cob", "filtered", "unfiltered", "battery"] {
        #expect(!text.contains("\"\(name)\""), "\(target)")
      }
    }
  }

  @Test("two values give two rows, however close together they are")
  func twoRows() throws {
    let near = ServedExample.values([(0, 118), (1, 117), (2, 116)])
    for target in [
      "/sgv.json?count=2", "/api/v1/entries.json", "/api/v1/entries?count=2", "/pebble?count=47",
      "/api/v1/entries/sgv.json?count=1000&find[date][$gt]=1",
    ] {
      let json = try near.json(target, headers: ["Accept": "application/json"])
      let rows = target.hasPrefix("/pebble") ? json["bgs"].elements : json.elements
      #expect(rows.count == 2, "\(target)")
    }
    #expect(try near.times("/sgv.json") == ["11:05", "11:03"])
  }

  @Test("fifty full records are less than the 16 KB that a small display can hold")
  func size() throws { #expect(try example.answer("/api/v1/entries.json?count=50").body.count < 16_384) }

  @Test("an address with superfluous parts that a person typed is still answered, and no answer redirects a client")
  func typedAddresses() throws {
    for place in ["/api/v1", "/sgv.json", "/nightscout"] {
      let target = "\(place)/api/v1/entries.json"
      #expect(try example.answer(target).body == example.answer("/api/v1/entries.json").body, "\(target)")
    }
    for target in [
      "/api/v1/status.png", "/api/v1/status.svg", "/api/v1/status.html", "/api/v1/entries.html", "/pebble/",
    ] {
      #expect(try example.answer(target).status == 200, "\(target)")
    }
  }

  @Test("an expected array is always an array, also when it is empty")
  func emptyArrays() throws {
    let empty = ServedExample.values([])
    for target in [
      "v1/entries.json", "v1/entries/sgv.json", "v1/entries/current.json", "v1/treatments.json", "v1/devicestatus.json",
      "v1/food.json", "v2/profile", "v2/authorization/subjects", "v2/authorization/roles",
    ].map({ "/api/\($0)" }) + ["/sgv.json", "/treatments.json"] {
      #expect(try empty.answer(target, headers: ["Accept": "application/json"]).text == "[]", "\(target)")
    }
    #expect(
      try empty.answer("/api/v1/adminnotifies").text == #"{"status":200,"message":{"notifies":[],"notifyCount":0}}"#)
  }
}
