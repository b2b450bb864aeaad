// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct CommandLineTests {
  private let sandbox = Sandbox.new()

  @Test(
    "without /proc it says what is missing, and prints no help that was not asked for", .enabled { ownProcesses != nil }
  )
  func withoutProc() throws {
    let command = try #require(Self.ownProcesses)
    let outcome = try sandbox.shell("exec \(command) sh -c 'umount -l /proc && exec $LIBRE decode x'")
    #expect(outcome.status == 71 && outcome.text.isEmpty, "\(outcome.text)")
    #expect(outcome.errors.contains("/proc is not mounted here\n  Try: mount -t proc"), "\(outcome.errors)")
  }

  /// Runs a command with mounts of its own, as root or, where the system lets them, as a user; nil if it cannot be done.
  private static let ownProcesses = ["unshare -m", "unshare -rm"].first { command in
    (try? Sandbox().shell("\(command) sh -c 'umount -l /proc'").status) == 0
  }

  @Test(
    "help explains the purpose, the exit statuses and that libre is not for treatment decisions"
  )
  func help() throws {
    let outcome = try sandbox.done("--help")
    let text = outcome.text.split(separator: "\n").joined(separator: " ")
    for part in ["decode", "inspect", "simulate", "65 data cannot be decoded", "Not for treatment decisions"] {
      #expect(text.contains(part), "\(part)")
    }
    try sandbox.done()
  }

  @Test("every command is listed in the help, and its own help has two examples")
  func examples() throws {
    // The help of all commands in one document.
    let outcome = try sandbox.done("--experimental-dump-help")
    var found: [String: [String]] = [:]
    func collect(_ command: JSONValue, below path: [String]) {
      for command in command["subcommands"].elements where command["commandName"] != .string("help") {
        let path = path + [command["commandName"].text ?? ""]
        found[path.joined(separator: " ")] = command["discussion"].text?.components(separatedBy: "\n") ?? []
        collect(command, below: path)
      }
    }
    collect(try outcome.json()["command"], below: [])
    let groups = try sandbox.run("--help").lines.split { $0.isEmpty }.filter {
      $0.first?.hasSuffix(" SUBCOMMANDS:") == true
    }
    let listed = groups.joined().compactMap { $0.firstMatch(of: #/^  ([a-z]+) /#).map { String($0.1) } }
    #expect(groups.count == 6 && listed.sorted() == found.keys.filter { !$0.contains(" ") }.sorted())
    for (command, lines) in found { try expectExamples(command, lines) }
  }

  private func expectExamples(_ command: String, _ help: [String]) throws {
    let lines = help.map { $0.trimmingCharacters(in: .whitespaces) }
    let start = try #require(lines.firstIndex(of: "Examples:"), "\(command) has no examples")
    // A variable for this one run may be before the command.
    let examples = lines[(start + 1)...].prefix { $0.wholeMatch(of: /([A-Z_]+=\S+ )?libre .*/) != nil }
    #expect(examples.count >= 2, "\(command)")
    #expect(examples.contains { $0.contains("libre \(command)") }, "\(command)")
  }

  @Test("--input-format accepts the formats that formats lists for it, and no other one")
  func formats() throws {
    let document = try sandbox.run("formats", "--json").json()
    try sandbox.write("no history", to: "text")
    let unknown = try sandbox.run("decode", "--input-format", "floppy", "text")
    let choice = try #require(unknown.errors.firstMatch(of: /choose one of (.*)/)).1
    #expect(
      unknown.status == 64
        && choice.split(separator: ", ").map(String.init) == document["dumps"].elements.map { $0["name"].text ?? "" })
    // A format that can be read is tried on the file; one that can only be written is not a name for it.
    for (command, name, status) in [("decode", "hex", 65), ("import", "ndjson", 65), ("import", "fhir", 64)] {
      #expect(try sandbox.run(command, "--input-format", name, "text").status == Int32(status), "\(name)")
    }
    #expect(try sandbox.run("schema", "nothing").status == 64)
  }

  @Test("a full disk and a closed standard output are reported with status 73, a closed standard input with 66")
  func streams() throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    for command in ["decode dump.hex", "decode --csv dump.hex", "simulate", "--help", "--version"] {
      let outcome = try sandbox.shell("exec \"$LIBRE\" \(command) > /dev/full")
      #expect(outcome.status == 73 && outcome.errors.contains("standard output"), "\(command)")
      #expect(outcome.errors.contains("\n  Try: free some space where"))
    }
    #expect(try sandbox.shell("exec \"$LIBRE\" decode dump.hex >&-").status == 73)
    let input = try sandbox.shell("exec \"$LIBRE\" decode --json - <&-")
    #expect(input.status == 66)
    #expect(try input.json()["schema"] == .string("libre.error/1"))
    // A closed standard error does not stop the command.
    #expect(try sandbox.shell("exec \"$LIBRE\" decode --csv dump.hex nothing.hex 2>&-").lines.count == 49)
  }
}
