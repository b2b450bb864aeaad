// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import HostSystem
import LibreDocuments
import LibreKit
import Testing

/// All tests that change or look at this process's time zone: one after the other.
@Suite("Local time", .serialized)
struct LocalTimeTests {
  /// Runs `body` with a zone and puts back what was before.
  func inZone(_ name: String, _ body: () throws -> Void) rethrows {
    let before = getenv("TZ").map { String(cString: $0) }
    defer {
      if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
      tzset()
    }
    #expect(LocalTime.setZone(name))
    try body()
  }

  private let summer = Instant(secondsSince1970: 1_714_644_900)
  private let winter = Instant(secondsSince1970: 1_705_313_700)

  @Test("is two hours ahead in Rome in summer, one in winter")
  func rome() {
    inZone("Europe/Rome") {
      #expect(LocalTime.offsetSeconds(at: summer) == 7_200)
      #expect(LocalTime.offsetSeconds(at: winter) == 3_600)
      #expect(LocalTime.text(summer) == "2024-05-02 12:15:00 +02:00")
      #expect(LocalTime.text(winter) == "2024-01-15 11:15:00 +01:00")
    }
  }

  @Test("is four hours behind in New York in summer, five in winter")
  func newYork() {
    inZone("America/New_York") {
      #expect(LocalTime.text(summer) == "2024-05-02 06:15:00 -04:00")
      #expect(LocalTime.text(winter) == "2024-01-15 05:15:00 -05:00")
    }
  }

  @Test("knows zones of half hours, and days that change on the way")
  func oddZones() {
    inZone("Asia/Kolkata") { #expect(LocalTime.text(summer) == "2024-05-02 15:45:00 +05:30") }
    inZone("Pacific/Kiritimati") { #expect(LocalTime.text(summer) == "2024-05-03 00:15:00 +14:00") }
    inZone("UTC") { #expect(LocalTime.text(summer) == "2024-05-02 10:15:00 +00:00") }
  }

  @Test("agrees with Foundation at the two edges of daylight saving")
  func edges() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Rome"))
    inZone("Europe/Rome") {
      for edge in [1_711_846_800, 1_729_990_800] as [Int64] {
        for second in edge - 2...edge + 2 {
          #expect(
            LocalTime.offsetSeconds(at: Instant(secondsSince1970: second))
              == zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second))))
        }
      }
    }
  }

  @Test("a time on the wall is one moment, two in the hour that comes twice, none in the one that is left out")
  func wallTimes() {
    func moments(_ hour: Int, _ minute: Int, month: Int, day: Int) -> [String]? {
      guard let wall = CivilTime(year: 2024, month: month, day: day, hour: hour, minute: minute) else { return nil }
      #expect(LocalTime.instant(of: wall) == LocalTime.moments(of: wall).first)
      return LocalTime.moments(of: wall).map(\.rfc3339)
    }
    inZone("Europe/Rome") {
      #expect(moments(12, 15, month: 5, day: 2) == ["2024-05-02T10:15:00Z"])
      #expect(moments(1, 59, month: 10, day: 27) == ["2024-10-26T23:59:00Z"])
      #expect(moments(2, 0, month: 10, day: 27) == ["2024-10-27T00:00:00Z", "2024-10-27T01:00:00Z"])
      #expect(moments(2, 59, month: 10, day: 27) == ["2024-10-27T00:59:00Z", "2024-10-27T01:59:00Z"])
      #expect(moments(3, 0, month: 10, day: 27) == ["2024-10-27T02:00:00Z"])
      #expect(moments(2, 30, month: 3, day: 31) == [])
    }
    // Half an hour.
    inZone("Australia/Lord_Howe") {
      #expect(moments(1, 45, month: 4, day: 7) == ["2024-04-06T14:45:00Z", "2024-04-06T15:15:00Z"])
    }
  }

  @Test(
    "refuses a name that is no zone, and changes nothing",
    arguments: [
      "Mars/Olympus", "Europe", "Europe/", "", "/usr/share/zoneinfo/Europe/Rome", "../zoneinfo/Europe/Rome",
      "Europe/../Europe/Rome", "europe/rome", "Rome", "+02:00",
    ])
  func unknown(name: String) {
    inZone("America/New_York") {
      #expect(!LocalTime.isZone(name))
      #expect(!LocalTime.setZone(name))
      #expect(LocalTime.offsetSeconds(at: summer) == -14_400)
    }
  }

  @Test(
    "refuses the files beside the zones that are none: libc would take them for UTC without a word",
    arguments: ["zone.tab", "zone1970.tab", "iso3166.tab", "tzdata.zi", "leap-seconds.list"])
  func notZones(name: String) {
    #expect(!LocalTime.isZone(name))
  }

  // MARK: The table, whose times are local

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

  @Test("a table tells the sensor, the value of now and every sample with its local time")
  func wholeTable() throws {
    try inZone("Europe/Rome") {
      let text = try table(LiteralMemory().bytes)
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines[0] == "FreeStyle Libre 0M00009DHCR: active, 16 h 40 min old, made for 14 d 7 h")
      #expect(text.contains("dump.bin (raw)"))
      #expect(text.contains("2024-05-02 12:15:00 +02:00 (as given)"))
      // The age is 16 h 40 min; 20 630 minutes later it ends.
      #expect(text.contains("2024-05-01 19:35:00 +02:00, ends 2024-05-16 03:25:00 +02:00"))
      #expect(text.contains("E007A0000025905E, patch info DF0000010000"))
      #expect(text.contains("header ok, body ok, footer ok"))
      #expect(text.contains("i2 803, i3 18, i4 6931, i5 8804, i6 6536"))
      #expect(text.contains(/108 mg\/dL → +\+?0\.00 mg\/dL a minute, 2024-05-02 12:15:00 \+02:00/))
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

  @Test("a table in mmol/L shows values with one decimal, and the rate in mmol/L too")
  func millimoles() throws {
    try inZone("UTC") {
      let text = try table(LiteralMemory().bytes, unit: .millimolesPerLitre)
      #expect(text.contains(/6\.0 mmol\/L → +\+?0\.0+ mmol\/L a minute/))
      let cells = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(cells.contains(["minute", "time", "mmol/L", "°C", "counts", "quality"]))
      #expect(cells.contains(["1000", "2024-05-02", "10:15:00", "+00:00", "6.0", "32.0", "1319", "ok"]))
    }
  }

  @Test("a table of a dump without a read time has minutes and no times, and says how to add one")
  func timeless() throws {
    let text = try table(LiteralMemory().bytes, readAt: nil)
    #expect(text.contains("--read-at"))
    #expect(!text.contains("started") && !text.contains("2024-"))
    let cells = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(cells.contains(["minute", "mg/dL", "°C", "counts", "quality"]))
    #expect(cells.contains(["1000", "108", "32.0", "1319", "ok"]))
    #expect(text.contains("minute 1000"))
  }

  @Test("a table tells every problem with its way out, and why a sample has no value")
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

  @Test("a table has the disclaimer for a sensor without samples too")
  func noSamples() throws {
    let text = try table(LiteralMemory(state: 1, age: 0).bytes)
    #expect(text.contains("not activated"))
    #expect(text.contains("Trend: no samples") && text.contains("History: no samples"))
    #expect(!text.contains("started"))
    #expect(text.hasSuffix(Program.disclaimer + "\n"))
  }

  @Test("a table has colour only if asked for, and the same words with and without")
  func color() throws {
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
