// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import Testing
import TextFormats

@testable import GlucoseReport

struct DrawingTests {
  private func quarters(from: Instant, count: Int) -> [GlucosePoint] {
    SeededHistory.values((0..<count).map { 100 + Double($0 % 20) }, from: from)
  }

  /// The pieces of the line of the only day.
  private func pieces(_ points: [GlucosePoint]) throws -> [String] {
    let content = ReportContent.made(of: points)
    let day = try #require(content.byDay.days.first.flatMap { ReportDay($0, clock: content.clock) })
    let chart = DayDrawing(day: day, content: content, axis: GlucoseAxis(points, unit: .milligramsPerDecilitre))
    return MarkupCheck(xml: chart.chart(number: 1).html).pieces
  }

  @Test("a line connects values up to 45 minutes apart; a single value is a dot")
  func gaps() throws {
    let start = try instant("2024-05-02T08:00:00Z")
    func points(_ minutes: [Int]) -> [GlucosePoint] {
      minutes.map { GlucosePoint(start.adding(minutes: $0), 100) }
    }
    #expect(try pieces(points([0, 15, 60])).count == 1)
    #expect(try pieces(points([0, 15, 61, 75])).count == 2)
    let alone = try pieces(points([0, 15, 120]))
    #expect(alone.count == 2 && alone.last?.hasSuffix("h0") == true)
  }

  @Test("a value is drawn at its time and height on the axes")
  func places() throws {
    let midnight = try instant("2024-05-01T22:00:00Z")
    // Midnight, noon and the last quarter of a day in Rome.
    let points = [(0, 0.0), (720, 175), (1_425, 350)].map { GlucosePoint(midnight.adding(minutes: $0.0), $0.1) }
    #expect(try pieces(points) == ["36 148h0", "180 78h0", "321 8h0"])
  }

  @Test("midnight begins a day")
  func midnight() throws {
    let content = ReportContent.made(of: quarters(from: try instant("2024-05-01T21:45:00Z"), count: 2))
    let days = content.byDay.days.compactMap { ReportDay($0, clock: content.clock) }
    #expect(days.map(\.name) == ["Wed 2024-05-01", "Thu 2024-05-02"])
    #expect(ReportPage(content).html.contains(#"data-name="" d="M36 "#))
  }

  // MARK: The clock is changed

  @Test("in autumn the repeated hour is drawn over itself, and the day has a note")
  func autumn() throws {
    // Midnight to midnight in Rome: 25 hours.
    let points = quarters(from: try instant("2024-10-26T22:00:00Z"), count: 100)
    let pieces = try pieces(points)
    #expect(pieces.count == 2)
    // 03:00 without the change, then 02:00 again: 36 + 288 · 120 / 1440.
    #expect(pieces.last?.hasPrefix("60 ") == true)
    #expect(pieces.first?.split(separator: " ").count == 2 * 12)
    let page = ReportPage(.made(of: points)).html
    #expect(page.contains("clock changed") && page.contains("The clock was changed on this day."))
  }

  @Test("in spring the skipped hour is a gap, and only that day has a note")
  func spring() throws {
    // Two days and a half in Rome: the first one has 23 hours.
    let points = quarters(from: try instant("2024-03-30T23:00:00Z"), count: 240)
    let content = ReportContent.made(of: points)
    let days = content.byDay.days.compactMap { ReportDay($0, clock: content.clock) }
    #expect(days.map(\.isClockChanged) == [true, false, false])
    let first = try pieces(Array(points.prefix(92)))
    #expect(first.count == 2)
    #expect(first.last?.hasPrefix("72 ") == true)
    let timeline = try #require(TimelineDrawing(content: content).chart)
    #expect(MarkupCheck(xml: timeline.html).pieces.count == 2)
  }

  // MARK: The axis

