// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreDocuments
import LibreKit
import TestSupport
import Testing

struct ReadingTableTests {
  private func table(
    _ bytes: [UInt8] = LiteralMemory().bytes, readAt: Instant? = LiteralMemory.readAt,
    unit: GlucoseUnit = .milligramsPerDecilitre, colored: Bool = false, calibration: CalibrationChoice = .factory
  ) throws -> String {
    var options = DecodeOptions()
    (options.uid, options.patchInfo) = (LiteralMemory.uid, LiteralMemory.patchInfo)
    options.calibration = calibration
    if let readAt { options.readTime = .at(readAt) }
    let reading = try DumpDecoder(options: options).decode(bytes, path: "dump.bin")
    return ReadingTable(unit: unit, style: Style(isColored: colored)).text(of: reading)
  }

  @Test("a table shows the sensor, the current value and every sample with its local time")
  func wholeTable() throws {
    try ProcessTimeZone.set("Europe/Rome") {
      let text = try table()
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines[0] == "FreeStyle Libre 0M00009DHCR: active, 16 h 40 min old, made for 14 d 7 h")
      for part in [
        "dump.bin (raw)", "2024-05-02 12:15:00 +02:00 (from --read-at)",
        // The age is 16 h 40 min; 20 630 minutes later it ends.
        "2024-05-01 19:35:00 +02:00, ends 2024-05-16 03:25:00 +02:00", "E007A0000025905E, patch info DF0000010000",
        "header ok, body ok, footer ok", "i2 803, i3 18, i4 6931, i5 8804, i6 6536",
      ] { #expect(text.contains(part)) }
      #expect(text.contains(/108 mg\/dL → +\+?0\.00 mg\/dL per minute, 2024-05-02 12:15:00 \+02:00/))
      let cells = lines.map { $0.split(separator: " ").map(String.init) }
      for (minute, time) in [("1000", "12:15:00"), ("985", "12:00:00"), ("990", "12:05:00"), ("525", "04:20:00")] {
        #expect(cells.contains([minute, "2024-05-02", time, "+02:00", "108", "32.0", "1319", "ok"]))
      }
      #expect(cells.count { $0.last == "ok" && $0.count == 8 } == 48)
      #expect(text.hasSuffix("\n\(Program.disclaimer)\n"))
    }
  }

  @Test("a table names the software that its values follow, and the one that shows others")
  func claim() throws {
    let entry = try #require(CalibrationEntry.named("reader"))
    let (reader, factory) = (try table(calibration: #require(CalibrationChoice("reader"))), try table())
    for words in [entry.summary, try #require(entry.caution)] {
      #expect(reader.contains(" \(words)\n") && !factory.contains(words))
    }
  }

  @Test("a table in mmol/L shows values with one decimal, and the rate also in mmol/L")
  func millimoles() throws {
    try ProcessTimeZone.set("UTC") {
      let text = try table(unit: .millimolesPerLitre)
      #expect(text.contains(/6\.0 mmol\/L → +\+?0\.0+ mmol\/L per minute/))
      let cells = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(cells.contains(["minute", "time", "mmol/L", "°C", "counts", "quality"]))
      #expect(cells.contains(["1000", "2024-05-02", "10:15:00", "+00:00", "6.0", "32.0", "1319", "ok"]))
    }
  }

  @Test("a table of a dump without a read time has minutes but no times, and explains how to add a read time")
  func timeless() throws {
    let text = try table(readAt: nil)
    #expect(text.contains("--read-at") && text.contains("minute 1000"))
    #expect(!text.contains("started") && !text.contains("2024-"))
    let cells = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(cells.contains(["minute", "mg/dL", "°C", "counts", "quality"]))
    #expect(cells.contains(["1000", "108", "32.0", "1319", "ok"]))
  }

  @Test("a table shows every problem with a fix, and why a sample has no value")
  func problems() throws {
    var memory = LiteralMemory()
    memory.setTrend(
      minute: 999, LiteralMemory.record(glucose: 1_319, temperature: 6_552, hasError: true, errorField: 0x020))
    let text = try table(memory.damaged { $0.bytes[323] ^= 1 })
    for part in ["footer bad", "Note: the footer has the checksum", "\n  Try: ", "error: rf interference", "–"] {
      #expect(text.contains(part))
    }
    #expect(text.hasSuffix(Program.disclaimer + "\n"))
  }

  @Test("a table has the disclaimer also for a sensor without samples")
  func noSamples() throws {
    let text = try table(LiteralMemory(state: 1, age: 0).bytes)
    #expect(text.contains("not activated") && !text.contains("started"))
    #expect(text.contains("Trend: no samples") && text.contains("History: no samples"))
    #expect(text.hasSuffix(Program.disclaimer + "\n"))
  }

  @Test("a table has colour only on request, and the same words with and without")
  func color() throws {
    // Times are those of a zone that other tests set.
    try ProcessTimeZone.set("UTC") {
      let damaged = LiteralMemory().damaged { $0.bytes[323] ^= 1 }
      for bytes in [LiteralMemory().bytes, damaged, LiteralMemory(state: 1, age: 0).bytes] {
        let (plain, colored) = (try table(bytes), try table(bytes, colored: true))
        #expect(!plain.contains("\u{1B}") && colored.contains("\u{1B}["))
        #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
      }
    }
  }
}
