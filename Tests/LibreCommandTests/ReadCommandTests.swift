// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `libre read` on simulated and recorded sensors; on real readers' software in IntegrationTests.
struct ReadCommandTests {
  private let sandbox = Sandbox.new(["active.hex": "dump.hex"])

  private func read(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try sandbox.run(["read"] + arguments, environment: environment)
  }

  @Test("a reading is dated by the clock, and an option omits its samples: the sensor and the current value stay")
  func noSamples() throws {
    let whole = try read("--json", "--reader", "sim:dump.hex").json()
    #expect(whole["read_at_source"].text == "clock" && whole["reader"]["address"].text == "sim:dump.hex")
    let short = try read("--json", "--no-samples", "--reader", "sim:dump.hex").json()
    #expect(short["history"] == .null && short["trend"] == .null && short.keys == whole.keys)
    #expect(short["current"] == whole["current"] && short["sensor"]["uid"] == whole["sensor"]["uid"])
    #expect(try sandbox.run("decode", "--no-samples", "--ndjson", "dump.hex").ndjson()[0]["trend"] == .null)
  }

  @Test("--save stores the memory: as hex with UID and time, or raw")
  func save() throws {
    for name in ["scan.hex", "scan.bin"] {
      let reading = try read("--json", "--reader", "sim:dump.hex", "--save", name).json()
      let decoded = try sandbox.run("decode", "--json", name).json()
      #expect(decoded.measured == reading.measured)
      #expect(decoded["sensor"]["uid"] == (name == "scan.hex" ? reading["sensor"]["uid"] : .null))
      #expect(decoded["read_at"] == (name == "scan.hex" ? reading["read_at"] : .null))
    }
    #expect(try read("--reader", "sim:active", "--save", "no/such/folder/scan.hex").status == 73)
  }

  @Test("on a terminal that is shorter than the table, the current value is the last line too")
  func shortTerminal() throws {
    let arguments = ["read", "--reader", "sim:dump.hex", "--no-store", "--color", "never"]
    func values(_ terminal: TerminalProgram) throws -> (count: Int, isLast: Bool) {
      #expect(terminal.status() == 0)
      let lines = terminal.shown.split(separator: "\n").filter { !$0.hasPrefix("libre: ") }
      let value = try #require(lines.first { $0.contains(" per minute, ") })
      return (lines.count { $0 == value }, lines.last == value)
    }
    #expect(try values(sandbox.terminal(arguments, lines: 24)) == (2, true))
    #expect(try values(sandbox.terminal(arguments, lines: 200)) == (1, false))
    #expect(try values(sandbox.terminal(arguments + ["--no-samples"], lines: 24)) == (1, false))
  }

  @Test("--trace writes a transcript, which replays to the same reading without the UID")
  func trace() throws {
    let reading = try read("--json", "--reader", "sim:dump.hex", "--trace", "t.trace").json()
    let replayed = try read("--json", "--reader", "replay:t.trace")
    #expect(replayed.status == 0, "\(replayed.errors)")
    let again = try replayed.json()
    #expect(again.measured == reading.measured)
    #expect(again["read_at"] == reading["read_at"] && again["read_at_source"] == .string("file"))
    #expect(again["sensor"]["uid"] == .null && again["sensor"]["patch_info"] == reading["sensor"]["patch_info"])
    let shown = try read("--json", "--reader", "sim:dump.hex", "--trace", "u.trace", "--show-identifiers").json()
    #expect(try read("--json", "--reader", "replay:u.trace").json()["sensor"]["uid"] == shown["sensor"]["uid"])
  }

  @Test("an incomplete read decodes to nothing, and is saved as incomplete")
  func brokenOff() throws {
    _ = try read("--reader", "sim:dump.hex", "--trace", "t.trace")
    let lines = sandbox.text(of: "t.trace").split(separator: "\n")
    try sandbox.write(lines.filter { !$0.hasPrefix("#") }.prefix(9).joined(separator: "\n"), to: "half.trace")
    let outcome = try read("--json", "--reader", "replay:half.trace", "--save", "half.bin")
    #expect(outcome.status == 65)
    #expect(try outcome.json()["code"] == .string("trace_ended"))
    let kept = sandbox.text(of: "half.bin")
    #expect(kept.contains("# Incomplete") && kept.contains("# missing-blocks: 21-42"))
    // A recording that does not say when it was made has no time, least of all today's.
    #expect(!kept.contains("# read-at"))
  }