  @Test("a midnight at the right end is named by its time, because a day's name does not fit there")
  func midnightAtTheEnd() throws {
    // 22:00 to 23:30 in Rome, and to 00:30.
    for (count, names) in [(7, ["24:00"]), (11, ["2024-05-03"])] {
      let content = ReportContent.made(of: quarters(from: try instant("2024-05-02T20:00:00Z"), count: count))
      let chart = try #require(TimelineDrawing(content: content).chart).html
      for name in ["24:00", "2024-05-03"] { #expect(chart.contains(">\(name)<") == names.contains(name), "\(count)") }
    }
  }

  @Test("the axis ends at 350 mg/dL or 20 mmol/L, higher for higher values, but at most at 1000 or 55")
  func axis() {
    func ends(_ values: [Double], _ unit: GlucoseUnit) -> [Double] {
      let axis = GlucoseAxis(SeededHistory.values(values), unit: unit)
      return [axis.bottom, axis.top, axis.isCut ? 1 : 0]
    }
    #expect(ends([], .milligramsPerDecilitre) == [0, 350, 0])
    #expect(ends([350], .milligramsPerDecilitre) == [0, 350, 0])
    #expect(ends([351], .milligramsPerDecilitre) == [0, 400, 0])
    #expect(ends([600, -3], .milligramsPerDecilitre) == [-100, 600, 0])
    #expect(ends([5_000, -400], .milligramsPerDecilitre) == [-100, 1_000, 1])
    #expect(ends([100], .millimolesPerLitre) == [0, 20, 0])
    #expect(ends([361], .millimolesPerLitre) == [0, 25, 0])
    #expect(ends([1_200, -1], .millimolesPerLitre) == [-5, 55, 1])
  }

  @Test(
    "the numbers of a day can be read back from its drawn positions", arguments: GlucoseUnit.allCases)
  func readBack(unit: GlucoseUnit) throws {
    var numbers = SplitMix64(seed: 3)
    let values = (0..<96).map { _ in Double.random(in: -40...980, using: &numbers) }
    let axis = GlucoseAxis(SeededHistory.values(values), unit: unit)
    let area = PlotArea(
      axis: axis, minutes: 1_440, width: 288, height: 140, left: 36, right: 20, top: 8, bottom: 26, places: 1)
    for (index, value) in values.enumerated() {
      let text = area.point(Double(index * 15), axis.rounded(value)).split(separator: " ").compactMap { Double($0) }
      #expect(((text[0] - 36) * 5).rounded() == Double(index * 15))
      let read = axis.bottom + (148 - text[1]) * (axis.top - axis.bottom) / 140
      // Without the sign of a negative zero.
      let shown = ReportNumbers.number(read, places: unit.places)
      #expect(shown == unit.text(value), "\(value)")
    }
  }

  // MARK: Alone

  @Test("the chart alone is a document of its own: the profile, or all values if there are too few days")
  func alone() {
    let points = SeededHistory.points(days: 14)
    for (count, name) in [
      (14 * 96, "Ambulatory glucose profile"), (32, "Glucose from 2024-05-01 00:00 to 2024-05-01 07:45"),
    ] {
      let svg = ReportDrawing(.made(of: Array(points.prefix(count)))).svg
      let check = MarkupCheck(xml: svg)
      #expect(check.isWellFormed && check.text.contains(name) && check.text.contains("Not for treatment decisions."))
      #expect(svg.contains(#"xmlns="http://www.w3.org/2000/svg""#) && !svg.contains("var("))
    }
    let none = MarkupCheck(xml: ReportDrawing(.made(of: [])).svg)
    #expect(none.isWellFormed && none.text.contains("No values to draw.") && none.paths.isEmpty)
  }

  @Test("the ticks of a period are round times, at most nine")
  func ticks() {
    #expect(TimelineDrawing.ticks(from: 420, to: 960) == [480, 600, 720, 840, 960])
    for hours in [4.0, 8, 9, 24, 25, 48, 100, 1_000, 100_000, 10_000_000] {
      let ticks = TimelineDrawing.ticks(from: -60, to: hours * 60)
      #expect((2...9).contains(ticks.count), "\(hours)")
    }
  }

  @Test("a profile with gaps is drawn in pieces, and a single quarter is drawn with its width")
  func profileHoles() throws {
    let start = try instant("2024-05-01T22:00:00Z")
    // 08:00 alone, and 12:00 to 12:45, on six days.
    let points = (0..<6).flatMap { day in
      [480, 720, 735, 750].map { GlucosePoint(start.adding(minutes: day * 1_440 + $0), 90 + Double(day) * 10) }
    }
    let content = ReportContent.made(of: points)
    let profile = try #require(content.profile)
    let check = MarkupCheck(xml: ProfileDrawing(profile: profile, content: content).chart.html)
    let median = check.paths.first { $0["class"] == "median" }?["d"]
    // 64 + 768 · 480 / 1440 = 320, a quarter is 8.
    #expect(median?.hasPrefix("M320 ") == true && median?.contains(" 328 ") == true)
    #expect(median?.split(separator: "M").count == 2)
  }
}
