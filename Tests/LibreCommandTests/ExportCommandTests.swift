// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("The history is written into a file") struct ExportCommandTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.copy("active.hex", to: "dump.hex")
    try ImportedStore.copy(in: sandbox)
    try FileManager.default.createDirectory(atPath: sandbox.path("out"), withIntermediateDirectories: true)
  }

  private func export(_ path: String, to format: String = "ndjson") throws -> Outcome {
    try sandbox.run("export", "--store", "store.sqlite", "--to", format, "--out", path)
  }

  @Test("with the same bytes as on standard output, and without other new files")
  func file() throws {
    try sandbox.write("", to: "out/history.ndjson")
    try sandbox.write("mine", to: "out/history.ndjson.part")
    let outcome = try export("out/history.ndjson")
    #expect(outcome.status == 0 && outcome.output.isEmpty)
    let printed = try export("-")
    #expect(sandbox.text(of: "out/history.ndjson") == printed.text && printed.lines.count == 32)
    #expect(try export("/dev/full").status == 73)
    #expect(try export("no/folder").status == 73)
    #expect(sandbox.text(of: "out/history.ndjson.part") == "mine")
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path("out")).count == 2)
  }

  @Test("but never over a store, by any command")
  func store() throws {
    let before = try export("-").text
    try FileManager.default.createSymbolicLink(atPath: sandbox.path("out/link"), withDestinationPath: "../store.sqlite")
    for path in ["out/link", "store.sqlite-wal"] {
      let outcome = try export(path)
      #expect(outcome.status == 73 && outcome.errors.contains("is a store of libre"), "\(path): \(outcome.errors)")
    }
    for command in [
      ["convert", "dump.hex", "--to", "raw", "--out", "store.sqlite"], ["simulate", "--out", "store.sqlite"],
      ["read", "--reader", "sim:active", "--no-store", "--save", "store.sqlite"],
      ["read", "--reader", "sim:active", "--no-store", "--trace", "store.sqlite"],
    ] {
      #expect(try sandbox.run(command).status == 73, "\(command)")
    }
    #expect(try export("-").text == before)
  }

  @Test("--to names the end of the range, and without --format it may name the format")
  func formatOption() throws {
    let all = try sandbox.run("export", "--store", "store.sqlite", "--format", "ndjson")
    #expect(try sandbox.run("export", "--store", "store.sqlite", "--to", "ndjson").text == all.text)
    let first = try #require(try all.ndjson().first?["time"].text)
    let cut = try sandbox.run("export", "--store", "store.sqlite", "--format", "ndjson", "--to", first)
    #expect(cut.lines == Array(all.lines.prefix(1)))
    let old = try sandbox.run("export", "--store", "store.sqlite", "--to", "ndjson", "--until", first)
    #expect(old.text == cut.text)
    let none = try sandbox.run("export", "--store", "store.sqlite", "--to", "2024-05-02")
    #expect(none.status == 64 && none.errors.contains("--format is missing"))
  }

  @Test("SOURCE_DATE_EPOCH is the time of every document, so that the same history gives the same bytes")
  func reproducible() throws {
    let environment = ["SOURCE_DATE_EPOCH": "1714700000"]
    var commands = [["report", "--out", "-"], ["report", "--svg", "-"], ["stats", "--json"], ["stats", "--csv"]]
    for format in ["fhir", "omh", "tidepool", "apple-health", "csv", "ndjson", "libreview", "terra", "vital"] {
      commands.append(["export", "--format", format])
    }
    var dated = 0
    for command in commands {
      let span = ["--store", "store.sqlite", "--from", "2024-05-01", "--to", "2024-06-01"]
      let outcome = try sandbox.done(command + span, environment: environment)
      #expect(try sandbox.run(command + span, environment: environment).output == outcome.output)
      // The time of the document itself, by whatever order of day and month.
      if outcome.text.contains("2024-05-03") || outcome.text.contains("03-05-2024") { dated += 1 }
    }
    #expect(dated >= 6)
    let bad = try sandbox.run(
      ["export", "--store", "store.sqlite", "--format", "csv"], environment: ["SOURCE_DATE_EPOCH": "today"])
    #expect(bad.status == 64 && bad.errors.contains("SOURCE_DATE_EPOCH"))
  }
}
