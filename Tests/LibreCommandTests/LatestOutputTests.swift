// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing
import TextFormats

@testable import CommandSupport
@testable import LibreDocuments
@testable import LibreKit
@testable import SensorHistory

struct LatestOutputTests {
  private func value(
    ageMinutes: Int? = 3, rate: Double? = 1.25, change: Double? = 18.0182, glucose: Double = 104.4,
    serial: String = "0M00009DHCR"
  ) throws -> LatestValue {
    let time = try #require(Instant(rfc3339: "2024-05-02T10:15:00Z"))
    let concentration = GlucoseConcentration(milligramsPerDecilitre: glucose)
    let raw = RawSample(
      ring: .trend, minute: SensorMinute(545), glucose: 1_300, temperature: 6_500, temperatureAdjustment: -8,
      hasError: false, errorField: 800, isNeverWritten: false)
    let uid = try SensorUID(printed: "E007A0000025905E")
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: 32, concentration: concentration, quality: .ok,
      time: ageMinutes == nil ? nil : time)
    let sensor = SensorIdentity(uid: uid, fingerprint: nil, serial: serial, family: .libre1)
    return LatestValue(
      entry: .sensor(StoredSample(sensor: sensor, wear: 1, sample: sample, calibration: nil, isSalvaged: false)),
      concentration: concentration, change: change,
      current: CurrentGlucose(minute: raw.minute, concentration: concentration, ratePerMinute: rate),
      condition: SensorCondition(
        WearFacts(
          sensor, activatedAt: ageMinutes == nil ? nil : time.adding(minutes: -545), maxLifeMinutes: 20_630,
          lastState: .active, lastAgeMinutes: 545, lastReadAt: time), now: time.adding(minutes: ageMinutes ?? 0)),
      ageMinutes: ageMinutes)
  }

  private func line(_ template: String, _ value: LatestValue, _ unit: GlucoseUnit = .milligramsPerDecilitre) throws
    -> String
  {
    try LatestTemplate(template).text(of: value, unit: unit)
  }

  @Test("every placeholder of a template is replaced")
  func placeholders() throws {
    let value = try value()
    #expect(try line("{mgdl} {mmol} {value} {unit}", value) == "104 5.8 104 mg/dL")
    #expect(try line("{value} {unit} {delta}", value, .millimolesPerLitre) == "5.8 mmol/L +1.0")
    #expect(try line("{arrow} {direction} {delta}", value) == "↗ FortyFiveUp +18")
    #expect(try line("{age}|{age_minutes}|{stale}|{state}|{serial}", value) == "3 min ago|3||active|0M00009DHCR")
    #expect(try line("{time}", value).hasPrefix("2024-05-02 "))
    #expect(try line("{delta}", try self.value(change: -4.6)) == "-5")
    #expect(try line("[{delta}]", try self.value(change: nil)) == "[]")
    // Other braces stay, so that a line can be JSON.
    #expect(try line(#"{"text": "{mgdl} {arrow}", "n": {}}"#, value) == #"{"text": "104 ↗", "n": {}}"#)
    #expect(try line("{{mgdl}} } {", value) == "{104} } {")
    #expect(throws: LatestTemplate.UnknownPlaceholder.self) { try LatestTemplate("{mgdl} {glucose}") }
    #expect(LatestTemplate.names.contains("{age_minutes}"))
    // A line always marks a stale value.
    let stale = try self.value(ageMinutes: 21, rate: nil)
    #expect(try line("{mgdl} {arrow}", stale) == "104 – STALE")
    #expect(try line("{mgdl} {stale}", stale) == "104 STALE")
    #expect(try line("{mgdl} {age}", stale) == "104 21 min ago")
    #expect(try line("{mgdl}", try self.value(ageMinutes: nil, rate: nil)) == "104 STALE")
  }

  @Test("a status bar gets the value, its arrow, and its state: low, high, stale or none")
  func bars() throws {
    func line(_ bar: LatestBar, _ value: LatestValue?, _ unit: GlucoseUnit = .milligramsPerDecilitre) -> String {
      bar.line(of: value, unit: unit, reason: "nothing was read yet")
    }
    let (fresh, low, high) = (try value(), try value(rate: -2.5, glucose: 62), try value(rate: nil, glucose: 180.4))
    let stale = try value(ageMinutes: 192, rate: nil)
    #expect(
      [fresh, low, high, stale].map { line(.tmux, $0) } == [
        "104 ↗", "#[fg=red]62 ↓#[default]", "#[fg=yellow]180#[default]",
        "#[fg=colour244]STALE 104, 3 h 12 min ago#[default]",
      ])
    #expect(
      [fresh, low, high, stale].map { line(.polybar, $0, .millimolesPerLitre) } == [
        "5.8 ↗", "%{F#e5534b}3.4 ↓%{F-}", "%{F#d9a441}10.0%{F-}", "%{F#808080}STALE 5.8, 3 h 12 min ago%{F-}",
      ])
    #expect(line(.tmux, nil) == "#[fg=colour244]no value#[default]")
    #expect(line(.polybar, try value(ageMinutes: nil, rate: nil)) == "%{F#808080}STALE 104, time unknown%{F-}")
    let none = try JSONValue(parsing: line(.waybar, nil).utf8)
    #expect(none["text"].text == "no value" && none["class"].text == "none" && none["alt"].text == "none")
    #expect(none["tooltip"].text == "nothing was read yet")
    let classes = try [fresh, low, high, stale].map { try JSONValue(parsing: line(.waybar, $0).utf8)["class"].text }
    #expect(classes == ["ok", "low", "high", "stale"])
    // The limits of the range are part of the range.
    let levels = try [69.9, 70, 180, 180.1].map { LatestBar.Level(try value(glucose: $0)) }
    #expect(levels == [.low, .ok, .ok, .high])
  }

  @Test("names from outside cannot add markup or formatting to a status bar")
  func hostileBarNames() throws {
    let hostile = try value(serial: "<b>&\u{1B}[31m\n%{F#000}#[fg=red]\"")
    let bar = try JSONValue(parsing: LatestBar.waybar.line(of: hostile, unit: .milligramsPerDecilitre).utf8)
    let tooltip = try #require(bar["tooltip"].text)
    #expect(tooltip.contains("&lt;b&gt;&amp;?[31m?%{F#000}#[fg=red]\""))
    #expect(tooltip.split(separator: "\n").count == 3 && !tooltip.contains("<"))
    #expect(tooltip.hasPrefix("104 mg/dL ↗  (5.8 mmol/L)  3 min ago, 2024-05-02 "))
    #expect(bar["text"].text == "104 ↗" && bar["alt"].text == "FortyFiveUp")
    for bar in [LatestBar.polybar, .tmux] {
      #expect(bar.line(of: hostile, unit: .milligramsPerDecilitre) == "104 ↗")
    }
    // The < or > of another program's value is kept, and is not markup.
    let time = try #require(Instant(rfc3339: "2024-05-02T10:15:00Z"))
    let limitedValue = LatestValue(
      entry: .imported(
        ImportedSample(
          source: "a <b>", device: nil, ring: .history, time: time,
          concentration: GlucoseConcentration(milligramsPerDecilitre: 40), bound: .low)),
      concentration: GlucoseConcentration(milligramsPerDecilitre: 40), change: nil,
      current: nil, condition: nil, ageMinutes: 1)
    let limited = try JSONValue(parsing: LatestBar.waybar.line(of: limitedValue, unit: .milligramsPerDecilitre).utf8)
    #expect(limited["text"].text == "&lt;40" && limited["class"].text == "low")
    #expect(LatestBar.tmux.line(of: limitedValue, unit: .milligramsPerDecilitre) == "#[fg=red]<40#[default]")
  }

  @Test("the table has value, arrow, both units, age, change, rate and sensor")
  func table() throws {
    let text = LatestText.text(of: try value(), unit: .milligramsPerDecilitre, style: Style(isColored: false))
    let lines = text.split(separator: "\n")
    #expect(lines[0].hasPrefix("104 mg/dL ↗  (5.8 mmol/L)  3 min ago, 2024-05-02 "))
    #expect(lines[1] == "  +18 mg/dL in 15 min, +1.25 mg/dL per minute")
    #expect(lines[2].hasPrefix("  FreeStyle Libre 0M00009DHCR: active, ends 2024-05-1"))
    #expect(lines[3] == "\(Program.disclaimer)")
    // A stale value begins with the word stale and has no arrow.
    let stale = LatestText.text(
      of: try value(ageMinutes: 192, rate: nil), unit: .millimolesPerLitre, style: Style(isColored: false))
    #expect(stale.hasPrefix("STALE  5.8 mmol/L  (104 mg/dL)  3 h 12 min ago, 2024-05-02 "))
    #expect(!stale.contains("↗") && !stale.contains("→") && !stale.contains("–  "))
  }

  @Test("the document has the value, its details, and whether it is stale")
  func document() throws {
    var writer = JSONWriter(indented: true)
    LatestJSON.write(try value(rate: 1.234_56), to: &writer)
    let json = try JSONValue(parsing: writer.bytes)
    #expect(json["schema"] == .string("libre.latest/1"))
    #expect(json["time"] == .string("2024-05-02T10:15:00Z"))
    #expect(json["age_minutes"] == .number(3) && json["stale"] == .bool(false))
    #expect(json["glucose_mg_dl"] == .number(104.4) && json["glucose_mmol_l"] == .number(5.7941))
    #expect(json["rate_mg_dl_per_min"] == .number(1.2346) && json["direction"] == .string("FortyFiveUp"))
    #expect(json["change_15_min_mg_dl"] == .number(18.0182))
    #expect(json["sensor"]["state_now"] == .string("active"))
    #expect(json["sample"]["schema"] == .string("libre.sample/1") && json["sample"]["minute"] == .number(545))
  }
}
