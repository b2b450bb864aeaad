// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("Finger-sticks and sensor starts as treatments")
struct TreatmentsTests {
  private let example = ServedExample()

  @Test("a finger-stick is a BG Check in its own unit")
  func fingerStick() throws {
    #expect(
      try example.answer("/api/v1/treatments.json?count=1").text == """
        [{"_id":"65a1f0c2d4b37e08c9a10f23","eventType":"BG Check","created_at":"2026-01-01T10:58:00.000Z",\
        "timestamp":"2026-01-01T10:58:00.000Z","mills":1767265080000,"date":1767265080000,"glucose":6.2,\
        "glucoseType":"Finger","units":"mmol","enteredBy":"libre","utcOffset":0,"carbs":null,"insulin":null}]
        """)
    let second = try example.json("/api/v1/treatments.json")[1]
    #expect(second["glucose"].number == 104 && second["units"].text == "mg/dl")
  }

  @Test("a sensor's start has its time and serial number; treatments are newest first, and none is in the future")
  func sensorStart() throws {
    let found = try example.json("/api/v1/treatments?find[eventType]=Sensor%20Start&count=1").elements
    #expect(found.count == 1 && found[0]["created_at"].text == "2025-12-24T08:00:00.000Z")
    #expect(found[0]["notes"].text == "3MH00TEST01" && found[0]["_id"].text == "65a1f0c2d4b37e08c9a10f24")
    let kinds = try example.json("/api/v1/treatments.json").elements.map { $0["eventType"].text }
    #expect(kinds == ["BG Check", "BG Check", "Sensor Start"])
    var early = example
    early.now = Instant(rfc3339: "2026-01-01T10:57:59Z")!
    #expect(try early.json("/api/v1/treatments.json").elements.count == 2)
  }

  @Test(
    "treatments can be found by their time",
    arguments: [
      ("find[created_at][$gte]=2026-01-01T00:00:00Z", 1), ("find[created_at][$gt]=2026-01-01T10:58:00Z", 0),
      ("find[created_at][$gte]=2025-12-31", 2), ("find[created_at][$lte]=2025-12-31T21:00:00+01:00", 2),
      ("find[created_at][$lte]=2025-12-24", 0),
      ("find[created_at][$gte]=2026-01-01T00:00:00.000Z&find[eventType]=Sensor%20Change", 0),
    ])
  func dates(query: String, found: Int) throws {
    #expect(try example.json("/api/v1/treatments.json?\(query)").elements.count == found)
  }

  @Test("a request without a count gets a hundred, one with conditions gets a thousand")
  func usualCounts() throws {
    var example = example
    example.fingerSticks = (0..<1_200).map {
      ServedFingerStick(
        id: "00000000000000000000\(1_000 + $0)",
        time: ServedExample.newest.adding(minutes: -$0),
        concentration: GlucoseConcentration(milligramsPerDecilitre: 100), unit: .milligramsPerDecilitre, source: "libre"
      )
    }
    func count(_ target: String) throws -> Int { try example.json(target).elements.count }
    #expect(try count("/api/v1/treatments.json") == 100)
    #expect(try count("/api/v1/treatments.json?find[eventType]=BG%20Check") == 1_000)
    #expect(try count("/api/v1/treatments.json?count=1100") == 1_100)
    #expect(try count("/treatments.json") == 24)
    #expect(try count("/treatments.json?count=1100") == 100)
  }

  @Test("xDrip's address gives the date as a number, and fewer members")
  func xDrip() throws {
    let first = try example.json("/treatments.json")[0]
    #expect(first["created_at"].number == 1_767_265_080_000)
    #expect(
      first.keys == ["_id", "created_at", "eventType", "enteredBy", "carbs", "insulin"])
  }
}
