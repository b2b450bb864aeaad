// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct DecodeCommandTests {
  private let sandbox = Sandbox.new(["active.hex": "dump.hex"])

  private func decode(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try sandbox.run(["decode"] + arguments, environment: environment)
  }

  @Test("one input gives one object, several give an array, and JSON lines give one object per line")
  func shapes() throws {
    try sandbox.copy("expired.hex", to: "other.hex")
    let one = try decode("--json", "dump.hex")
    #expect(one.status == 0 && one.errors.isEmpty)
    #expect(one.text.hasPrefix("{\n") && one.text.hasSuffix("\n}\n"))
    #expect(try one.json()["source"]["path"] == .string("dump.hex"))
    let two = try decode("--json", "dump.hex", "other.hex")
    #expect(two.status == 0)
    #expect(try two.json().elements.map { $0["source"]["path"].text } == ["dump.hex", "other.hex"])
    #expect(try two.json()[0] == one.json())
    let lines = try decode("--ndjson", "other.hex", "dump.hex")
    #expect(try lines.ndjson() == [two.json()[1], one.json()])
    let line = try decode("--ndjson", "dump.hex")
    #expect(try line.ndjson() == [one.json()])
  }

  @Test("a dash means standard input, which must not be empty")
  func standardInput() throws {
    let outcome = try sandbox.done(["decode", "--json", "-"], input: try sandbox.bytes(of: "dump.hex"))
    #expect(try outcome.json()["source"]["path"] == .string("-"))
    #expect(try outcome.json()["trend"] == decode("--json", "dump.hex").json()["trend"])
    let empty = try sandbox.run(["decode", "--json", "-"])
    #expect(empty.status == 65)
    #expect(empty.errors.hasPrefix("libre: standard input: "))
    #expect(try empty.json()["code"] == .string("empty"))
  }

  @Test("directories are read recursively, without hidden files, and give an array")
  func recursive() throws {
    for name in ["in/a/1.hex", "in/.hidden.hex"] { try sandbox.copy("active.hex", to: name) }
    let documents = try decode("--recursive", "--json", "in").json().elements
    #expect(documents.map { $0["source"]["path"].text } == ["in/a/1.hex"])
    _ = try sandbox.shell("mkdir none")
    let none = try decode("-r", "--json", "none")
    #expect(try none.json() == .array([]) && none.status == 0)
  }

  @Test("decoding the same file twice gives the same bytes, for every time zone, home directory and language")
  func deterministic() throws {
    for format in ["--json", "--csv"] {
      let first = try decode(format, "dump.hex")
      let later = try decode(
        format, "dump.hex", environment: ["TZ": "Asia/Kolkata", "HOME": "/", "LANG": "de_DE.UTF-8"])
      #expect(later.output == first.output)
    }
    let files = try FileManager.default.subpathsOfDirectory(atPath: sandbox.path("data"))
    #expect(files.isEmpty, "decode opened the store")
  }

  @Test("tables use the zone of --time-zone, otherwise of TZ; documents stay in UTC")
  func zones() throws {
    let arguments = ["dump.hex", "--read-at", "2024-05-02T10:15:00Z"]
    func read(_ more: [String] = [], _ zone: String) throws -> String {
      try sandbox.run(["decode"] + arguments + more, environment: ["TZ": zone]).lines.first { $0.contains("  read ") }
        ?? ""
    }
    #expect(try read([], "Europe/Rome").contains("2024-05-02 12:15:00 +02:00"))
    #expect(try read(["--time-zone", "Asia/Kolkata"], "Europe/Rome").contains("2024-05-02 15:45:00 +05:30"))
    let json = try sandbox.run(["decode", "--json"] + arguments + ["--time-zone", "Europe/Rome"])
    #expect(try json.json()["read_at"] == .string("2024-05-02T10:15:00Z"))
  }

  @Test("colour is for terminals: off in a pipe unless forced, and NO_COLOR does not override an explicit option")
  func color() throws {
    let plain = try decode("dump.hex")
    #expect(!plain.text.contains("\u{1B}"))
    let colored = try decode("dump.hex", "--color", "always", environment: ["NO_COLOR": "1"])
    #expect(colored.text.contains("\u{1B}["))
    #expect(colored.text.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.text)
    #expect(try !decode("--json", "dump.hex", "--color", "always").text.contains("\u{1B}"))
    let colors: [([String: String], Bool)] = [
      ([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
    ]
    for (environment, isColored) in colors {
      let terminal = try sandbox.terminal(["decode", "dump.hex"], environment: environment)
      #expect(terminal.status() == 0 && terminal.shown.contains("\u{1B}[") == isColored, "\(environment)")
    }
  }
}
