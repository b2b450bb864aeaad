// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// "What bad input gets": a message that names the culprit with both numbers, the exit status of
/// LibreDocuments/Contract, "Exit status", and nothing on standard output but valid JSON in JSON modes.
struct BadInputTests {
  private let sandbox = Sandbox.new()

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
        let message = lines[2 * index]
        #expect(message.hasPrefix("libre: \(input.name): ") && lines[2 * index + 1].hasPrefix("  Try: "), "\(message)")
        for part in input.parts { #expect(message.contains(part), "\(message) lacks \(part)") }
      }
      return outcome
    }
    #expect(try decode("--table").output.isEmpty)
    let json = try decode("--json")
    let documents = try json.json().elements
    try #require(documents.count == inputs.count)
    for (document, input) in zip(documents, inputs) {
      #expect(document["schema"] == .string("libre.error/1") && document["code"] == .string(input.code))
      #expect(document["source"]["path"] == .string(input.name))
      for key in ["message", "resolution"] {
        let text = document[key].text ?? ""
        #expect(!text.isEmpty && json.errors.contains(text), "\(key)")
      }
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

  @Test("an endless input is refused at the size limit, in bounded memory", .disabled(if: Sandbox.isSanitized))
  func endless() throws {
    let piped = try sandbox.shell("cat /dev/zero | (ulimit -v 600000; exec timeout 600 \"$LIBRE\" decode --json -)")
    #expect(piped.status == 65 && piped.errors.contains("67108864"), "\(piped.errors)")
    #expect(try piped.json()["code"] == .string("too_large"))
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
}
