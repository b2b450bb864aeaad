// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("libre import") struct ImportCommandTests {
  private let sandbox = Sandbox.new()

  @Test("an import of many files ends with a summary line, and --quiet omits it")
  func closingLine() throws {
    for number in 1...20 { try sandbox.copy("active.hex", to: "dumps/\(number).hex") }
    for number in 1...3 { try sandbox.write("nothing", to: "dumps/\(number).txt") }
    let outcome = try sandbox.run("import", "--recursive", "dumps")
    #expect(outcome.errors.hasSuffix("libre: 23 files: 20 imported, 3 refused\n"), "\(outcome.errors)")
    #expect(try !sandbox.run("import", "--recursive", "dumps", "--quiet").errors.contains("23 files"))
    #expect(try !sandbox.run("import", "dumps/1.hex").errors.contains("files"))
  }

  @Test("an export of the values of the reader's model is imported as the raw counts and the factory's values")
  func modelledExport() throws {
    try ImportedStore.copy(to: "one.sqlite", in: sandbox, readAt: "file")
    let exported = try sandbox.run(
      "export", "--to", "ndjson", "--ring", "all", "--calibration", "reader", "--store", "one.sqlite")
    try sandbox.write(exported.output, to: "out.ndjson")
    #expect(try exported.ndjson().allSatisfy { $0["calibration"]["software"] == .string("LibreLink 1.3 to 2.4") })
    _ = try sandbox.run("import", "out.ndjson", "--store", "two.sqlite")
    func history(_ store: String) throws -> [JSONValue] {
      try sandbox.run("history", "--revisions", "--store", store, "--from", "all", "--ring", "all", "--ndjson").ndjson()
    }
    let two = try history("two.sqlite")
    #expect(try two.map { $0["glucose_mg_dl"] } == history("one.sqlite").map { $0["glucose_mg_dl"] })
    #expect(two.count == 48 && two.allSatisfy { $0["calibration"]["model"] == .string("factory") })
  }

  @Test("a memory, or the answer of a phone's app, is imported from a pipe like a file, compressed or not")
  func pipe() throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    // The row that xDrip+ answers with, as its page shows it, with invented values.
    try sandbox.write(
      """
      [{"_id":"65a1f0c2d4b37e08c9a10f22","device":"xDrip-LimiTTer","dateString":"2026-01-01T12:05:00.000+0100",
      "date":1767265500000,"sgv":118,"delta":3.5,"direction":"Flat","noise":1,"filtered":118000,"unfiltered":118000,
      "rssi":100,"type":"sgv","units_hint":"mmol"}]
      """, to: "answer")
    for (source, count) in [("cat dump.hex", "48 new values"), ("gzip -c answer", "(nightscout): 1 new value")] {
      let outcome = try sandbox.shell("\(source) | \"$LIBRE\" import -")
      #expect(outcome.status == 0 && outcome.text.contains(count), "\(outcome.text) \(outcome.errors)")
    }
  }

  /// A dump without a time of its own, in a file that was changed at 10:15 UTC, and a finger-stick of that hour.
  private func undatedDump() throws {
    try sandbox.copy("active.hex", to: "dated.hex")
    try sandbox.done("convert", "dated.hex", "--to", "raw", "--out", "a.bin")
    let changed = try #require(try? Date("2024-05-02T10:15:00Z", strategy: .iso8601))
    try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: sandbox.path("a.bin"))
  }

  private static let uid = ["--uid", "E007A0000025905E"]

  @Test("--read-at mtime dates the samples and warns that the times may be wrong; sensors marks the sensor")
  func modificationTime() throws {
    try undatedDump()
    let told = try sandbox.run(["import", "a.bin", "--read-at", "mtime"] + Self.uid)
    #expect(told.errors.contains("a.bin: the times come from the modification time of a file"))
    #expect(
      told.errors.contains("Try: import a dump of this sensor with --read-at TIME, or run libre sensor reanchor --at"))
    #expect(try sandbox.run("sensors").text.contains("?"))
    #expect(
      try sandbox.run("sensor", "show").text.contains("only from the modification time of a file, which may be wrong"))
    // decode says so as well, and with a better start in the store it does not.
    let decoded = try sandbox.run(["decode", "a.bin", "--read-at", "mtime", "--json"] + Self.uid).json()
    #expect(decoded["problems"].elements.map { $0["code"].text } == ["start_is_provisional"])
    let plot = try sandbox.run(["plot", "a.bin", "--read-at", "mtime"] + Self.uid)
    #expect(plot.status == 0 && plot.errors.contains("the times come from the modification time of a file"))
    // No finger-stick calibrates by these times.
    try sandbox.done("add", "104", "--at", "2024-05-02T10:14:00Z")
    let calibrated = try sandbox.run("calibrate")
    #expect(calibrated.status == 65 && calibrated.errors.contains("libre sensor reanchor --at TIME"))
    // A better time wins, and the user's word does.
    let better = try sandbox.run(["import", "a.bin", "--read-at", "2024-05-02T12:00:00Z", "--json"] + Self.uid)
    #expect(try better.json()["is_provisional"] == .bool(false))
    let known = try sandbox.run(["decode", "a.bin", "--read-at", "mtime", "--with-store", "--json"] + Self.uid).json()
    #expect(known["problems"].elements.allSatisfy { $0["code"].text != "start_is_provisional" })
  }
}
