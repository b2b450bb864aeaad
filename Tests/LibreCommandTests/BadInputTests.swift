// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// "What bad input gets": a message that names the culprit with both numbers, the exit status of
/// LibreDocuments/Contract, "Exit status", and nothing on standard output but valid JSON in JSON modes.
struct BadInputTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func expect(
    _ outcome: Outcome, _ name: String, status: Int32 = 65, parts: [String] = [],
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == status, "\(name): \(outcome.errors)", sourceLocation: location)
    expectMessage(outcome.errors.split(separator: "\n").map(String.init), name, parts: parts, location)
  }

  /// The message names the file and has all parts; the second line is the suggested fix.
  private func expectMessage(
    _ lines: [String], _ name: String, parts: [String], _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(lines.count == 2, "\(name): \(lines)", sourceLocation: location)
    #expect(lines.first?.hasPrefix("libre: \(name): ") == true, "\(lines)", sourceLocation: location)
    #expect(lines.last?.hasPrefix("  Try: ") == true, "\(lines)", sourceLocation: location)
    for part in parts {
      #expect(lines.first?.contains(part) == true, "\(name) lacks \(part)", sourceLocation: location)
    }
  }

  private func expectDocument(
    _ document: JSONValue, path: String, code: String, stderr: String, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(document["schema"] == .string("libre.error/1"), sourceLocation: location)
    #expect(document["code"] == .string(code), sourceLocation: location)
    #expect(document["source"]["path"] == .string(path), sourceLocation: location)
    for key in ["message", "resolution"] {
      let text = document[key].text ?? ""
      #expect(!text.isEmpty && stderr.contains(text), "\(key)", sourceLocation: location)
    }
  }

  @Test("each bad file gets its error message in every output format, and in JSON its document")
  func badFiles() throws {
    let inputs = try BadInput.all()
    for input in inputs { try sandbox.write(input.bytes, to: input.name) }
    func decode(_ form: String) throws -> Outcome {
      let outcome = try sandbox.run(["decode", form] + inputs.map(\.name))
      let lines = outcome.errors.split(separator: "\n").map(String.init)
      #expect(outcome.status == 65)
      try #require(lines.count == 2 * inputs.count + 1, "\(outcome.errors)")
      #expect(lines.last == "libre: \(inputs.count) files: 0 decoded, \(inputs.count) refused")
      for (index, input) in inputs.enumerated() {
        expectMessage(Array(lines[2 * index...2 * index + 1]), input.name, parts: input.parts)
      }
      return outcome
    }
    #expect(try decode("--table").output.isEmpty)
    let json = try decode("--json")
    let documents = try json.json().elements
    try #require(documents.count == inputs.count)
    for (document, input) in zip(documents, inputs) {
      expectDocument(document, path: input.name, code: input.code, stderr: json.errors)
    }
    #expect(try decode("--ndjson").ndjson() == documents)
    let csv = try decode("--csv")
    #expect(csv.lines.count == 1 && csv.text.hasPrefix("path,uid,"))
  }

  @Test("a failing file among many does not stop the others, and the highest status is the exit status")
  func amongMany() throws {
    try sandbox.copy("active.hex", to: "1.hex")
    try sandbox.copy("x-bad-body.hex", to: "2.hex")
    try sandbox.copy("expired.hex", to: "3.hex")
    let files = ["1.hex", "2.hex", "nothing.hex", "3.hex"]

    let json = try sandbox.run(["decode", "--json"] + files)
    // The highest of theirs: 65 and 66.
    #expect(json.status == 66)
    let documents = try json.json().elements
    #expect(documents.map { $0["source"]["path"].text } == files)
    #expect(
      documents.map { $0["schema"].text } == ["libre.reading/1", "libre.error/1", "libre.error/1", "libre.reading/1"])
    #expect(documents.map { $0["code"].text } == [nil, "crc_mismatch", "not_found", nil])
    #expect(json.errors.contains("libre: 2.hex: ") && json.errors.contains("libre: nothing.hex: "))

    let csv = try sandbox.run(["decode", "--csv"] + files)
    #expect(csv.status == 66 && csv.lines.count == 1 + 2 * 48)
  }

  @Test("a directory, a missing file and a path through a file are reported by name, with status 66")
  func notFiles() throws {
    try sandbox.copy("active.hex", to: "folder/dump.hex")
    for (path, code) in [("folder", "is_folder"), ("nothing", "not_found"), ("folder/dump.hex/x", "not_found")] {
      let outcome = try sandbox.run("decode", "--json", path)
      expect(outcome, path, status: 66)
      expectDocument(try outcome.json(), path: path, code: code, stderr: outcome.errors)
      #expect(outcome.errors.contains("--recursive") == (path == "folder"))
    }
  }

  @Test("an endless input is refused at the size limit, in bounded memory", .disabled(if: Sandbox.isSanitized))
  func endless() throws {
    let piped = try sandbox.shell("cat /dev/zero | (ulimit -v 600000; exec timeout 600 \"$LIBRE\" decode --json -)")
    expect(piped, "standard input", parts: ["67108864"])
    #expect(try piped.json()["code"] == .string("too_large"))
  }

  /// Takes from root the right to read everything.
  private static let unprivileged = ["--inh-caps=-all", "--bounding-set=-all"]

  /// True if a file without rights can be made unreadable: not being root, or being able to do without root's rights.
  private static let canForbid =
    getuid() != 0
    || (try? Sandbox().run(program: "/usr/bin/setpriv", unprivileged + [Sandbox.binary, "--version"]))?.status == 0

  @Test(
    "a file without read permission is reported by name, with status 77",
    .enabled(if: canForbid, "as root without setpriv every file can be read"))
  func forbidden() throws {
    try sandbox.copy("active.hex", to: "secret.hex")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: sandbox.path("secret.hex"))
    let arguments = ["decode", "--json", "secret.hex"]
    let outcome =
      getuid() == 0
      ? try sandbox.run(program: "/usr/bin/setpriv", Self.unprivileged + [Sandbox.binary] + arguments)
      : try sandbox.run(arguments)
    expect(outcome, "secret.hex", status: 77)
    expectDocument(try outcome.json(), path: "secret.hex", code: "permission_denied", stderr: outcome.errors)
  }

  @Test("libre waits for a slow pipe, given by path or as standard input", arguments: ["- < pipe", "pipe"])
  func slowPipe(input: String) throws {
    let path = sandbox.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let program = try sandbox.start(program: "/bin/sh", ["-c", "exec \"$LIBRE\" decode --csv \(input)"])
    defer { program.send(SIGKILL) }
    var pipe: Int32 = -1
    defer { close(pipe) }
    // Without a reader the pipe cannot be opened for writing.
    try eventually("the command has opened the pipe") {
      pipe = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      return pipe >= 0
    }
    let dump = [UInt8](try Data(contentsOf: Repository.dumps.appendingPathComponent("active.hex")))
    for part in [dump[..<0], dump[..<(dump.count / 2)], dump[(dump.count / 2)...]] {
      #expect(write(pipe, Array(part), part.count) == part.count)
      try eventually("the command has read all of it, and sleeps") {
        var unread: Int32 = 0
        try #require(ioctl(pipe, UInt(FIONREAD), &unread) == 0)
        return try unread == 0 && Self.sleeps(program.identifier)
      }
    }
    close(pipe)
    pipe = -1
    let outcome = try program.outcome()
    #expect(outcome.status == 0 && outcome.lines.count == 49, "\(outcome.errors)")
  }

  /// Whether the system reports that a process is sleeping.
  private static func sleeps(_ identifier: Int32) throws -> Bool {
    let line = try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
    return line.contains(") S ")
  }

  @Test("an invalid UID, format or other option is a usage error, with status 64")
  func usage() throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    for arguments in [
      ["--uid", "0102030405060708"], ["--patch-info", "DF"], ["--calibration", "oop"], ["--time-zone", "Mars/Olympus"],
      ["--color", "blue"], ["--json", "--csv"],
    ] {
      let outcome = try sandbox.run(["decode", "dump.hex"] + arguments)
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains("  Try: "), "\(outcome.errors)")
    }
  }
}
