// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A program that asks for JSON gets JSON, also where something is wrong.
struct AnswersInJSONTests {
  private let sandbox = Sandbox.new()

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
    let table = try sandbox.run([arguments[0]])
    #expect(table.status == 66 && table.output.isEmpty)
  }

  @Test("a missing user calibration is an error if an option asks for it, and a note if a setting asks for it")
  func userCalibration() throws {
    try ImportedStore.copy(to: ImportedStore.standard, in: sandbox)
    for command in [["stats", "--from", "all"], ["latest"]] {
      let outcome = try sandbox.run(command + ["--calibration", "user"])
      #expect(outcome.status == 65 && outcome.errors.contains("libre calibrate"), "\(command): \(outcome.errors)")
    }
    let set = try sandbox.run(["history", "--from", "all", "--csv"], environment: ["LIBRE_CALIBRATION": "user"])
    #expect(set.status == 0 && set.lines.count == 33)
    #expect(set.errors.contains("factory"), "\(set.errors)")
  }
}
