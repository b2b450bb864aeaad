// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("Nightscout's properties")
struct PropertiesTests {
  private let example = ServedExample()

  @Test("include the newest value, the buckets, the change and the direction")
  func all() throws {
    let found = try example.json("/api/v2/properties")
    #expect(found.keys == ["bgnow", "buckets", "delta", "direction"])
    #expect(found["bgnow"]["last"].number == 118 && found["bgnow"]["mills"].number == 1_767_265_500_000)
    let sgv = found["bgnow"]["sgvs"][0]
    #expect(sgv["mgdl"].number == 118 && sgv["direction"].text == "Flat" && sgv["type"].text == "sgv")
    #expect(sgv["_id"].text == "000000000000000000000000" && sgv["scaled"].number == 118)
  }

  @Test("use buckets of five minutes, with the newest value in the middle of the first")
  func buckets() throws {
    let buckets = try example.json("/api/v2/properties/buckets")["buckets"].elements
    #expect(buckets.map { $0["index"].number } == [0, 1, 2, 3])
    #expect(buckets.map { $0["fromMills"].number } == [0, 1, 2, 3].map { 1_767_265_350_000 - 300_000 * $0 })
    #expect(buckets.allSatisfy { $0["toMills"].number! - $0["fromMills"].number! == 300_000 })
    // 11:03 to 11:05; 10:58 to 11:02.
    #expect(buckets.map { $0["sgvs"].elements.count } == [3, 5, 5, 3])
    #expect(buckets[1]["last"].number == 116 && buckets[1]["mean"].number == 115)
    let alone = try ServedExample.values([(0, 118), (15, 100)]).json("/api/v2/properties/buckets")["buckets"]
    #expect(alone[1].keys == ["index", "fromMills", "toMills", "isEmpty"] && alone[3]["last"].number == 100)
  }

  @Test("are limited to the requested names, and an unknown name is ignored")
  func names() throws {
    let target = "/api/v2/properties/iob,cob,delta,basal"
    #expect(try example.json(target).keys == ["delta"])
    #expect(try example.answer("/api/v2/properties/dbsize").text == "{}")
    #expect(try example.answer("/api/v2/properties/delta?pretty").text.contains("\n  \"delta\": {\n"))
  }

  @Test("give the change as a whole number in mg/dL, and as text with a sign in the configured unit")
  func delta() throws {
    let delta = try example.json("/api/v2/properties/delta")["delta"]
    #expect(delta["mgdl"].number == 4 && delta["display"].text == "+4" && delta["interpolated"] == .bool(false))
    #expect(delta["elapsedMins"].number == 5 && delta["absolute"].number == 3)
    #expect(delta["times"]["previous"].number == 1_767_265_200_000)
    var falling = ServedExample.values([(0, 118), (5, 123)])
    falling.unit = .millimolesPerLitre
    let shown = try falling.json("/api/v2/properties/delta")["delta"]
    #expect(shown["mgdl"].number == -5 && shown["display"].text == "-0.3" && shown["scaled"].number == -0.3)
  }

  @Test("of history alone have a change that is marked as interpolated, and none without a value in the last half hour")
  func interpolated() throws {
    let delta = try ServedExample.values([(0, 130), (15, 100)]).json("/api/v2/properties/delta")["delta"]
    #expect(delta["mgdl"].number == 10 && delta["interpolated"] == .bool(true) && delta["mean5MinsAgo"].number == 120)
    #expect(delta["absolute"].number == 30 && delta["elapsedMins"].number == 15)
    for minutes in [45, 2] {
      let found = try ServedExample.values([(0, 130), (minutes, 100)]).json("/api/v2/properties")
      #expect(!found.keys.contains("delta"), "\(minutes)")
    }
  }

  @Test("give a direction with its arrow and its HTML character, and none for a value older than a quarter of an hour")
  func oldDirection() throws {
    var later = example
    later.now = ServedExample.newest.adding(minutes: 15)
    #expect(
      try later.answer("/api/v2/properties/direction").text
        == ##"{"direction":{"display":null,"value":"Flat","label":"→","entity":"&#8594;"}}"##)
    later.now = ServedExample.newest.adding(minutes: 16)
    #expect(try later.answer("/api/v2/properties/direction").text == "{}")
  }
}

@Suite("The pebble address")
struct PebbleTests {
  private let example = ServedExample()

  @Test("has values as text in mg/dL, and only the first has the change")
  func milligrams() throws {
    #expect(
      try example.answer("/pebble?count=2").text == """
        {"status":[{"now":1767265570000}],"bgs":[\
        {"sgv":"118","trend":4,"direction":"Flat","datetime":1767265500000,"bgdelta":4},\
        {"sgv":"115","trend":4,"direction":"Flat","datetime":1767265200000}],"cals":[]}
        """)
  }

  @Test("in mmol/L has the value and the change as text with one decimal")
  func millimoles() throws {
    var example = example
    for (target, unit) in [
      ("/pebble?units=mmol", GlucoseUnit.milligramsPerDecilitre), ("/pebble", .millimolesPerLitre),
    ] {
      example.unit = unit
      let row = try example.json(target)["bgs"][0]
      #expect(row["sgv"].text == "6.5" && row["bgdelta"].text == "0.2")
    }
    example.unit = .millimolesPerLitre
    #expect(try example.json("/pebble?units=mg/dl")["bgs"][0]["sgv"].text == "118")
  }

  @Test("without a count has one value, and a change of 0 if it is not known")
  func one() throws {
    #expect(try example.json("/pebble")["bgs"].elements.count == 1)
    let alone = try ServedExample.values([(0, 118)]).json("/pebble?count=3")["bgs"]
    #expect(alone.elements.count == 1 && alone[0]["bgdelta"].number == 0 && alone[0]["direction"].text == "NONE")
    #expect(try ServedExample.values([]).json("/pebble")["bgs"].elements.isEmpty)
  }
}
