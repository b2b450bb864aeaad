// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct CommandLineTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private static let commands = [
    "read", "watch", "alerts", "decode", "find", "inspect", "convert",
    "readers", "doctor", "simulate", "formats", "schema", "config",
    "config show", "config set", "config unset", "config path", "config check", "latest", "history", "stats", "plot",
    "report", "compare", "sensors", "sensor", "sensor show", "sensor reanchor", "sensor forget", "import", "imports",
    "imports list", "imports remove", "export", "add", "calibrate", "store", "store merge", "store check",
    "store vacuum", "store backup", "sink", "sink add", "sink set", "sink list", "sink show", "sink test",
    "sink enable",
    "sink disable", "sink remove", "sync", "outbox", "outbox list", "outbox retry", "outbox drop", "webhook",
    "webhook verify", "serve", "status", "setup", "flipper", "flipper list", "flipper get", "meters", "meter",
    "meter read", "meter watch", "meter pair", "meter forget", "person", "person add", "person list", "person rename",
    "person remove", "sensor give", "bridges", "alerts list", "alerts add", "alerts remove", "alerts test",
    "alerts snooze",
    "alerts off", "alerts on", "alerts check",
  ]

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
    "help explains the purpose, the exit statuses and that libre is not for treatment decisions; it lists the commands"
  )
  func help() throws {
    let outcome = try sandbox.run("--help")
    #expect(outcome.status == 0)
    let text = outcome.text.split(separator: "\n").joined(separator: " ")
    for part in ["decode", "inspect", "simulate", "65 data cannot be decoded", "Not for treatment decisions"] {
      #expect(text.contains(part), "\(part)")
    }
    let groups = outcome.lines.split { $0.isEmpty }.filter { $0.first?.hasSuffix(" SUBCOMMANDS:") == true }
    #expect(groups.count == 6)
    let names = groups.joined().compactMap { $0.firstMatch(of: #/^  ([a-z]+) /#).map { String($0.1) } }
    #expect(names.sorted() == Self.commands.filter { !$0.contains(" ") }.sorted())
    #expect(try sandbox.run().status == 0)
  }

  @Test("every command's help has two examples")
  func examples() throws {
    // The help of all commands in one document.
    let outcome = try sandbox.run("--experimental-dump-help")
    #expect(outcome.status == 0)
    var found: [String: [String]] = [:]
    func collect(_ command: JSONValue, below path: [String]) {
      for command in command["subcommands"].elements where command["commandName"] != .string("help") {
        let path = path + [command["commandName"].text ?? ""]
        found[path.joined(separator: " ")] = command["discussion"].text?.components(separatedBy: "\n") ?? []
        collect(command, below: path)
      }
    }
    collect(try outcome.json()["command"], below: [])
    #expect(Set(found.keys) == Set(Self.commands))
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

  @Test("formats lists all formats of dumps and of histories, and --input-format accepts the same ones")
  func formats() throws {
    let outcome = try sandbox.run("formats")
    #expect(outcome.status == 0)
    let parts = outcome.lines.split { $0.isEmpty }.map { $0.dropFirst() }
    try #require(parts.count == 2)
    func names(_ lines: ArraySlice<String>) -> [String] {
      lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    }
    let dumps = names(parts[0])
    #expect(Set(dumps).isSuperset(of: ["hex", "raw"]))
    try sandbox.write("no history", to: "text")
    let unknown = try sandbox.run("decode", "--input-format", "floppy", "text")
    #expect(unknown.status == 64)
    let choice = try #require(unknown.errors.firstMatch(of: /choose one of (.*)/)).1
    #expect(choice.split(separator: ", ").map(String.init) == dumps)
    #expect(try sandbox.run("decode", "--input-format", "hex", "text").status == 65)
    #expect(Set(names(parts[1])).isSuperset(of: ["ndjson", "libreview", "fhir"]))
    let document = try sandbox.run("formats", "--json").json()
    #expect(document["dumps"].elements.compactMap { $0["name"].text } == dumps)
    let fhir = document["histories"].elements.first { $0["name"].text == "fhir" }
    #expect(fhir?["reads"] == .bool(false) && fhir?["writes"] == .bool(true))
    // A format that can be read is tried on the file; one that can only be written is not a name for it.
    for (name, status) in [("ndjson", 65), ("fhir", 64)] {
      #expect(try sandbox.run("import", "--input-format", name, "text").status == Int32(status), "\(name)")
    }
  }

  @Test("schema prints the schema of each document, and refuses an unknown name")
  func schemas() throws {
    for (name, outcome) in try PublishedSchemas.outcomes() {
      #expect(outcome.status == 0, "\(name): \(outcome.errors)")
      #expect(try outcome.json()["title"] == .string("libre.\(name)/1"))
    }
    #expect(try sandbox.run("schema", "nothing").status == 64)
  }

  @Test("libre prints a completion script that the shell accepts", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let outcome = try sandbox.run("--generate-completion-script", shell)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("decode") && outcome.text.contains("recursive"))
    let program = "/bin/\(shell)"
    guard FileManager.default.isExecutableFile(atPath: program) else { return }
    try sandbox.write(outcome.output, to: "completions")
    #expect(try sandbox.run(program: program, ["-n", "completions"]).status == 0)
  }

  @Test(
    "a full disk is reported, with status 73",
    arguments: ["decode dump.hex", "decode --csv dump.hex", "simulate", "--help", "--version"])
  func fullDisk(command: String) throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    let outcome = try sandbox.shell("exec \"$LIBRE\" \(command) > /dev/full")
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains("standard output") && outcome.errors.contains("\n  Try: free some space where"))
  }

  @Test("a closed standard output is reported with status 73, and a closed standard input with 66")
  func closed() throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    #expect(try sandbox.shell("exec \"$LIBRE\" decode dump.hex >&-").status == 73)
    let input = try sandbox.shell("exec \"$LIBRE\" decode --json - <&-")
    #expect(input.status == 66)
    #expect(try input.json()["schema"] == .string("libre.error/1"))
    // A closed standard error does not stop the command.
    #expect(try sandbox.shell("exec \"$LIBRE\" decode --csv dump.hex nothing.hex 2>&-").lines.count == 49)
  }
}
