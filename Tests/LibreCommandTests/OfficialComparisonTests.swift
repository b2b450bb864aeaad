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
    #expect(text.contains("reader gives the values of LibreLink 1.3 to 2.4") && text.contains("4 to 6 mg/dL more"))
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
    // The values of another version are a known difference (OfficialValuesTests).
    let others = reader.filter { $0["sensor"].text?.contains("juggluco") == true }
    #expect(others.map { $0["equal"] } == [.number(0)] && others.map { $0["model"]["n"] } == [.number(31)])
    let equal = reader.filter { $0["sensor"].text?.contains("juggluco") != true }
    #expect(equal.count == 6 && equal.allSatisfy { $0["equal"] == $0["model"]["n"] })
    #expect(equal.reduce(0) { $0 + ($1["equal"].number ?? 0) } == 200)
    let software = Dictionary(grouping: document["software"].elements) { $0["software"].text ?? "?" }
    #expect(software["LibreLink 1.3 to 2.4"]?.filter { $0["fits"] == .bool(true) }.map { $0["n"] }.count == 2)
    let app = software["US Libre 2 app 2.7.2"]?.filter { $0["fits"] == .bool(true) } ?? []
    #expect(app.map { $0["n"] } == [.number(31)] && app[0]["sensor"].text?.contains("juggluco") == true, "\(app)")
  }

  @Test("names the version of the official software that gives the values, and says so if none does")
  func software() throws {
    try sandbox.copy("active.hex", to: "official/scan.hex")
    let reading = try sandbox.run("decode", "official/scan.hex", "--json", "--calibration", "reader").json()
    let history = reading["history"].elements.filter { $0["glucose_mg_dl"].number != nil }
    try #require(history.count > 20)
    for (added, fits) in [(0.0, true), (0.9, true), (1.1, false)] {
      let pairs = history.map { "[\(Int($0["minute"].number ?? 0)), \(($0["glucose_mg_dl"].number ?? 0) + added)]" }
      try index(
        """
        {"vectors": [{"file": "scan.hex", "official": {"history_float32": [\(pairs.joined(separator: ", "))]}}]}
        """)
      let software = try sandbox.run("compare", "--official", "official", "--json").json()["software"].elements
      #expect(software.map { $0["software"].text } == ["LibreLink 1.3 to 2.4", "US Libre 2 app 2.7.2"])
      #expect(software.map { $0["fits"] } == [.bool(fits), .bool(false)], "\(added)")
      #expect(abs((software[0]["bias_mg_dl"].number ?? .nan) + added) < 0.001)
      let text = try sandbox.run("compare", "--official", "official").text
      #expect(text.contains("no known software gives these values") == !fits, "\(text)")
      #expect(text.contains("Help to find the formula") == !fits)
    }
  }

  @Test("fewer than five values are not enough to name a version")
  func few() throws {
    try sandbox.copy("active.hex", to: "official/scan.hex")
    let reading = try sandbox.run("decode", "official/scan.hex", "--json", "--calibration", "reader").json()
    let history = reading["history"].elements.filter { $0["glucose_mg_dl"].number != nil }
    for (count, fits) in [(4, false), (5, true)] {
      let values = history.prefix(count).map {
        "{\"minute\": \(Int($0["minute"].number ?? 0)), \"mgdl\": \(($0["glucose_mg_dl"].number ?? 0).rounded())}"
      }
      try index(
        """
        {"vectors": [{"file": "scan.hex", "official": {"history": [\(values.joined(separator: ", "))]}}]}
        """)
      let software = try sandbox.run("compare", "--official", "official", "--json").json()["software"].elements
      #expect(software.first?["fits"] == .bool(fits), "\(count)")
    }
  }

  @Test("official values without a memory are not compared, which is said")
  func nothing() throws {
    try sandbox.copy("active.hex", to: "official/scan.hex")
    try index(#"{"vectors": [{"file": "scan.hex"}]}"#)
    let outcome = try sandbox.run("compare", "--official", "official")
    #expect(
      outcome.status == 0 && outcome.errors.contains("no official value belongs to a memory"), "\(outcome.errors)")
  }

  @Test("--csv writes each value by the sensor's minute and in the order of values, without names and times")
  func csv() throws {
    try sandbox.copy("active.hex", to: "official/scan.hex")
    try index(
      """
      {"vectors": [{"file": "scan.hex", "official": {"history": [{"minute": 15690, "mgdl": 190},
        {"minute": 15675, "mgdl": 80}], "current": {"mgdl": 120}}}]}
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
