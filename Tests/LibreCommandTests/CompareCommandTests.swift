// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

struct CompareCommandTests {
  private let sandbox = Sandbox.new(["active.hex": "dump.hex"])

  private func importDump() throws { try ImportedStore.copy(in: sandbox, readAt: "file") }

  private func compare(_ arguments: String...) throws -> Outcome { try sandbox.run(["compare"] + arguments) }

  /// The store's history, each value with its time, as a table of 10 mg/dL more.
  private func reference() throws {
    let history = try sandbox.run("history", "--store", "store.sqlite", "--from", "all", "--ndjson").ndjson()
    let rows = history.map { "\($0["time"].text ?? ""),\(($0["glucose_mg_dl"].number ?? 0) + 10)\n" }
    try sandbox.write("time,mg_dL\n" + rows.joined(), to: "reference.csv")
  }

  @Test("compare with a table gives the figures and zones of each calibration, the same in JSON and CSV")
  func table() throws {
    try importDump()
    try reference()
    let outcome = try compare("reference.csv", "--store", "store.sqlite", "--within", "0")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(
      outcome.lines.first == "Reference: reference.csv, 32 values; each is paired with a sensor value within 0 min")
    let factory = try #require(outcome.lines.first { $0.hasPrefix("factory ") })
    #expect(factory.split(separator: " ")[1...2] == ["32", "-10.0"])
    #expect(outcome.text.contains("Clarke error grid") && outcome.text.contains("Not for treatment decisions."))
    let document = try compare("reference.csv", "--store", "store.sqlite", "--within", "0", "--json").json()
    #expect(document["schema"] == .string("libre.comparison/1") && document["reference_count"] == .number(32))
    // The user's own only where there is one.
    #expect(document["models"].elements.map { $0["calibration"] } == [.string("factory"), .string("reader")])
    let figures = document["models"][0]
    #expect(figures["n"] == .number(32))
    // Where the trend has the minute too, it counts, and may be a count away.
    #expect(abs((figures["bias_mg_dl"].number ?? .infinity) + 10) < 0.05)
    let csv = try compare(
      "reference.csv", "--store", "store.sqlite", "--within", "0", "--csv", "--calibration", "factory")
    #expect(csv.lines.count == 33)
  }

  @Test("compare uses finger-sticks; without any it suggests what to do")
  func fingerSticks() throws {
    try importDump()
    let none = try compare("--store", "store.sqlite")
    #expect(none.status == 0 && none.errors.contains("nothing to compare with") && none.errors.contains("libre add"))
    let newest = try #require(
      try sandbox.run("history", "--store", "store.sqlite", "--from", "all", "--ndjson").ndjson().first)
    let time = try #require(newest["time"].text)
    try sandbox.done("add", "120", "--at", time, "--store", "store.sqlite")
    let outcome = try compare("--store", "store.sqlite", "--json")
    #expect(try outcome.json()["reference"] == .string("finger-sticks"))
    #expect(try outcome.json()["models"][0]["n"] == .number(1))
    // A reference that cannot be read is named, with the highest exit status.
    try sandbox.write("time,steps\n", to: "steps.csv")
    let bad = try compare("steps.csv", "missing.csv", "--store", "store.sqlite")
    #expect(bad.status == 66 && bad.errors.contains("steps.csv") && bad.errors.contains("missing.csv"))
  }
}
