// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("The log on standard error") struct LogTests {
  private let sandbox = Sandbox.new(["active.hex": "dump.hex"])

  private func records(_ errors: String) throws -> [JSONValue] {
    try errors.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
  }

  @Test(
    "has three different levels, and none of them changes the data",
    arguments: [
      "read --reader sim:active --store s.sqlite --csv", "decode dump.hex --csv",
      "import dump.hex --store %.sqlite --read-at 1714645800", "sync --now",
    ])
  func levels(command: String) throws {
    try ImportedStore.copy(to: ImportedStore.standard, in: sandbox, readAt: nil)
    try sandbox.done("sink", "add", "hook", "webhook", "url=http://127.0.0.1:9")
    let outcomes = try [[], ["-v"], ["-v", "-v"]].enumerated().map { index, flags in
      try sandbox.run(
        command.replacing("%", with: "\(index)").split(separator: " ").map(String.init) + flags)
    }
    let counts = outcomes.map { outcome in
      ["info", "debug"].map { level in outcome.errors.split(separator: "\n").count { $0.hasPrefix("libre: \(level): ") }
      }
    }
    #expect(counts[0] == [0, 0], "\(outcomes[0].errors)")
    #expect(counts[1][0] >= 1 && counts[1][1] == 0, "\(outcomes[1].errors)")
    #expect(counts[2][0] == counts[1][0] && counts[2][1] >= 2, "\(outcomes[2].errors)")
    #expect(Set(outcomes.map(\.status)).count == 1)
    if command.hasPrefix("decode") { #expect(Set(outcomes.map(\.output)).count == 1) }
  }

  @Test(
    "in JSON has one object per line: log lines, notes, errors, and usage errors",
    arguments: [
      ("read --reader sim:active --store s.sqlite -v -v", 0, "exchange"),
      ("decode dump.hex nothing.hex -v", 66, "not_found"),
      ("sink list", 0, "no sink is set up"), ("stats", 66, "no_store"),
      ("report dump.hex --out r.html", 0, "wrote"),
      ("decode --nothing", 64, "usage"), ("decode dump.hex --unit foo", 64, "bad_option"),
    ])
  func json(command: String, status: Int32, part: String) throws {
    let arguments = command.split(separator: " ").map(String.init)
    for (more, environment) in [(["--log-format=json"], [:]), ([], ["LIBRE_LOG_FORMAT": "json"])] {
      let outcome = try sandbox.run(arguments + more, environment: environment)
      #expect(outcome.status == status, "\(outcome.errors)")
      let records = try records(outcome.errors)
      #expect(!records.isEmpty && outcome.errors.contains(part), "\(outcome.errors)")
      for record in records {
        #expect(record["schema"] == .string("libre.log/1") && record["time"].text?.hasSuffix("Z") ?? false)
        #expect(record["level"].text != nil && record["message"].text != nil)
        if record["level"] == .string("error") {
          #expect(record["code"].text != nil && record["resolution"].text != nil)
        }
      }
    }
  }

  @Test("is also JSON if the settings file that selects JSON has an error")
  func brokenConfiguration() throws {
    try sandbox.write("log_format = \"json\"\nunit = \"stone\"\n", to: "config/libre/config.toml")
    let outcome = try sandbox.run("decode", "dump.hex")
    #expect(outcome.status == 78)
    #expect(try records(outcome.errors).map { $0["code"] } == [.string("configuration_bad_value")])
    let plain = try sandbox.run("decode", "dump.hex", "--log-format", "text")
    #expect(plain.errors.hasPrefix("libre: ") && plain.errors.contains("\n  Try: "))
  }
}
