// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("libre compare --official") struct OfficialComparisonTests {
  private let sandbox = Sandbox.new(["active.hex": "official/scan.hex"])

  /// Gives the dump these official values.
  private func index(_ official: String) throws {
    try sandbox.write(
      #"{"vectors": [{"file": "nothing.bin"}, {"file": "scan.hex", "official": \#(official)}]}"#,
      to: "official/INDEX.json")
  }

  /// The values of the history by the reader's calibration, with their minutes.
  private func history() throws -> [(minute: Int, value: Double)] {
    try sandbox.run("decode", "official/scan.hex", "--json", "--calibration", "reader").json()["history"].elements
      .compactMap { sample in sample["glucose_mg_dl"].number.map { (Int(sample["minute"].number ?? 0), $0) } }
  }

  private func compare() throws -> JSONValue {
    let outcome = try sandbox.done("compare", "--official", "official", "--json")
    return try outcome.json()
  }

  @Test("compares each calibration with the values of an index, in whole mg/dL, for each sensor")
  func values() throws {
    // The newest record has no value by this calibration.
    let (minute, value) = try #require(try history().first)
    try index(
      """
      {"history": [{"minute": \(minute), "mgdl": \(value.rounded())}, {"minute": \(minute - 15), "mgdl": 9999}],
       "historyErrors": [{"minute": \(minute + 15)}]}
      """)
    let document = try compare()
    let reader = try #require(
      document["official"].elements.first { $0["model"]["calibration"] == .string("reader") })
    #expect(
      reader["values"] == .string("history") && reader["equal"] == .number(1) && reader["model"]["n"] == .number(2))
    #expect(document["official_errors_without_value"]["reader"] == .number(1))
    let text = try sandbox.run("compare", "--official", "official").text
    #expect(text.contains("scan.hex") && text.contains("2 official values"))
    #expect(text.contains("reader gives the values of LibreLink 1.3 to 2.4") && text.contains("4 to 6 mg/dL more"))
  }

  @Test("a directory without an index, or with other JSON, is refused by name, and one without values is reported")
  func refused() throws {
    let missing = try sandbox.run("compare", "--official", "official")
    #expect(missing.status == 66 && missing.errors.contains("official/INDEX.json"), "\(missing.errors)")
    try sandbox.write("[1, 2]", to: "official/INDEX.json")
    let wrong = try sandbox.run("compare", "--official", "official")
    #expect(wrong.status == 66 && wrong.errors.contains("invalid index of official values"), "\(wrong.errors)")
    #expect(try sandbox.run("compare", "--official").status == 64)
    try sandbox.write(#"{"vectors": [{"file": "scan.hex"}]}"#, to: "official/INDEX.json")
    let none = try sandbox.run("compare", "--official", "official")
    #expect(none.status == 0 && none.errors.contains("no official value belongs to a memory"), "\(none.errors)")
  }

  @Test("names the version of the official software that gives the values, and says so if none does")
  func software() throws {
    let history = try history()
    try #require(history.count > 20)
    for (added, fits) in [(0.9, true), (1.1, false)] {
      let pairs = history.map { "[\($0.minute), \($0.value + added)]" }
      try index(#"{"history_float32": [\#(pairs.joined(separator: ", "))]}"#)
      let software = try compare()["software"].elements
      #expect(software.map { $0["software"].text } == ["LibreLink 1.3 to 2.4", "US Libre 2 app 2.7.2"])
      #expect(software.map { $0["fits"] } == [.bool(fits), .bool(false)], "\(added)")
      let text = try sandbox.run("compare", "--official", "official").text
      #expect(text.contains("no known software gives these values") == !fits, "\(text)")
      #expect(text.contains("Help to find the formula") == !fits)
    }
    // Fewer than five values are not enough to name a version.
    for (count, fits) in [(4, false), (5, true)] {
      let values = history.prefix(count).map { #"{"minute": \#($0.minute), "mgdl": \#($0.value.rounded())}"# }
      try index(#"{"history": [\#(values.joined(separator: ", "))]}"#)
      #expect(try compare()["software"].elements.first?["fits"] == .bool(fits), "\(count)")
    }
  }

  @Test("--csv writes each value by the sensor's minute and in the order of values, without names and times")
  func csv() throws {
    try index(
      """
      {"history": [{"minute": 15690, "mgdl": 190}, {"minute": 15675, "mgdl": 80}], "current": {"mgdl": 120}}
      """)
    let text = try sandbox.run("compare", "--official", "official", "--csv", "--calibration", "factory").text
    let rows = text.split(whereSeparator: \.isNewline).map { $0.split(separator: ",").map(String.init) }
    try #require(rows.first == ["sensor", "values", "model", "minute", "official_mg_dl", "model_mg_dl"], "\(text)")
    let factory = rows.filter { $0[2] == "factory" }
    #expect(
      factory.map { $0[3] }.prefix(2) == ["15675", "15690"] && factory.map { $0[1] }.last == "current", "\(text)")
    #expect(rows.contains { $0[2] == "US Libre 2 app 2.7.2" } && rows.dropFirst().allSatisfy { $0[0] == "1" })
    #expect(!text.contains("scan") && !text.contains(":"))
  }
}
