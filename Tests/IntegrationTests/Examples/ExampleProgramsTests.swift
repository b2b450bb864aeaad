// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("The example programs", .onOwnThreads, .startsProcesses)
struct ExampleProgramsTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private static let dump = Repository.dumps.appendingPathComponent("active.hex").path

  /// The program lies beside the test bundle, as the command does. It is compiled with public declarations only.
  private func run(_ name: String, _ arguments: String...) throws -> Outcome {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("\(name)Example").path
    return try sandbox.run(program: program, arguments)
  }

  @Test("DecodeBytes prints the samples of bytes with their ages")
  func decodes() throws {
    let outcome = try run("DecodeBytes", Self.dump)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.lines.first?.wholeMatch(of: #/active, [0-9]+ minutes old/#) != nil, "\(outcome)")
    #expect(outcome.lines.contains("history: 32 samples, 32 with a value"), "\(outcome)")
    #expect(outcome.lines.filter { $0.wholeMatch(of: #/  [0-9]+ min ago: [0-9]+ mg/dL/#) != nil }.count == 6)
  }

  @Test("OwnReader reads a sensor through a reader that libre does not know")
  func ownReader() throws {
    let outcome = try run("OwnReader", Self.dump)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(
      outcome.lines == [
        "read by phone on the kitchen table: 48 samples", "UID E007A0000025905E, active, time from the clock",
        "read at phone:kitchen: 48 samples", "the same memory gives the same samples: true",
      ], "\(outcome)")
  }

  @Test("OwnFormats reads dumps and histories in formats of its own, with a calibration of its own")
  func ownFormats() throws {
    let diary = sandbox.path("diary")
    try "diary 2026-01-01T08:00:00Z 5.6 mmol/L\ndiary 2026-01-01T12:00:00Z 7.1 mmol/L\n"
      .write(toFile: diary, atomically: true, encoding: .utf8)
    for (added, known) in [(2, 0), (0, 2)] {
      let outcome = try run("OwnFormats", Self.dump, diary, sandbox.path("own.sqlite"))
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      try #require(outcome.lines.count == 4, "\(outcome)")
      #expect(outcome.lines[0] == "word-and-digits: 48 samples")
      #expect(outcome.lines[1] == "format_refused: word-and-digits: the digits are not hexadecimal")
      #expect(
        outcome.lines[2].wholeMatch(of: #/([0-9]+)([0-9]) counts are \1\.\2 mg\/dL with tenth/#) != nil, "\(outcome)")
      #expect(outcome.lines[3] == "diary: \(added) values added, \(known) known")
    }
  }

  @Test("OwnSink sends a store that an actor owns to a receiver of its own, once, and again after a failure")
  func ownSink() throws {
    let outcome = try run("OwnSink", sandbox.path("own-sink.sqlite"))
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(
      outcome.lines == [
        "48 new samples", "attempt 1: 0 accepted, 32 waiting (the shelf is closed)",
        "attempt 2: 32 accepted, 0 waiting", "attempt 3: 0 accepted, 0 waiting", "32 values on the shelf",
      ], "\(outcome)")
  }

  @Test("FollowSensor reads a sensor, decodes a dump and follows the sensor")
  func reads() throws {
    let dump = Self.dump
    let outcome = try run("FollowSensor", "sim:active", dump)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let lines = outcome.lines
    try #require(lines.count == 8, "\(outcome)")
    let summary = #/[0-9.]+ mg/dL, [0-9]+ minutes old, 32 history and 16 trend samples/#
    #expect(lines[0].firstMatch(of: #/^read sim:active: /#) != nil && lines[0].firstMatch(of: summary) != nil)
    #expect(lines[1].hasPrefix("decoded \(dump): ") && lines[1].firstMatch(of: summary) != nil)
    for line in lines[2...4] { #expect(line.wholeMatch(of: #/  minute [0-9]+: [0-9.]+ mg/dL/#) != nil, "\(line)") }
    for number in 1...3 {
      let line = lines[4 + number]
      #expect(line.hasPrefix("reading \(number): ") && line.firstMatch(of: summary) != nil, "\(line)")
    }
  }
}
