// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("xDrip's web service")
struct XDripTests {
  private let example = ServedExample()

  @Test("a request without a count gets twenty-four values, one with a count at most a thousand")
  func counts() throws {
    #expect(try example.values("/sgv.json").count == 24)
    #expect(try example.values("/sgv.json?count=3/").count == 3)
    #expect(try example.values("/sgv.json?count=x").count == 24)
    let long = ServedExample.values((0..<1_100).map { ($0 * 5, 100) })
    #expect(try long.values("/sgv.json?count=5000").count == 1_000)
  }

  @Test("the first row has the configured unit, and the values stay in mg/dL")
  func unitsHint() throws {
    for (unit, hint) in [(GlucoseUnit.milligramsPerDecilitre, "mgdl"), (.millimolesPerLitre, "mmol")] {
      var example = example
      example.unit = unit
      let rows = try example.json("/sgv.json?count=2")
      #expect(rows[0]["units_hint"].text == hint && rows[1]["units_hint"] == .null)
      #expect(rows[0]["sgv"].number == 118)
    }
  }

  @Test("brief mode has the members that a watch shows", arguments: ["Y", "true", ""])
  func brief(value: String) throws {
    let rows = try example.json("/sgv.json?brief_mode=\(value)&count=2")
    #expect(rows[1].keys == ["date", "sgv", "delta", "direction", "trend", "noise"])
    #expect(rows[0].keys == rows[1].keys.union(["units_hint"]))
  }

  @Test("without values the answer is an empty body on request")
  func empty() throws {
    let answer = try ServedExample.values([]).answer("/sgv.json?no_empty=Y")
    #expect(answer.body.isEmpty && answer.status == 200)
  }

  @Test(
    "steps, heart rate and tasker commands are accepted, and do nothing; the start of the sensor is given on request")
  func results() throws {
    let row = try example.json("/sgv.json?steps=5000&heart=61&tasker=x")[0]
    #expect(["steps_result", "heart_result", "tasker_result"].allSatisfy { row[$0].number == 200 })
    #expect(try example.json("/sgv.json")[0]["steps_result"] == .null)
    let rows = try example.json("/sgv.json?sensor=Y")
    #expect(rows[0]["sensor_status"].text == "24-12-25 08:00 (8d 3h)" && rows[1]["sensor_status"] == .null)
    #expect(try example.json("/sgv.json")[0]["sensor_status"] == .null)
  }

  @Test("paths of xDrip that would change data are not found")
  func writing() throws {
    for target in ["/steps/set/5", "/heart/set/61/1", "/tasker/x", "/sync/x", "/Libre2ConnectCode.json", "/sgv"] {
      #expect(try example.answer(target).status == 404)
    }
  }
}
