// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing

@Suite("A sink with the values of the official reader") struct SinkCalibrationTests {
  private let sandbox = Sandbox.new()

  private func add(_ name: String, _ arguments: String...) throws {
    try sandbox.done(["sink", "add", name, "file", "path=\(name).ndjson"] + arguments)
  }

  /// A scan of one simulated sensor that is so many minutes old.
  private func scan(age: Int) throws {
    let image = SimulatedSensor(seed: 3).image(atAge: age)
    try sandbox.write(image.hexDump, to: "\(age).hex")
    try sandbox.done("import", "\(age).hex")
  }

  /// What the receiver has: values by ring and minute, the last line of a minute standing.
  private func received(_ name: String) throws -> [String: Double] {
    let text = (try? String(contentsOfFile: sandbox.path("\(name).ndjson"), encoding: .utf8)) ?? ""
    var values: [String: Double] = [:]
    for line in text.split(separator: "\n") {
      let sample = try JSONValue(parsing: line.utf8)
      let key = "\(sample["ring"].text ?? "") \(Int(sample["minute"].number ?? 0))"
      #expect(values[key] == nil, "\(key) was sent twice")
      values[key] = sample["glucose_mg_dl"].number
    }
    return values
  }

  private func sync() throws {
    try sandbox.done("sync", "--json")
  }

  @Test("a sample is sent once it has its neighbours, only once, and the newest waits for the next scan")
  func neighbours() throws {
    try add(
      "official", "calibration=reader", "--backfill-days", "36500", "--send", "glucose.history", "--send",
      "glucose.trend")
    try add("factory", "--backfill-days", "36500")
    try scan(age: 6_008)
    try sync()
    let first = try received("official")
    // 31 of the history, and the newest of the trend: it has the fifteen before it.
    #expect(first["history 6000"] == nil && first["history 5985"] != nil)
    #expect(first.keys.count { $0.hasPrefix("trend") } == 1)
    #expect(try received("factory")["history 6000"] != nil)
    // Nothing is pending, and a second run without a scan sends nothing.
    let status = try sandbox.run("sink", "show", "official", "--json").json()
    #expect(status["sinks"][0]["pending"] == .number(0), "\(status)")
    try sync()
    #expect(try received("official") == first)
    // 6030 has passed at 6031, and stands in front of 6015.
    try scan(age: 6_031)
    try sync()
    let second = try received("official")
    #expect(second["history 6000"] != nil && second["history 6015"] != nil && second["history 6030"] == nil)
    #expect(second.filter { first[$0.key] != nil } == first)
    let shown = try sandbox.run("history", "--from", "all", "--ndjson", "--calibration", "reader").ndjson()
    let value = try #require(shown.first { $0["minute"] == .number(6_000) }?["glucose_mg_dl"].number)
    #expect(second["history 6000"] == value)
  }

  @Test(
    "every official history value of the available scans arrives as LibreLink's own number, once, scan after scan",
    .enabled(if: ReferenceDumps.areLaterPresent, "\(ReferenceDumps.absence)"))
  func official() throws {
    try add("official", "calibration=reader", "--backfill-days", "36500")
    var expected: [String: Double] = [:]
    let scans = try ReferenceDumps.entries().filter { $0.facts["official"]["history"] != .null }
      .sorted { ($0.facts["decoded"]["age"].number ?? 0) < ($1.facts["decoded"]["age"].number ?? 0) }
    #expect(scans.count == 6)
    for (path, facts) in scans {
      // Milliseconds since 1970, or a text that begins with the time.
      let text = try #require(facts["scannedAt"].text ?? facts["scannedAt"].number.map { String(Int($0)) })
      let word = text.split(separator: " ").first.map(String.init) ?? ""
      let readAt = word.contains("T") ? "\(word.prefix(19))Z" : word
      try sandbox.done("import", path, "--uid", "E007A00000000001", "--read-at", readAt)
      try sync()
      for row in facts["official"]["history"].elements {
        expected["history \(Int(row["minute"].number ?? 0))"] = row["mgdl"].number
      }
    }
    let values = try received("official")
    for (key, official) in expected { #expect(values[key]?.rounded() == official, "\(key)") }
    #expect(expected.count == 160)
  }
}
