// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import HistoryFormats

/// 27 October 2024 in Rome: 02:00 to 02:59 comes twice, first as 00:00Z, then as 01:00Z.
@Suite("The hour that occurs twice when summer time ends") struct DoubleHourTests {
  private static let undecided =
    "times in the hour that is repeated when summer time ends, with unknown summer or winter time"
  private static let skipped =
    "times in the hour that is skipped when summer time begins; check --time-zone"

  private struct Found: Equatable {
    var times: [String] = []
    var passedOver: [String: Int] = [:]
  }

  /// The result of reading a table.
  private func found(_ reader: any HistoryReader, _ text: String, _ options: ImportOptions = .rome) throws -> Found {
    var found = Found()
    let facts = try reader.read(HistoryText(text), options) { entry in
      found.times.append(entry.time.map { String($0.rfc3339.dropFirst(5).prefix(11)) } ?? "none")
    }
    found.passedOver = facts.passedOver
    #expect(facts.hasLocalTimes)
    return found
  }

  /// The times of LibreView's rows of one type.
  private func libreView(_ times: [String], type: Int = 0, day: String = "27-10-2024") throws -> Found {
    let rows = times.map { time in
      let date = time.contains(" ") ? time : "\(day) \(time)"
      return "FreeStyle Libre,0M1,\(date),\(type),\(type == 0 ? "104" : ""),\(type == 1 ? "105" : ""),99\r\n"
    }
    let head =
      "Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,"
      + "Scan Glucose mg/dL,Strip Glucose mg/dL\r\n"
    return try found(LibreViewReader(), head + rows.joined())
  }

  private let hour = ["02:07", "02:22", "02:37", "02:52"]
  private let summer = ["10-27T00:07", "10-27T00:22", "10-27T00:37", "10-27T00:52"]
  private let winter = ["10-27T01:07", "10-27T01:22", "10-27T01:37", "10-27T01:52"]

  @Test("rows that go through the hour twice are read first as summer time, then as winter time")
  func twice() throws {
    let rows = ["01:52"] + hour + hour + ["03:07"]
    let times = ["10-26T23:52"] + summer + winter + ["10-27T02:07"]
    #expect(try libreView(rows) == Found(times: times))
    #expect(try libreView(rows.reversed()) == Found(times: times.reversed()))
    // Nothing is around that hour.
    #expect(try libreView(hour + hour) == Found(times: summer + winter))
    #expect(try libreView((hour + hour).reversed()) == Found(times: (summer + winter).reversed()))
  }

  @Test("rows that go through it once are undecided if they adjoin no other rows, or rows on both sides")
  func once() throws {
    let undecided = Found(passedOver: [Self.undecided: 4])
    #expect(try libreView(hour) == undecided)
    #expect(try libreView(hour.reversed()) == undecided)
    // There is a gap of an hour before or after them.
    let between = Found(times: ["10-26T23:52", "10-27T02:07"], passedOver: undecided.passedOver)
    #expect(try libreView(["01:52"] + hour + ["03:07"]) == between)
    // A gap on both sides.
    let far = Found(times: ["10-26T21:00", "10-27T06:00"], passedOver: undecided.passedOver)
    #expect(try libreView(["26-10-2024 23:00"] + hour + ["07:00"]) == far)
  }

  @Test("rows that go through it once take the offset of the neighbouring row, if only one side adjoins")
  func neighbours() throws {
    #expect(try libreView(["01:52"] + hour) == Found(times: ["10-26T23:52"] + summer))
    #expect(try libreView(hour + ["03:07"]) == Found(times: winter + ["10-27T02:07"]))
    #expect(try libreView(["01:52"] + hour + ["07:00"]) == Found(times: ["10-26T23:52"] + summer + ["10-27T06:00"]))
    let backwards = ["03:07"] + hour.reversed() + ["26-10-2024 23:00"]
    #expect(try libreView(backwards) == Found(times: ["10-27T02:07"] + winter.reversed() + ["10-26T21:00"]))
  }

