// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// One grammar of times in every option of every command, in the zone that --time-zone names.
struct TimeOptionsTests {
  private let sandbox = Sandbox.new()

  @Test("add accepts a local time of the given zone, on a machine in another zone")
  func zone() throws {
    // Half an hour ago in a zone that is fourteen hours ahead: to a machine in UTC that text is still to come.
    let moment = try sandbox.run(
      program: "/bin/date", ["-d", "30 minutes ago", "+%Y-%m-%dT%H:%M"], environment: ["TZ": "Pacific/Kiritimati"])
    let text = try #require(moment.lines.first)
    let outcome = try sandbox.done("add", "104", "--at", text, "--time-zone", "Pacific/Kiritimati")
    #expect(outcome.text.contains("+14:00"))
  }

  @Test("a time of unknown form and a time in the future are refused by name, with status 64")
  func refused() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    try ImportedStore.copy(to: ImportedStore.standard, in: sandbox)
    for arguments in [
      ["add", "104", "--at", "2131-01-01"], ["decode", "a.hex", "--read-at", "noon"], ["history", "--from", "noon"],
      ["export", "--to", "ndjson", "--until", "noon"], ["stats", "--to", "noon"],
      ["sensor", "reanchor", "--at", "2131-01-01"], ["store", "vacuum", "--older-than", "noon"],
    ] {
      let outcome = try sandbox.run(arguments)
      #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(arguments[arguments.count - 2]), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test(
    "--to and --until are one option of every command with a range, and an empty range is refused",
    arguments: [["stats"], ["export", "--format", "ndjson"]])
  func ranges(command: [String]) throws {
    try ImportedStore.copy(in: sandbox)
    let store = ["--store", ImportedStore.name]
    for end in ["--to", "--until"] {
      try sandbox.done(command + store + ["--from", "2024-05-01", end, "2024-05-02"])
      let reversed = try sandbox.run(command + store + ["--from", "2024-05-02", end, "2024-05-01"])
      #expect(reversed.status == 64 && reversed.output.isEmpty)
      #expect(reversed.errors.contains("invalid value 2024-05-01 for \(end)"), "\(reversed.errors)")
      #expect(reversed.errors.contains("a time after --from 2024-05-02"))
    }
    let both = try sandbox.run(command + store + ["--to", "now", "--until", "now"])
    #expect(both.status == 64 && both.errors.contains("which are the same option"))
  }

  @Test("a range that ends before its usual beginning, and a local time in a skipped hour, are refused for that reason")
  func reasons() throws {
    try ImportedStore.copy(in: sandbox)
    for (options, words) in [
      (["--to", "2024-05-02"], "--from too: without it"),
      (["--from", "2025-03-30T02:30", "--time-zone", "Europe/Berlin"], "Europe/Berlin skips that hour"),
    ] {
      let outcome = try sandbox.run(["history", "--store", ImportedStore.name] + options)
      #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }
}
