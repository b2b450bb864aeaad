// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("libre compare --official") struct OfficialComparisonTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func index(_ text: String) throws { try sandbox.write(text, to: "official/INDEX.json") }

  @Test("compares each calibration with the values of an index, in whole mg/dL, for each sensor")
  func values() throws {
    try sandbox.copy("active.hex", to: "official/scan.hex")
    let reading = try sandbox.run("decode", "official/scan.hex", "--json", "--calibration", "reader").json()
    let second = reading["history"][1]
    let value = try #require(second["glucose_mg_dl"].number)
    let minute = Int(try #require(second["minute"].number))
    let newest = Int(try #require(reading["history"][0]["minute"].number))
    try index(
      """
      {"vectors": [{"file": "nothing.bin"}, {"file": "scan.hex", "official": {
        "history": [{"minute": \(minute), "mgdl": \(value.rounded())}, {"minute": \(minute - 15), "mgdl": 9999}],
        "historyErrors": [{"minute": \(newest)}]}}]}
      """)
    let outcome = try sandbox.run("compare", "--official", "official", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let document = try outcome.json()
    let reader = try #require(
      document["official"].elements.first { $0["model"]["calibration"] == .string("reader") })
    #expect(
      reader["values"] == .string("history") && reader["equal"] == .number(1) && reader["model"]["n"] == .number(2))
    #expect(document["official_errors_without_value"]["reader"] == .number(1))
    let text = try sandbox.run("compare", "--official", "official").text
    #expect(text.contains("scan.hex") && text.contains("2 official values"))
  }

  @Test("a directory without an index, and one with other JSON, are refused by name")
  func refused() throws {
    try sandbox.copy("active.hex", to: "official/scan.hex")
    let missing = try sandbox.run("compare", "--official", "official")
    #expect(missing.status == 66 && missing.errors.contains("official/INDEX.json"), "\(missing.errors)")
    try index("[1, 2]")
    let wrong = try sandbox.run("compare", "--official", "official")
    #expect(wrong.status == 66 && wrong.errors.contains("invalid index of official values"), "\(wrong.errors)")
    #expect(try sandbox.run("compare", "--official").status == 64)
    #expect(try sandbox.run("compare", "--official", "--memories", "official").status == 64)
  }

  @Test(
    "all public values are equal with the reader's calibration",
    .enabled(if: ReferenceDumps.areLaterPresent, "\(ReferenceDumps.absence)"))
  func reference() throws {
    let folders = [ReferenceDumps.folder.path, ReferenceDumps.laterFolder.path]
    let document = try sandbox.run(["compare", "--official", "--json"] + folders).json()
    let reader = document["official"].elements.filter { $0["model"]["calibration"] == .string("reader") }
    #expect(reader.count == 6 && reader.allSatisfy { $0["equal"] == $0["model"]["n"] })
    #expect(reader.reduce(0) { $0 + ($1["equal"].number ?? 0) } == 200)
  }
}
