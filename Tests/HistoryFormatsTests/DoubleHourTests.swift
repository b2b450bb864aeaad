// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import HistoryFormats

/// 27 October 2024 in Rome: 02:00 to 02:59 comes twice, first as 00:00Z, then as 01:00Z.
@Suite("The hour that occurs twice when summer time ends") struct DoubleHourTests {
  private static let undecided =
    "times in the hour that is repeated when summer time ends, with unknown summer or winter time"
  private static let skipped = "times in the hour that is skipped when summer time begins; check --time-zone"

  private struct Found: Equatable {
    var times: [String] = []
    var passedOver: [String: Int] = [:]
  }

  /// The result of reading a table.
  private func found(_ reader: any HistoryReader, _ text: String, _ options: ImportOptions = .rome) throws -> Found {
    let (entries, facts) = try reader.found(in: text, options)
    #expect(facts.hasLocalTimes)
    let times = entries.map { $0.time.map { String($0.rfc3339.dropFirst(5).prefix(11)) } ?? "none" }
    return Found(times: times, passedOver: facts.passedOver)
  }

  /// The times of LibreView's rows of one type.
  private func libreView(_ times: [String], type: Int, day: String = "27-10-2024") throws -> Found {
    let rows = times.map { time in
      let date = time.contains(" ") ? time : "\(day) \(time)"
      return "FreeStyle Libre,0M1,\(date),\(type),\(type == 0 ? "104" : ""),\(type == 1 ? "105" : ""),99\r\n"
    }
    let head =
      "Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,"
      + "Scan Glucose mg/dL,Strip Glucose mg/dL\r\n"
    return try found(LibreViewReader(), head + rows.joined())
  }

  /// A title, the local times of rows, and their times in UTC below; `-` if they are undecided.
  private static let history = """
    twice through the hour: first summer time, then winter time
    01:52 02:07 02:22 02:37 02:52 02:07 02:22 02:37 02:52 03:07
    23:52 00:07 00:22 00:37 00:52 01:07 01:22 01:37 01:52 02:07
    twice, with nothing around
    02:07 02:22 02:37 02:52 02:07 02:22 02:37 02:52
    00:07 00:22 00:37 00:52 01:07 01:22 01:37 01:52
    once, with nothing around
    02:07 02:22 02:37 02:52
    -     -     -     -
    once, with rows on both sides, and a gap of an hour before or after them
    01:52 02:07 02:22 02:37 02:52 03:07
    23:52 -     -     -     -     02:07
    once, with a gap on both sides
    23:00 02:07 02:22 02:37 02:52 07:00
    21:00 -     -     -     -     06:00
    once, next to the row before
    01:52 02:07 02:22 02:37 02:52
    23:52 00:07 00:22 00:37 00:52
    once, next to the row after
    02:07 02:22 02:37 02:52 03:07
    01:07 01:22 01:37 01:52 02:07
    once, next to the row before, and far from the row after
    01:52 02:07 02:22 02:37 02:52 07:00
    23:52 00:07 00:22 00:37 00:52 06:00
    once, next to the row after, and far from the row before
    23:00 02:07 02:22 02:37 02:52 03:07
    21:00 01:07 01:22 01:37 01:52 02:07
    a gap within the hour separates rows next to the row before from rows next to the row after
    01:52 02:07 02:52 03:07
    23:52 00:07 01:52 02:07
    the row in the middle adjoins neither
    01:45 02:00 02:30 02:58 03:07
    23:45 00:00 -     01:58 02:07
    two rows with the same time are an hour apart
    01:00 02:30 02:30 08:00
    23:00 00:30 01:30 07:00
    rows without any order are not guessed
    01:52 02:30 02:10 02:40 02:20 03:07
    23:52 -     -     -     -     02:07
    rows of which one goes back in time are not guessed
    09:00 02:22 02:37 09:15
    08:00 -     -     08:15
    """
  /// Scans and strips occur at any time: only their order decides.
  private static let irregular = """
    the second row is before the first
    01:55 02:40 02:10 08:00
    23:55 00:40 01:10 07:00
    none is before another
    01:55 02:05 02:06 08:00
    23:55 -     -     07:00
    twice in one minute, or an hour apart
    01:55 02:30 02:30 08:00
    23:55 -     -     07:00
    """

