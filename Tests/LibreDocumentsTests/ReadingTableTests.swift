// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreDocuments
import LibreKit
import TestSupport
import Testing

struct ReadingTableTests {
  private func table(
    _ bytes: [UInt8], readAt: Instant? = LiteralMemory.readAt, unit: GlucoseUnit = .milligramsPerDecilitre,
    colored: Bool = false, path: String? = "dump.bin", salvage: Bool = false
  ) throws -> String {
    var options = DecodeOptions()
    options.uid = LiteralMemory.uid
    options.patchInfo = LiteralMemory.patchInfo
    options.salvage = salvage
    if let readAt { options.readTime = .at(readAt) }
    let reading = try DumpDecoder(options: options).decode(bytes, path: path)
    return ReadingTable(unit: unit, style: Style(isColored: colored)).text(of: reading)
  }

  @Test("a table shows the sensor, the current value and every sample with its local time")
  func wholeTable() throws {
    try ProcessTimeZone.set("Europe/Rome") {
      let text = try table(LiteralMemory().bytes)
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines[0] == "FreeStyle Libre 0M00009DHCR: active, 16 h 40 min old, made for 14 d 7 h")
      #expect(text.contains("dump.bin (raw)"))
      #expect(text.contains("2024-05-02 12:15:00 +02:00 (from --read-at)"))
      // The age is 16 h 40 min; 20 630 minutes later it ends.
      #expect(text.contains("2024-05-01 19:35:00 +02:00, ends 2024-05-16 03:25:00 +02:00"))
      #expect(text.contains("E007A0000025905E, patch info DF0000010000"))
      #expect(text.contains("header ok, body ok, footer ok"))
      #expect(text.contains("i2 803, i3 18, i4 6931, i5 8804, i6 6536"))
      #expect(text.contains(/108 mg\/dL → +\+?0\.00 mg\/dL per minute, 2024-05-02 12:15:00 \+02:00/))
      let cells = lines.map { $0.split(separator: " ").map(String.init) }
      #expect(cells.contains(["1000", "2024-05-02", "12:15:00", "+02:00", "108", "32.0", "1319", "ok"]))
      #expect(cells.contains(["985", "2024-05-02", "12:00:00", "+02:00", "108", "32.0", "1319", "ok"]))
      #expect(cells.contains(["990", "2024-05-02", "12:05:00", "+02:00", "108", "32.0", "1319", "ok"]))
      #expect(cells.contains(["525", "2024-05-02", "04:20:00", "+02:00", "108", "32.0", "1319", "ok"]))
      #expect(cells.count { $0.last == "ok" && $0.count == 8 } == 48)
      #expect(lines.last == Program.disclaimer)
      #expect(text.hasSuffix("\n"))
    }
  }

  @Test("a table names the software that its values follow, and the one that shows others")
  func claim() throws {
    func table(_ calibration: CalibrationChoice) throws -> String {
      var options = DecodeOptions()
      options.calibration = calibration
      let reading = try DumpDecoder(options: options).decode(LiteralMemory().bytes)
      return ReadingTable(unit: .milligramsPerDecilitre, style: Style(isColored: false)).text(of: reading)
    }
    let entry = try #require(CalibrationEntry.named("reader"))
    for words in [entry.summary, try #require(entry.caution)] {
      #expect(
        try table(#require(CalibrationChoice("reader"))).contains(" \(words)\n") && !table(.factory).contains(words))
    }
  }

  @Test("a table in mmol/L shows values with one decimal, and the rate also in mmol/L")
  func millimoles() throws {
    try ProcessTimeZone.set("UTC") {
      let text = try table(LiteralMemory().bytes, unit: .millimolesPerLitre)
      #expect(text.contains(/6\.0 mmol\/L → +\+?0\.0+ mmol\/L per minute/))
      let cells = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(cells.contains(["minute", "time", "mmol/L", "°C", "counts", "quality"]))
      #expect(cells.contains(["1000", "2024-05-02", "10:15:00", "+00:00", "6.0", "32.0", "1319", "ok"]))
    }
  }

  @Test("a table of a dump without a read time has minutes but no times, and explains how to add a read time")
  func timeless() throws {
    let text = try table(LiteralMemory().bytes, readAt: nil)
    #expect(text.contains("--read-at"))
    #expect(!text.contains("started") && !text.contains("2024-"))
    let cells = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(cells.contains(["minute", "mg/dL", "°C", "counts", "quality"]))
    #expect(cells.contains(["1000", "108", "32.0", "1319", "ok"]))
    #expect(text.contains("minute 1000"))
  }

  @Test("a table shows every problem with a fix, and why a sample has no value")
  func problems() throws {
    var memory = LiteralMemory()
    memory.setTrend(
      minute: 999, LiteralMemory.record(glucose: 1_319, temperature: 6_552, hasError: true, errorField: 0x020))
    let badFooter = memory.damaged { $0.bytes[323] ^= 1 }
    let text = try table(badFooter)
    #expect(text.contains("footer bad"))
    #expect(text.contains("Note: the footer has the checksum"))
    #expect(text.contains("\n  Try: "))
    #expect(text.contains("error: rf interference"))
    #expect(text.contains("–"))
    #expect(text.hasSuffix(Program.disclaimer + "\n"))
  }

  @Test("a table has the disclaimer also for a sensor without samples")
  func noSamples() throws {
    let text = try table(LiteralMemory(state: 1, age: 0).bytes)
    #expect(text.contains("not activated"))
    #expect(text.contains("Trend: no samples") && text.contains("History: no samples"))
    #expect(!text.contains("started"))
    #expect(text.hasSuffix(Program.disclaimer + "\n"))
  }

  @Test("a table has colour only on request, and the same words with and without")
  func color() throws {
    // Times are those of a zone that other tests set.
    try ProcessTimeZone.set("UTC") {
      let damaged = LiteralMemory().damaged { $0.bytes[323] ^= 1 }
      for bytes in [LiteralMemory().bytes, damaged, LiteralMemory(state: 1, age: 0).bytes] {
        let plain = try table(bytes)
        #expect(!plain.contains("\u{1B}"))
        let colored = try table(bytes, colored: true)
        #expect(colored.contains("\u{1B}["))
        #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
      }
    }
  }
}
