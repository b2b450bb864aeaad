// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The articles of the command, run as a newcomer would: each command that they show, in their order, in one directory.
struct ArticleTests {
  /// Commands whose output depends on readers and receivers of the machine.
  private static let notRun = ["libre doctor", "libre sink test home", "libre sink list"]

  /// A command that an article shows, and the lines that it shows below.
  private struct Shown {
    let command: String
    var lines: [String] = []
  }

  private static func commands(of article: String) throws -> [Shown] {
    let path = Repository.root.appendingPathComponent("Sources/libre/libre.docc/\(article).md")
    var shown: [Shown] = []
    for block in try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n```\n")
    where block.hasPrefix("$ ") {
      for line in block.split(separator: "\n").map(String.init) {
        if line.hasPrefix("$ ") {
          shown.append(Shown(command: String(line.dropFirst(2))))
        } else if line != "…" {
          shown[shown.count - 1].lines.append(line)
        }
      }
    }
    return shown
  }

  /// Dates and times of day are those of the run.
  private static func timeless(_ text: String) -> String {
    text.replacing(#/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/#, with: "TIME")
  }

  @Test(
    "an article shows the real output of its commands",
    arguments: ["ReadASensor", "DecodeADump", "SendToReceivers", "SeveralPeople"])
  func commands(article: String) throws {
    let shown = try Self.commands(of: article).filter { !Self.notRun.contains($0.command) }
    #expect(shown.count > 2)
    let sandbox = try Sandbox()
    for dump in ["active.hex", "x-bad-body.hex"] { try sandbox.copy(dump, to: dump) }
    try sandbox.write("a secret of the site\n", to: "key")
    for step in shown {
      let script = #"libre() { "$LIBRE" "$@"; }; "# + step.command
      let outcome = try sandbox.shell(script, environment: ["LIBRE_SYNC_MODE": "manual"])
      // A command that fails is shown with what helps.
      let mayFail = step.lines.contains { $0.hasPrefix("  Try: ") }
      #expect(outcome.status == 0 || mayFail, "\(step.command): \(outcome.errors)")
      let printed = Self.timeless(outcome.text + outcome.errors)
      for line in step.lines where !Self.timeless(line).split(separator: "…").allSatisfy({ printed.contains($0) }) {
        Issue.record("\(article): `\(step.command)` does not print: \(line)")
      }
    }
  }
}
