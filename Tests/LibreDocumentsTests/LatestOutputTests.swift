// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing
import TextFormats

@testable import LibreDocuments
@testable import LibreKit

struct LatestOutputTests {
  private func value(ageMinutes: Int? = 3, rate: Double? = 1.25, change: Double? = 18.0182) throws -> LatestValue {
    let time = try #require(Instant(rfc3339: "2024-05-02T10:15:00Z"))
    let concentration = GlucoseConcentration(milligramsPerDecilitre: 104.4)
    let raw = RawSample(
      ring: .trend, minute: SensorMinute(545), glucose: 1_300, temperature: 6_500, temperatureAdjustment: -8,
      hasError: false, errorField: 800, isNeverWritten: false)
    let uid = try SensorUID(printed: "E007A0000025905E")
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: 32, concentration: concentration, quality: .ok,
      time: ageMinutes == nil ? nil : time,
      id: nil)
    let sensor = SensorIdentity(uid: uid, fingerprint: nil, serial: "0M00009DHCR", family: .libre1)
    return LatestValue(
      entry: .sensor(StoredSample(sensor: sensor, wear: 1, sample: sample, calibration: nil, isSalvaged: false)),
      concentration: concentration, change: change, ratePerMinute: rate,
      condition: SensorCondition(
        lastState: .active, ageMinutes: 545, activatedAt: ageMinutes == nil ? nil : time.adding(minutes: -545),
        maxLifeMinutes: 20_630, now: time.adding(minutes: ageMinutes ?? 0)), lastReadAt: time, ageMinutes: ageMinutes)
  }

  private func line(_ template: String, _ value: LatestValue, _ unit: GlucoseUnit = .milligramsPerDecilitre) throws
    -> String
  {
    try LatestTemplate(template).text(of: value, unit: unit)
  }

  // MARK: Template

  @Test("every placeholder of a template")
  func placeholders() throws {
    let value = try value()
    #expect(try line("{mgdl} {mmol} {value} {unit}", value) == "104 5.8 104 mg/dL")
    #expect(try line("{value} {unit} {delta}", value, .millimolesPerLitre) == "5.8 mmol/L +1.0")
    #expect(try line("{arrow} {direction} {delta}", value) == "↗ FortyFiveUp +18")
    #expect(try line("{age}|{age_minutes}|{stale}|{state}|{serial}", value) == "3 min ago|3||active|0M00009DHCR")
    #expect(try line("{time}", value).hasPrefix("2024-05-02 "))
    #expect(try line("{delta}", try self.value(change: -4.6)) == "-5")
    #expect(try line("[{delta}]", try self.value(change: nil)) == "[]")
  }

  @Test("braces that hold no name stand for themselves, so that a line may be JSON")
  func braces() throws {
    #expect(try line(#"{"text": "{mgdl} {arrow}", "n": {}}"#, try value()) == #"{"text": "104 ↗", "n": {}}"#)
    #expect(try line("{{mgdl}} } {", try value()) == "{104} } {")
  }

  @Test("a placeholder that there is not is named")
  func unknown() {
    #expect(throws: LatestTemplate.UnknownPlaceholder.self) { try LatestTemplate("{mgdl} {glucose}") }
    #expect(LatestTemplate.names.contains("{age_minutes}"))
  }

  @Test("a line never shows a stale value without saying so")
  func staleLine() throws {
    let stale = try value(ageMinutes: 21, rate: nil)
    #expect(try line("{mgdl} {arrow}", stale) == "104 – STALE")
    #expect(try line("{mgdl} {stale}", stale) == "104 STALE")
    #expect(try line("{mgdl} {age}", stale) == "104 21 min ago")
    #expect(try line("{mgdl}", try value(ageMinutes: nil, rate: nil)) == "104 STALE")
  }

  // MARK: Table and JSON

  @Test("the table has value, arrow, both units, age, change, rate and the sensor")
  func table() throws {
    let text = LatestText.text(of: try value(), unit: .milligramsPerDecilitre, style: Style(isColored: false))
    let lines = text.split(separator: "\n")
    #expect(lines[0].hasPrefix("104 mg/dL ↗  (5.8 mmol/L)  3 min ago, 2024-05-02 "))
    #expect(lines[1] == "  +18 mg/dL in 15 min, +1.25 mg/dL a minute")
    #expect(lines[2].hasPrefix("  FreeStyle Libre 0M00009DHCR: active, ends 2024-05-1"))
    #expect(lines[3] == "\(Program.disclaimer)")
  }

  @Test("the table of a stale value begins with that word and has no arrow")
  func staleTable() throws {
    let text = LatestText.text(
      of: try value(ageMinutes: 192, rate: nil), unit: .millimolesPerLitre, style: Style(isColored: false))
    #expect(text.hasPrefix("STALE  5.8 mmol/L  (104 mg/dL)  3 h 12 min ago, 2024-05-02 "))
    #expect(!text.contains("↗") && !text.contains("→") && !text.contains("–  "))
  }

  @Test("the document has the value, what it was, and whether it is stale")
  func document() throws {
    var writer = JSONWriter(indented: true)
    LatestJSON.write(try value(), to: &writer)
    let json = try JSONValue(parsing: writer.bytes)
    #expect(json["schema"] == .string("libre.latest/1"))
    #expect(json["time"] == .string("2024-05-02T10:15:00Z"))
    #expect(json["age_minutes"] == .number(3) && json["stale"] == .bool(false))
    #expect(json["glucose_mg_dl"] == .number(104.4) && json["glucose_mmol_l"] == .number(5.7941))
    #expect(json["rate_mg_dl_per_min"] == .number(1.25) && json["direction"] == .string("FortyFiveUp"))
    #expect(json["change_15_min_mg_dl"] == .number(18.0182))
    #expect(json["sensor"]["state_now"] == .string("active"))
    #expect(json["sample"]["schema"] == .string("libre.sample/1") && json["sample"]["minute"] == .number(545))
  }
}
