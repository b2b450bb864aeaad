// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct HistoryCommandTests {
  private let sandbox = Sandbox.new(["active.hex": "dump.hex"])

  private func history(_ arguments: String...) throws -> Outcome {
    try sandbox.run(["history", "--store", "store.sqlite"] + arguments)
  }

  private func importDump() throws { try ImportedStore.copy(in: sandbox) }

  private func instants(_ outcome: Outcome) throws -> [String] {
    try outcome.ndjson().compactMap { $0["time"].text }
  }

  @Test("at a terminal the table of the history says that newer values are in the trend, and nowhere else")
  func trendIsNamed() throws {
    try importDump()
    for arguments in [[], ["--ring", "all"], ["--csv"], ["--quiet"]] {
      let terminal = try sandbox.terminal(["history", "--store", "store.sqlite", "--from", "all"] + arguments)
      #expect(terminal.status() == 0)
      #expect(terminal.shown.contains("libre history --ring all") == arguments.isEmpty, "\(arguments)")
    }
    #expect(try history("--from", "all").errors.isEmpty)
  }

  @Test("history shows the same as decode for the same memory, newest first, in every output format")
  func forms() throws {
    try importDump()
    let reading = try sandbox.run("decode", "--json", "dump.hex", "--read-at", "2024-05-02T10:15:00Z").json()
    let samples = reading["history"].elements
    let lines = try history("--from", "all", "--ndjson").ndjson()
    #expect(lines.map { $0["id"] } == samples.map { $0["id"] })
    let document = try history("--from", "all", "--json").json()
    #expect(document["samples"].elements == lines)
    #expect(try history("--from", "all", "--csv").lines.count == samples.count + 1)
    #expect(try history("--from", "all").lines.count == samples.count + 3)
    #expect(try history("--from", "all", "--ring", "all", "--ndjson").lines.count == 48)
    let times = try instants(try history("--from", "all", "--ndjson"))
    #expect(try instants(try history("--from", times[10], "--to", times[3], "--ndjson")) == Array(times[3...10]))
    #expect(try history("--from", "all", "--limit", "5", "--ndjson").lines.count == 5)
  }

  @Test("the values of another calibration are shown and exported in addition to the factory's")
  func revisions() throws {
    try importDump()
    let plain = try history("--from", "all", "--ndjson").ndjson()
    let again = ["import", "dump.hex", "--store", "store.sqlite", "--read-at", "2024-05-02T10:15:00Z"]
    try sandbox.done(again + ["--calibration", "linear:0.1,0"])
    #expect(try history("--from", "all", "--ndjson").ndjson() == plain)
    let both = try history("--from", "all", "--revisions", "--ndjson").ndjson()
    #expect(both.count == 2 * plain.count)
    #expect(both.filter { $0["calibration"]["model"] != .string("linear") } == plain)
    #expect(try history("--from", "all", "--revisions").text.contains("linear, v1"))
  }

  @Test("the anchor of one document leads to the new samples in the next")
  func anchor() throws {
    try importDump()
    let anchor = try #require(try history("--json").json()["anchor"].text)
    #expect(try history("--json", "--after", anchor).errors.contains("nothing has changed"))
    try sandbox.done("read", "--reader", "sim:active", "--store", "store.sqlite")
    let next = try history("--json", "--after", anchor).json()
    #expect(next["samples"].elements.count == 32 && next["anchor"] != .string(anchor))
    #expect(try history("--ndjson", "--after", anchor).errors.contains("continue with --after "))
    let bad = try history("--after", "0000000000000000-1")
    #expect(bad.status == 64 && bad.errors.contains("not issued by this store"))
  }
}