  @Test("of a sensor that shows no block nothing is saved, and its product is reported by name")
  func unsupported() throws {
    let outcome = try read("--json", "--reader", "sim:libre3:7", "--save", "kept.hex", "--trace", "libre3.trace")
    #expect(outcome.status == 65, "\(outcome.errors)")
    let document = try outcome.json()
    #expect(document["code"] == .string("unsupported_family") && document["family"] == .string("libre3"))
    #expect(document["product"] == .string("FreeStyle Libre 3 Plus"))
    let sensor = document["sensor"]
    #expect(sensor["state"] == .string("paired") && sensor["max_life_minutes"] == .number(21_600))
    let serial = try #require(sensor["serial"].text)
    #expect(!sandbox.has("kept.hex"))
    let table = try read("--reader", "sim:libre3:7")
    #expect(
      table.text == """
        FreeStyle Libre 3 Plus \(serial): paired, made for 15 d 0 h
          product  FreeStyle Libre 3 Plus, as only one program calls it

        """)
    #expect(table.status == 65 && table.errors.contains("Bluetooth only") && !table.errors.contains(serial))
    // A recording without identifiers has no serial number.
    let replayed = try read("--json", "--reader", "replay:libre3.trace").json()["sensor"]
    #expect(replayed["serial"] == .null && replayed["state"] == sensor["state"])
  }

  @Test("every document and table names the product of the patch info, and one without it names none")
  func product() throws {
    let text = sandbox.text(of: try sandbox.copy("libre2.hex", to: "libre2.hex"))
    // A Libre 2 Plus has the cipher of a Libre 2.
    try sandbox.write(text.replacing("# patch-info: 9D0830", with: "# patch-info: C60931"), to: "plus.hex")
    let name = "FreeStyle Libre 2 Plus"
    let reading = try read("--json", "--reader", "sim:plus.hex", "--store", "s.sqlite").json()
    #expect(reading["sensor"]["product"] == .string(name) && reading["sensor"]["family"] == .string("libre2"))
    for command in [["sensors"], ["sensor", "show"], ["latest"], ["latest", "--json"], ["status", "--json"]] {
      #expect(try sandbox.run(command + ["--store", "s.sqlite"]).text.contains(name), "\(command)")
    }
    let csv = try sandbox.run("decode", "--csv", "plus.hex").lines
    #expect(csv[0].hasSuffix(",product") && csv[1].hasSuffix(",\(name)"))
    try sandbox.write(text.replacing(/# patch-info.*/, with: "#"), to: "without.hex")
    #expect(try sandbox.run("decode", "--json", "without.hex").json()["sensor"]["product"] == .null)
  }

  @Test("read says that a simulated reading is not stored, unless a store is named or none is wanted")
  func simulatedNotStored() throws {
    let words = "a simulated reading is not stored"
    #expect(try read("--reader", "sim:active").errors.contains(words))
    for option in [["--no-store"], ["--store", "named.sqlite"], ["--quiet"]] {
      #expect(try !sandbox.run(["read", "--reader", "sim:active"] + option).errors.contains(words))
    }
  }
}

struct WatchCommandTests {
  private let sandbox = Sandbox.new()

  @Test("watch reads as often as requested, one reading on a line, and replays a recording to its end")
  func count() throws {
    let outcome = try sandbox.run(
      "watch", "--ndjson", "--count", "3", "--interval", "0.05", "--reader", "sim:active", "--trace", "t.trace")
    for outcome in [outcome, try sandbox.run("watch", "--ndjson", "--reader", "replay:t.trace")] {
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try outcome.ndjson().map { $0["schema"].text } == Array(repeating: "libre.reading/1", count: 3))
    }
    try sandbox.write("", to: "empty.trace")
    #expect(try sandbox.run("watch", "--reader", "replay:empty.trace").status == 65)
    // It continues after a failed read, and ends with the highest status.
    let failed = try sandbox.run(
      "watch", "--ndjson", "--count", "2", "--interval", "0.05", "--reader", "sim:blank-ones")
    #expect(try failed.status == 65 && failed.ndjson().map { $0["code"].text } == ["blank_memory", "blank_memory"])
  }

  @Test("Ctrl-C ends watch with status 130 and a complete document", arguments: [SIGINT, SIGTERM])
  func interrupt(signal: Int32) throws {
    // A simulated sensor stays on the reader, so that there is one reading.
    let program = try sandbox.start(["watch", "--json", "--reader", "sim:active"])
    defer { program.send(SIGKILL) }
    try eventually("the reading is written") { try program.lines().contains { $0.contains("\"problems\"") } }
    program.send(signal)
    let outcome = try program.outcome()
    #expect(outcome.status == 130, "\(outcome.errors)")
    #expect(try outcome.json().elements.count == 1)
  }
}