  @Test("rows that go through the hour, forwards or backwards", arguments: [(history, [0]), (irregular, [1, 2])])
  func rows(_ table: String, _ types: [Int]) throws {
    let lines = table.split(separator: "\n").map(String.init)
    for start in stride(from: 0, to: lines.count, by: 3) {
      let rows = lines[start + 1].split(separator: " ").map { $0 == "23:00" ? "26-10-2024 23:00" : String($0) }
      let times = lines[start + 2].split(separator: " ").map { ($0 > "12" ? "10-26T" : "10-27T") + String($0) }
      let decided = times.filter { !$0.hasSuffix("-") }
      let undecided = times.count - decided.count
      for (rows, times) in [(rows, decided), (rows.reversed(), decided.reversed())] {
        let expected = Found(times: times, passedOver: undecided == 0 ? [:] : [Self.undecided: undecided])
        for type in types { #expect(try libreView(rows, type: type) == expected, "\(lines[start])") }
      }
    }
  }

  @Test("each device and type is ordered separately")
  func groups() throws {
    let text = """
      Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,Scan Glucose mg/dL
      A,2024-10-27 01:52,0,100,
      B,2024-10-27 02:50,0,200,
      A,2024-10-27 02:07,0,101,
      A,2024-10-27 02:50,1,,102
      B,2024-10-27 03:05,0,201,
      A,2024-10-27 02:20,1,,103
      A,2024-10-27 03:30,1,,104
      A,2024-10-27 08:00,0,105,

      """
    let (entries, facts) = try LibreViewReader().found(in: text, .rome)
    let times = entries.map { ($0.concentration?.milligramsPerDecilitre ?? 0, $0.time?.rfc3339) }
    #expect(facts.passedOver.isEmpty)
    #expect(
      Dictionary(uniqueKeysWithValues: times) == [
        100: "2024-10-26T23:52:00Z", 101: "2024-10-27T00:07:00Z", 102: "2024-10-27T00:50:00Z",
        103: "2024-10-27T01:20:00Z", 104: "2024-10-27T02:30:00Z", 105: "2024-10-27T07:00:00Z",
        200: "2024-10-27T01:50:00Z", 201: "2024-10-27T02:05:00Z",
      ])
  }

  @Test("all tables with local times distinguish the two hours")
  func otherTables() throws {
    let times = ["01:52", "02:07", "02:52", "02:07", "02:52", "03:07"]
    let expected = Found(
      times: ["10-26T23:52", "10-27T00:07", "10-27T00:52", "10-27T01:07", "10-27T01:52", "10-27T02:07"])
    let clarity =
      "Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Glucose Value (mg/dL)\n"
      + times.map { "2024-10-27T\($0):00,EGV,104\n" }.joined()
    #expect(try found(ClarityReader(), clarity) == expected)
    let siDiary = "DAY;TIME;UDT_CGMS;BG_LEVEL\n" + times.map { "27.10.2024;\($0);104;\n" }.joined()
    #expect(try found(SiDiaryReader(), siDiary) == expected)
    let meter = times.map { "\"2024-10-27 \($0):00\",\"104.00\",\"\",\"CGM\",\"(Sensor)\"\n" }.joined()
    #expect(try found(GlucometerUtilsReader(), meter, .rome.with(unit: .milligramsPerDecilitre)) == expected)
  }

  @Test("local times that summer time skipped are ignored, and all others are read")
  func skippedHour() throws {
    #expect(
      try libreView(["01:45", "02:00", "02:30", "03:00"], type: 0, day: "31-03-2024")
        == Found(times: ["03-31T00:45", "03-31T01:00"], passedOver: [Self.skipped: 2]))
  }

  @Test("rows that are held back at an invalid row are dated as if it were not there")
  func fault() throws {
    let head = "Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL\n"
    let rows = ["01:52", "02:07"].map { "A,2024-10-27 \($0),0,104\n" }.joined()
    let (entries, facts) = try LibreViewReader().found(in: head + rows + "A,soon,0,104\n", .rome)
    let times = entries.map { $0.time?.rfc3339.dropFirst(5).prefix(11) }
    #expect(facts.refused.error == .badLine(4, "expected a date and time, got \"soon\""))
    #expect(times == ["10-26T23:52", "10-27T00:07"])
  }

  @Test("a file with only that hour and more devices than the limit is read to its end")
  func many() throws {
    let example = "Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL\n"
    let rows = (0..<9_000).map { "A\($0 % 2_500),2024-10-27 02:30,0,104\n" }.joined()
    // In blocks of at most 4096 rows and 1024 devices; one row of a device decides nothing.
    let found = try found(LibreViewReader(), example + rows)
    #expect(found == Found(passedOver: [Self.undecided: 9_000]))
  }
}
