// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct SmoothedDrawingTests {
  private let points = SeededHistory.points(days: 5)

  private func content(_ smoothing: Smoothing?, _ points: [GlucosePoint]) -> ReportContent {
    var content = ReportContent.made(of: points)
    content.smoothing = smoothing
    return content
  }

  private func paths(_ html: String, _ kinds: Set<String>) -> [String] {
    MarkupCheck(xml: html).paths.filter { kinds.contains($0["class"] ?? "") }.compactMap { $0["d"] }
  }

  @Test("smoothing changes no number of a page, and the notes name the method", arguments: Smoothing.allCases)
  func page(smoothing: Smoothing) {
    for count in [points.count, 90] {
      let points = Array(points.prefix(count))
      let (plain, smooth) = (ReportPage(content(nil, points)).html, ReportPage(content(smoothing, points)).html)
      let (before, after) = (MarkupCheck(page: plain), MarkupCheck(page: smooth))
      #expect(before.isWellFormed && after.isWellFormed)
      let note = "Line smoothed for display: \(smoothing.summary)."
      #expect(after.text.contains(note))
      // Without the notes, word for word.
      let bare = after.text.replacing(" \(note)", with: "").replacing(note, with: "")
      #expect(bare == before.text)
    }
  }

  @Test(
    "the line shows smoothed values, and the values read from it are the original ones", arguments: Smoothing.allCases)
  func line(smoothing: Smoothing) throws {
    let points = Array(points.prefix(90))
    let plain = try #require(TimelineDrawing(content: content(nil, points)).chart).html
    let smooth = try #require(TimelineDrawing(content: content(smoothing, points)).chart).html
    let drawnOfSmoothed = try #require(TimelineDrawing(content: content(nil, smoothing.smoothed(points))).chart).html
    #expect(paths(smooth, ["line", "dots"]) == paths(drawnOfSmoothed, ["line", "dots"]))
    #expect(paths(smooth, ["line"]) != paths(plain, ["line"]))
    #expect(paths(smooth, ["measured"]) == paths(plain, ["line"]))
    // The script reads paths with a name.
    let named = MarkupCheck(xml: smooth).paths.filter { $0["data-name"] != nil }
    #expect(named.map { $0["class"] } == ["measured"])
  }

  @Test("a day's line is smoothed across midnight", arguments: Smoothing.allCases)
  func midnight(smoothing: Smoothing) throws {
    let content = content(smoothing, points)
    let days = content.byDay.days.compactMap { ReportDay($0, clock: content.clock) }
    let day = try #require(days.last)
    let page = MarkupCheck(page: ReportPage(content).html)
    let first = try #require(
      page.paths.first { $0["class"] == "line" && $0["stroke"] == "url(#\(DayDrawing.gradientID))" })
    let axis = GlucoseAxis(points, unit: .milligramsPerDecilitre)
    let whole = smoothing.smoothed(points).suffix(day.day.values.count)
    let expected = DayDrawing(day: day, content: content, axis: axis, drawn: Array(whole)).chart(number: 1).html
    #expect(first["d"] == paths(expected, ["line"]).first)
    #expect(Array(whole) != smoothing.smoothed(Array(day.day.values)))
  }

  @Test("the chart alone mentions smoothing if it is a line, but not if it is a profile", arguments: Smoothing.allCases)
  func alone(smoothing: Smoothing) {
    let line = MarkupCheck(xml: ReportDrawing(content(smoothing, Array(points.prefix(32)))).svg)
    #expect(line.isWellFormed && line.text.contains("Line smoothed for display: \(smoothing.summary)."))
    let many = SeededHistory.points(days: 14)
    #expect(ReportDrawing(content(smoothing, many)).svg == ReportDrawing(content(nil, many)).svg)
    #expect(ReportDrawing(content(smoothing, [])).svg == ReportDrawing(content(nil, [])).svg)
  }

  // MARK: In the terminal

  @Test(
    "the plot's line is smoothed, its scale is not, and its legend mentions smoothing", arguments: Smoothing.allCases)
  func plot(smoothing: Smoothing) {
    func lines(_ points: [GlucosePoint], _ smoothing: Smoothing?) -> [String] {
      TerminalPlot(points, unit: .milligramsPerDecilitre, clock: .rome, width: 120, smoothing: smoothing).lines.map(
        \.text)
    }
    let points = SeededHistory.values((0..<60).map { 100 + ($0.isMultiple(of: 2) ? 60 : -20) })
    let (plain, smooth) = (lines(points, nil), lines(points, smoothing))
    #expect(smooth.joined(separator: " ").contains("Line smoothed for display: \(smoothing.summary)."))
    #expect(!plain.joined().contains("moothed"))
    // Axis and words are the same, rows are not.
    #expect(smooth[16..<18] == plain[16..<18] && smooth[..<16] != plain[..<16])
    #expect(smooth[..<16].map { $0.prefix(5) } == plain[..<16].map { $0.prefix(5) })
    #expect(lines([], smoothing) == lines([], nil))
    // Values before the beginning count in the smoothing.
    let step = SeededHistory.values([300, 300, 300, 300, 100, 100, 100, 100, 100, 100, 100, 100])
    func rows(_ points: [GlucosePoint]) -> [String] {
      TerminalPlot(points, from: step[4].time, unit: .milligramsPerDecilitre, clock: .rome, smoothing: .mean).lines.map(
        \.text)
    }
    #expect(rows(step) != rows(Array(step.dropFirst(4))))
  }

  @Test(
    "the sparkline's steps are smoothed, its numbers are not, and a third line mentions smoothing",
    arguments: Smoothing.allCases)
  func sparkline(smoothing: Smoothing) throws {
    let points = SeededHistory.values((0..<32).map { 100 + ($0.isMultiple(of: 2) ? 60 : -20) })
    let to = try #require(points.last).time
    func lines(_ smoothing: Smoothing?) -> [String] {
      Sparkline(points, to: to, unit: .milligramsPerDecilitre, clock: .rome, smoothing: smoothing).lines.map(\.text)
    }
    let (plain, smooth) = (lines(nil), lines(smoothing))
    #expect(plain.count == 2 && smooth.count == 3)
    #expect(smooth[2] == "Line smoothed for display: \(smoothing.summary).")
    #expect(smooth[1] == plain[1] && smooth[0].dropFirst(32) == plain[0].dropFirst(32))
    #expect(smooth[0].prefix(32) != plain[0].prefix(32))
  }
}
