// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A program that asks for JSON gets JSON, also where something is wrong.
struct AnswersInJSONTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test(
    "without a store, standard output contains a libre.error/1",
    arguments: [
      ["latest", "--json"], ["history", "--json"], ["history", "--ndjson"], ["stats", "--json"], ["sensors", "--json"],
    ])
  func withoutStore(arguments: [String]) throws {
    let outcome = try sandbox.run(arguments)
    #expect(outcome.status == 66)
    let document = try outcome.json()
    #expect(document["schema"] == .string("libre.error/1") && document["code"] == .string("no_store"))
    #expect(outcome.errors.contains("  Try: "))
    if arguments.contains("--ndjson") { #expect(outcome.lines.count == 1) }
  }

  @Test("a user who asks for a table gets the error on standard error only")
  func tables() throws {
    let outcome = try sandbox.run("latest")
    #expect(outcome.status == 66 && outcome.output.isEmpty)
  }

  @Test("a missing user calibration is an error if an option asks for it, and a note if a setting asks for it")
  func userCalibration() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    #expect(try sandbox.run("import", "a.hex").status == 0)
    for command in [["history", "--from", "all"], ["stats", "--from", "all"], ["latest"], ["plot", "--from", "all"]] {
      let outcome = try sandbox.run(command + ["--calibration", "user"])
      #expect(outcome.status == 65, "\(command)")
      #expect(outcome.errors.contains("libre calibrate"), "\(outcome.errors)")
    }
    let set = try sandbox.run(["history", "--from", "all", "--csv"], environment: ["LIBRE_CALIBRATION": "user"])
    #expect(set.status == 0 && set.lines.count == 33)
    #expect(set.errors.contains("factory"), "\(set.errors)")
  }

  @Test("the value of a flagged sample appears only in model_glucose_mg_dl, in every output format")
  func flagged() throws {
    try sandbox.copy("low-signal.hex", to: "a.hex")
    let document = try sandbox.run("decode", "--json", "a.hex").json()
    let samples = document["history"].elements + document["trend"].elements
    let flagged = samples.filter { $0["quality"] != .string("ok") }
    #expect(flagged.contains { $0["model_glucose_mg_dl"].number != nil })
    #expect(flagged.allSatisfy { $0["glucose_mg_dl"] == .null })
    for sample in samples where sample["quality"] == .string("ok") {
      #expect(sample["glucose_mg_dl"] == sample["model_glucose_mg_dl"] && sample["glucose_mg_dl"].number != nil)
    }
    let csv = try sandbox.run("decode", "--csv", "a.hex").lines
    let columns = csv[0].split(separator: ",").map(String.init)
    let glucose = try #require(columns.firstIndex(of: "glucose_mg_dl"))
    let quality = try #require(columns.firstIndex(of: "quality"))
    let model = try #require(columns.firstIndex(of: "model_glucose_mg_dl"))
    let rows = csv.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    #expect(rows.allSatisfy { $0.count == columns.count })
    #expect(rows.allSatisfy { ($0[quality] == "ok") == !$0[glucose].isEmpty })
    #expect(rows.contains { $0[quality] != "ok" && !$0[model].isEmpty })
  }

  @Test("CSV of several memories gives for each memory its name, its time, and which data was salvaged")
  func severalMemories() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    let sound = try sandbox.run("decode", "--csv", "a.hex").lines
    #expect(sound[0].contains(",model_glucose_mg_dl,dump,read_at,salvaged,"), "\(sound[0])")
    #expect(sound[1].contains("Z,false,"), "\(sound[1])")
    try sandbox.copy("x-bad-body.hex", to: "b.hex")
    let salvaged = try sandbox.run("decode", "--csv", "--salvage", "b.hex").lines
    #expect(salvaged.count > 1 && salvaged.dropFirst().allSatisfy { $0.contains(",true,") })
  }
}
