// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct LatestCommandTests {
  private let sandbox = Sandbox.new()

  private func latest(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try sandbox.run(["latest", "--store", "store.sqlite"] + arguments, environment: environment)
  }

  /// Reads a simulated sensor by this computer's clock into the store.
  @discardableResult private func read(_ scenario: String) throws -> JSONValue {
    try sandbox.run("read", "--json", "--reader", "sim:\(scenario)", "--store", "store.sqlite").json()
  }

  @Test("latest shows the value of the last read, with its arrow, in both units")
  func fresh() throws {
    let current = try read("active")["current"]
    let outcome = try latest()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.text.contains(/^[0-9]+ mg\/dL \S  \([0-9]+\.[0-9] mmol\/L\)  [0-9a-z ]+, 20/))
    // A chart of the last eight hours, as read has one.
    #expect(outcome.lines.contains { $0.contains(#/^[▁▂▃▄▅▆▇█·]{32} /#) })
    #expect(outcome.text.contains("Not for treatment decisions."))
    let json = try latest("--json").json()
    #expect(json["glucose_mg_dl"] == current["glucose_mg_dl"])
    #expect(json["rate_mg_dl_per_min"] == current["rate_mg_dl_per_min"] && json["direction"] == current["direction"])
    #expect(json["stale"] == .bool(false) && json["sensor"]["state_now"] == .string("active"))
    let value = try #require(current["glucose_mg_dl"].number)
    let line = try latest("--template", "{value} {unit}|{stale}|{state}", environment: ["LIBRE_UNIT": "mmol/L"])
    #expect(line.text == String(format: "%.1f mmol/L||active\n", value / 18.0182))
    let unknown = try latest("--template", "{glucose}")
    #expect(unknown.status == 64 && unknown.errors.contains("{age_minutes}") && unknown.errors.contains("{glucose}"))
  }

  @Test("a finger-stick that is newer than the value stands beside it, and an older one does not")
  func fingerStick() throws {
    let store = ["--store", "store.sqlite"]
    try sandbox.done("simulate", "--format", "raw", "--out", "a.bin")
    try sandbox.done(["import", "a.bin", "--read-at", "-10m", "--uid", "E007A0000025905E"] + store)
    try sandbox.done(["add", "61", "--at", "-3h"] + store)
    #expect(try !latest().text.contains("finger-stick"))
    try sandbox.done(["add", "52"] + store)
    #expect(try latest().text.contains(/\n  finger-stick 52 mg\/dL, 20/))
  }

  @Test("a status bar always gets a line, also without a value, but not for a damaged store")
  func bar() throws {
    let missing = try latest("--format", "waybar")
    #expect(missing.status == 0 && missing.errors.isEmpty)
    #expect(try missing.json()["class"] == .string("none") && missing.json()["tooltip"].text?.isEmpty == false)
    try read("warming-up")
    #expect(try latest("--format", "tmux").text == "#[fg=colour244]no value#[default]\n")
    let value = try #require(try read("active")["current"]["glucose_mg_dl"].number)
    let fresh = try latest("--format", "waybar")
    #expect(fresh.lines.count == 1)
    #expect(try fresh.json()["text"].text?.hasPrefix("\(Int(value.rounded())) ") == true)
    try sandbox.write("no database", to: "text.sqlite")
    #expect(try sandbox.run("latest", "--store", "text.sqlite", "--format", "tmux").status == 74)
  }

  @Test("without a usable value, the status is 66 and the error suggests a fix")
  func nothing() throws {
    try read("warming-up")
    let none = try latest("--json")
    #expect(try none.status == 66 && none.json()["code"] == .string("no_value"))
    #expect(none.errors.contains("no usable glucose value yet") && none.errors.contains("\n  Try: libre read"))
  }
}