  @Test("a gap within the hour separates rows next to the row before from rows next to the row after")
  func hole() throws {
    #expect(
      try libreView(["01:52", "02:07", "02:52", "03:07"])
        == Found(times: ["10-26T23:52", "10-27T00:07", "10-27T01:52", "10-27T02:07"]))
    // The row in the middle adjoins neither.
    #expect(
      try libreView(["01:45", "02:00", "02:30", "02:58", "03:07"])
        == Found(
          times: ["10-26T23:45", "10-27T00:00", "10-27T01:58", "10-27T02:07"], passedOver: [Self.undecided: 1]))
  }

  @Test("scans and strips occur at any time: only their order decides", arguments: [1, 2])
  func irregular(type: Int) throws {
    #expect(
      try libreView(["01:55", "02:40", "02:10", "08:00"], type: type)
        == Found(times: ["10-26T23:55", "10-27T00:40", "10-27T01:10", "10-27T07:00"]))
    #expect(
      try libreView(["08:00", "02:10", "02:40", "01:55"], type: type)
        == Found(times: ["10-27T07:00", "10-27T01:10", "10-27T00:40", "10-26T23:55"]))
    #expect(
      try libreView(["01:55", "02:05", "02:06", "08:00"], type: type)
        == Found(times: ["10-26T23:55", "10-27T07:00"], passedOver: [Self.undecided: 2]))
    // Twice in one minute, or an hour apart.
    #expect(
      try libreView(["01:55", "02:30", "02:30", "08:00"], type: type)
        == Found(times: ["10-26T23:55", "10-27T07:00"], passedOver: [Self.undecided: 2]))
  }

  @Test("two history rows with the same time are an hour apart")
  func sameTime() throws {
    #expect(
      try libreView(["01:00", "02:30", "02:30", "08:00"])
        == Found(times: ["10-26T23:00", "10-27T00:30", "10-27T01:30", "10-27T07:00"]))
  }

  @Test("rows without any order are not guessed")
  func noOrder() throws {
    let rows = ["01:52", "02:30", "02:10", "02:40", "02:20", "03:07"]
    #expect(
      try libreView(rows) == Found(times: ["10-26T23:52", "10-27T02:07"], passedOver: [Self.undecided: 4]))
    #expect(
      try libreView(["09:00", "02:22", "02:37", "09:15"])
        == Found(times: ["10-27T08:00", "10-27T08:15"], passedOver: [Self.undecided: 2]))
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
    var entries: [Double: String] = [:]
    let facts = try LibreViewReader().read(HistoryText(text), .rome) { entry in
      entries[entry.concentration?.milligramsPerDecilitre ?? 0] = entry.time?.rfc3339
    }
    #expect(facts.passedOver.isEmpty)
    #expect(
      entries == [
        100: "2024-10-26T23:52:00Z", 101: "2024-10-27T00:07:00Z", 102: "2024-10-27T00:50:00Z",
        103: "2024-10-27T01:20:00Z", 104: "2024-10-27T02:30:00Z", 105: "2024-10-27T07:00:00Z",
        200: "2024-10-27T01:50:00Z", 201: "2024-10-27T02:05:00Z",
      ])
  }

  @Test("all tables with local times distinguish the two hours")
  func otherTables() throws {
    let times = ["01:52"] + hour + hour + ["03:07"]
    let expected = Found(times: ["10-26T23:52"] + summer + winter + ["10-27T02:07"])
    let clarity =
      "Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Glucose Value (mg/dL)\n"
      + times.map { "2024-10-27T\($0):00,EGV,104\n" }.joined()
    #expect(try found(ClarityReader(), clarity) == expected)
    let siDiary = "DAY;TIME;UDT_CGMS;BG_LEVEL\n" + times.map { "27.10.2024;\($0);104;\n" }.joined()
    #expect(try found(SiDiaryReader(), siDiary) == expected)
    let meter = times.map { "\"2024-10-27 \($0):00\",\"104.00\",\"\",\"CGM\",\"(Sensor)\"\n" }.joined()
    #expect(
      try found(GlucometerUtilsReader(), meter, .rome.with(unit: .milligramsPerDecilitre)) == expected)
  }

  @Test("local times that summer time skipped are ignored, and all others are read")
  func skippedHour() throws {
    #expect(
      try libreView(["01:45", "02:00", "02:30", "03:00"], day: "31-03-2024")
        == Found(times: ["03-31T00:45", "03-31T01:00"], passedOver: [Self.skipped: 2]))
  }

  @Test("rows that are held back at an invalid row are dated as if it were not there")
  func fault() throws {
    let head = "Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL\n"
    let rows = (["01:52"] + hour).map { "A,2024-10-27 \($0),0,104\n" }.joined()
    var times: [String] = []
    let facts = try LibreViewReader().read(HistoryText(head + rows + "A,soon,0,104\n"), .rome) { entry in
      times.append(String(entry.time?.rfc3339.dropFirst(5).prefix(11) ?? ""))
    }
    #expect(facts.refused.error == .badLine(7, "expected a date and time, got \"soon\""))
    #expect(times == ["10-26T23:52"] + summer)
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
