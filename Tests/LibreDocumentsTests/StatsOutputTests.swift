// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Libre1Core
import LibreDocuments
import LibreKit
import NFCTransport
import SampleStore
import SensorHistory
import StoreTestSupport
import TestSupport
import Testing
import TextFormats

struct StatsOutputTests {
  /// 60, 100, 140 and 200 mg/dL in one hour of one day.
  private let statistics: StatisticsByDay
  private let byDay: GroupedStatistics
  private let metrics: GlucoseMetrics
  private let from: Instant

  private static let utc = WallClock(LocalClock(zoneName: "UTC") { _ in 0 })

  init() throws {
    from = try #require(Instant(rfc3339: "2024-05-02T10:00:00Z"))
    let values = Self.values([60, 100, 140, 200], from: from)
    statistics = StatisticsByDay(values, from: from, to: from.adding(minutes: 75), clock: .utc)
    byDay = GroupedStatistics(values, by: .day, from: from, to: from.adding(minutes: 75), clock: Self.utc)
    metrics = try #require(GlucoseMetrics(values.points, percentActive: 80, clock: Self.utc))
  }

  @Test("the CSV output is exactly as expected")
  func csv() {
    #expect(
      StatsCSV.text(of: byDay, provenance: Self.provenance, unit: .milligramsPerDecilitre) == """
        date,values,expected,percent_of_expected,mean_mg_dl,sd_mg_dl,min_mg_dl,max_mg_dl,cv_percent,percent_below,percent_in_range,percent_above,first,last,calibration,left_out,tool
        2024-05-02,4,5,80,125,59.7216,60,200,47.7773,25,50,25,2024-05-02T10:00:00Z,2024-05-02T10:45:00Z,factory,3,\(Program.tool)

        """)
    #expect(
      StatsCSV.text(of: byDay, provenance: Self.provenance, unit: .millimolesPerLitre).hasSuffix(
        "2024-05-02,4,5,80,125,59.7216,60,200,47.7773,25,50,25,6.9374,3.3145,3.33,11.0999,2024-05-02T10:00:00Z,2024-05-02T10:45:00Z,factory,3,\(Program.tool)\n"
      ))
  }

  /// Values of another program, one after the other.
  private static func values(_ milligrams: [Double], from: Instant, every minutes: Int = 15) -> QuarterHours {
    var values = QuarterHours()
    for (index, value) in milligrams.enumerated() {
      values.add(.value(value, at: from.adding(minutes: minutes * index)))
    }
    return values
  }

  private func json(
    _ statistics: StatisticsByDay, _ groups: GroupedStatistics, metrics: GlucoseMetrics? = nil, from: Instant? = nil,
    unit: GlucoseUnit = .milligramsPerDecilitre, includesSamples: Bool = false
  ) throws -> JSONValue {
    try JSONValue {
      StatsJSON.write((statistics, groups, metrics, Self.provenance, from, nil, unit, includesSamples), to: &$0)
    }
  }

  private static let provenance = HistoryProvenance(
    first: Instant(rfc3339: "2024-05-02T10:00:00Z"), last: Instant(rfc3339: "2024-05-02T10:45:00Z"),
    calibration: "factory", leftOut: ["flagged": 3])

  @Test("the table is exactly as expected")
  func table() {
    let (text, millimoles) = (table(.milligramsPerDecilitre), table(.millimolesPerLitre))
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines[0] == "day values of all mean SD CV min max below 70–180 above")
    #expect(lines[1] == "2024-05-02 4 80 % 125 60 48 % 60 200 25 % 50 % 25 %")
    #expect(lines[2] == "all 4 80 % 125 60 48 % 60 200 25 % 50 % 25 %")
    #expect(lines.contains { $0.contains("low, 54–69 25 %") && $0.contains("eA1C 6.0 %") })
    #expect(
      lines[lines.count - 2].contains("Not enough data for a report: it needs 14 days with 70 % of their values."))
    #expect(millimoles.contains("3.9–10.0") && millimoles.contains("6.9"))
  }

  private func table(_ unit: GlucoseUnit) -> String {
    StatsTable(unit: unit, style: Style(isColored: false))
      .text(of: statistics, groups: byDay, metrics: metrics, provenance: Self.provenance)
  }

  @Test("the document has both units")
  func document() throws {
    let json = try json(statistics, byDay, metrics: metrics, from: from, unit: .millimolesPerLitre)
    #expect(json["schema"] == .string("libre.stats/1") && json["by"] == .string("day"))
    #expect(json["from"] == .string("2024-05-02T10:00:00Z") && json["to"] == .null)
    #expect(json["first"] == .string("2024-05-02T10:00:00Z") && json["last"] == .string("2024-05-02T10:45:00Z"))
    #expect(json["calibration"] == .string("factory") && json["tool"] == .string(Program.tool))
    #expect(json["left_out"] == .number(3) && json["left_out_reasons"][0]["reason"] == .string("flagged"))
    #expect(json["range_low_mg_dl"] == .number(70) && json["range_high_mg_dl"] == .number(180))
    #expect(json["is_enough_for_report"] == .bool(false) && json["days_without_values"] == .number(0))
    let day = json["days"][0]
    #expect(day["date"] == .string("2024-05-02") && day["values"] == .number(4) && day["expected"] == .number(5))
    #expect(day["percent_of_expected"] == .number(80) && day["is_enough"] == .bool(true))
    #expect(day["mean_mg_dl"] == .number(125) && day["sd_mg_dl"] == .number(59.7216))
    #expect(day["mean_mmol_l"] == .number(6.9374) && day["cv_percent"] == .number(47.7773))
    #expect(json["total"]["percent_in_range"] == .number(50))
    let numbers = json["metrics"]
    #expect(numbers["percent_low"] == .number(25) && numbers["percent_high"] == .number(25))
    #expect(numbers["gmi_percent"] == .number(6.3) && numbers["gri"] == .number(80))
    #expect(numbers["mage_algorithm"].text?.contains("iglu") == true && numbers["modd_mg_dl"] == .null)
    #expect(numbers["episodes"].elements.map { $0["kind"] }.contains(.string("prolonged_low")))
  }

  @Test("each row of a table, CSV and JSON is labelled with its day, hour, week, month, sensor or source")
  func labels() throws {
    var values = QuarterHours()
    let identity = SensorIdentity(
      uid: try SensorUID(printed: "E007A0000025905E"), fingerprint: nil, serial: "0M00009DHCR", family: .libre1)
    // The last Monday of 2024 is in the first week of 2025.
    let monday = try #require(Instant(rfc3339: "2024-12-30T08:00:00Z"))
    let raw = RawSample(
      ring: .history, minute: SensorMinute(45), glucose: 1_000, temperature: 6_000, temperatureAdjustment: 0,
      hasError: false, errorField: 0, isNeverWritten: false)
    let concentration = GlucoseConcentration(milligramsPerDecilitre: 100)
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: 30, concentration: concentration, quality: .ok, time: monday)
    values.add(
      .sensor(StoredSample(sensor: identity, wear: 2, sample: sample, calibration: nil, isSalvaged: false)))
    values.add(.value(200, at: monday.adding(minutes: 30), device: "LibreLink"))
    func groups(_ grouping: StatisticsGrouping) -> GroupedStatistics {
      GroupedStatistics(values, by: grouping, from: monday, to: monday.adding(minutes: 59), clock: Self.utc)
    }
    let names: [StatisticsGrouping: [String]] = [
      .hour: ["08:00"], .day: ["2024-12-30"], .week: ["2025-W01"], .month: ["2024-12"],
      .sensor: ["0M00009DHCR, wear 2", "imported libreview LibreLink"],
    ]
    for (grouping, names) in names {
      let rows = try CSVRows.of(
        StatsCSV.text(of: groups(grouping), provenance: Self.provenance, unit: .milligramsPerDecilitre))
      #expect(rows.map(\.first) == [grouping == .day ? "date" : grouping.rawValue] + names)
      let byDay = StatisticsByDay(values, from: nil, to: nil, clock: .utc)
      let json = try json(byDay, groups(grouping), includesSamples: true)
      #expect(json["by"] == .string(grouping.rawValue) && json["days"].elements.count == 1)
      #expect(json["groups"].elements.map { $0["label"].text } == names)
      #expect(json["groups"].elements.flatMap { $0["samples"].elements }.count == 2)
      #expect(
        json["groups"][0]["from"] == (grouping == .hour ? .null : .string("2024-12-30T08:00:00Z")), "\(grouping)")
      #expect(json["groups"][0]["serial"] == (grouping == .sensor ? .string("0M00009DHCR") : .null))
      #expect(
        json["groups"].elements.map { $0["source"] }
          == (grouping == .sensor ? [.string("libre"), .string("libreview")] : [.null]))
    }
  }

  @Test("for a sensor without any known read time, days are counted from its start and dates are null")
  func undated() throws {
    let values = Self.values([100, 100], from: Instant(secondsSince1970: 1_800), every: 1_470)
    let statistics = StatisticsByDay(values, from: nil, to: nil, clock: .utc)
    let groups = GroupedStatistics(values, by: .day, from: nil, to: nil, clock: .sensorAge)
    let table = StatsTable(unit: .milligramsPerDecilitre, style: Style(isColored: false))
      .text(of: statistics, groups: groups, metrics: nil, provenance: Self.provenance)
    #expect(table.contains("\nday 1 ") && table.contains("\nday 2 ") && table.contains("since the sensor was started"))
    let json = try json(statistics, groups)
    #expect(json["time_zone"] == .null && json["days"][0]["date"] == .null && json["groups"][0]["from"] == .null)
    #expect(json["groups"][1]["label"] == .string("day 2"))
  }
}
