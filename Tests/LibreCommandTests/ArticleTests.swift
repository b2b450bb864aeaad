// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// README and the articles of the command, run as a newcomer would: each command that they show, in their order, in one
/// directory.
struct ArticleTests {
  static let documents = ["README", "ReadASensor", "DecodeADump", "SendToReceivers", "SeveralPeople"]

  /// Commands that are shown and not run, with the reason.
  private static let notRun = [
    "make demo": "it builds the released command", "make test": "it runs this test",
    "make deb": "it builds the released command; make trial uses the package",
    "sudo apt install ./.build/dist/libre_*.deb": "it needs root; make trial does it",
    "libre doctor": "it depends on the machine", "libre read": "it needs a sensor",
    "libre sink test home": "it needs a receiver", "libre sink list": "it depends on a receiver",
  ]

  /// A command that a document shows, and the lines that it shows below.
  private struct Shown {
    let command: String
    var lines: [String] = []
  }

  private static func text(of document: String) throws -> String {
    let path = document == "README" ? "README.md" : "Sources/libre/libre.docc/\(document).md"
    return String(decoding: try Repository.bytes(at: Repository.root.appendingPathComponent(path)), as: UTF8.self)
  }

  private static func commands(of document: String) throws -> [Shown] {
    var shown: [Shown] = []
    for block in try text(of: document).components(separatedBy: "\n```\n") where block.hasPrefix("$ ") {
      for line in block.split(separator: "\n").map(String.init) {
        if line.hasPrefix("$ ") {
          shown.append(Shown(command: String(line.dropFirst(2)).replacing(#/ {2,}# .*/#, with: "")))
        } else {
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

  /// True if these lines are all that was printed. `…` stands for any number of lines, or for a part of its own line.
  private static func lines(_ lines: [String], areAllOf printed: String) throws -> Bool {
    let patterns = lines.map { line in
      let parts = timeless(line).components(separatedBy: "…").map(NSRegularExpression.escapedPattern(for:))
      return line == "…" ? "(.*\n)*" : parts.joined(separator: ".*") + "\n"
    }
    let text = timeless(printed).split(separator: "\n").map { "\($0)\n" }.joined()
    let expression = try NSRegularExpression(pattern: "\\A\(patterns.joined())\\z")
    return expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
  }

  @Test("a document shows the real output of its commands, and leaves out only what it says", arguments: documents)
  func commands(document: String) throws {
    let shown = try Self.commands(of: document).filter { Self.notRun[$0.command] == nil }
    #expect(shown.count > 2)
    let sandbox = try Sandbox()
    for dump in ["active.hex", "x-bad-body.hex"] {
      for place in [dump, "SensorDumps/libre1/\(dump)"] { try sandbox.copy(dump, to: place) }
    }
    try sandbox.write("a secret of the site\n", to: "key")
    for step in shown {
      let script = #"exec 2>&1; libre() { "$LIBRE" "$@"; }; "# + step.command
      let outcome = try sandbox.shell(script, environment: ["LIBRE_SYNC_MODE": "manual"])
      // A command that fails is shown with what helps.
      let mayFail = step.lines.contains { $0.hasPrefix("  Try: ") }
      #expect(outcome.status == 0 || mayFail, "\(step.command): \(outcome.text)")
      let isTrue = try step.lines.isEmpty || Self.lines(step.lines, areAllOf: outcome.text)
      #expect(isTrue, "\(document): `\(step.command)` prints:\n\(outcome.text)")
    }
  }

  @Test("each command that is not run is shown somewhere")
  func notRun() throws {
    let shown = Set(try Self.documents.flatMap { try Self.commands(of: $0).map(\.command) })
    for (command, reason) in Self.notRun { #expect(shown.contains(command), "\(command) (\(reason)) is not shown") }
  }

  @Test(
    "README is a page, its blocks are commands with their output or Swift, and its targets are those of the Makefile")
  func readme() throws {
    let readme = try Self.text(of: "README")
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    for (index, block) in readme.components(separatedBy: "```").enumerated() where index % 2 == 1 {
      #expect(block.hasPrefix("\n$ ") || block.hasPrefix("swift\n"), "no test runs this block: \(block)")
    }
    let makefile = try Repository.bytes(at: Repository.root.appendingPathComponent("Makefile"))
    let targets = Set(
      String(decoding: makefile, as: UTF8.self).matches(of: #/(?m)^([a-z]+):.*## /#).map { String($0.output.1) })
    let named = readme.matches(of: #/(?:`|\$ )make ([a-z]+)/#).map { String($0.output.1) }
    #expect(named.count > 3)
    for target in named { #expect(targets.contains(target), "the Makefile has no target \(target)") }
  }
}
