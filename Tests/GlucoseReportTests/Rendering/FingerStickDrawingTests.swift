// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct FingerStickDrawingTests {
  /// 2024-05-01, midnight to 07:45 in Rome, at 100 mg/dL.
  private let points = SeededHistory.values(Array(repeating: 100, count: 32))

  private func stick(_ minute: Int, _ value: Double, source: String? = nil) -> FingerStick {
    FingerStick(
      time: SeededHistory.start.adding(minutes: minute),
      concentration: GlucoseConcentration(milligramsPerDecilitre: value), source: source)
  }

  private func content(
    _ points: [GlucosePoint], _ sticks: [FingerStick], unit: GlucoseUnit = .milligramsPerDecilitre
  ) -> ReportContent {
    var content = ReportContent.made(of: points, unit: unit)
    content.fingerSticks = sticks
    return content
  }

  private func sticks(in check: MarkupCheck) -> [String] {
    check.paths.filter { $0["class"] == "sticks" }.flatMap { ($0["d"] ?? "").split(separator: "M").map(String.init) }
  }

  // MARK: In the terminal

  private func plot(
    _ points: [GlucosePoint], _ sticks: [FingerStick], _ characters: TerminalCharacters, from: Instant? = nil,
    height: Int = 8
  ) -> [TerminalLine] {
    TerminalPlot(
      points, fingerSticks: sticks, from: from, unit: .milligramsPerDecilitre, clock: .rome, width: 60, height: height,
      characters: characters
    ).lines
  }

  @Test("a finger-stick is a mark at its time and value, and the legend has their number")
  func terminal() {
    let sticks = [stick(0, 165), stick(240, 60), stick(465, 190)]
    #expect(
      plot(points, sticks, .ascii).map(\.text) == [
        "    H|",
        "    H|                                                     o",
        "180  +o - - - - - - - - - - - - - - - - - - - - - - - - - -",
        "     |",
        "     |",
        "     |******************************************************",
        " 70  +- - - - - - - - - - - - - - - - - - - - - - - - - - -",
        "    L|                           o",
        "     ++-------------+------------+-------------+------------",
        "    1 May         02:00        04:00         06:00",
        "      dashed: 70-180 mg/dL   H above, L below",
        "      o 3 finger-sticks",
      ])
    let braille = plot(points, sticks, .unicode)
    #expect(braille.map(\.text).joined().count { $0 == "◆" } == 4)
    #expect(braille.last?.text.hasSuffix("◆ 3 finger-sticks") == true)
    // A mark has the colour of text, so that it differs from a line that it lies on.
    let runs = plot(points, [stick(240, 100)], .unicode).flatMap(\.runs)
    #expect(runs.contains { $0.color == .plain && $0.text == "◆" })
  }

  @Test("finger-sticks alone are a picture; those beyond the scale are at its edge, those outside the period not in it")
  func alone() {
    let beyond = plot(points, [stick(60, 5_000), stick(120, -5_000)], .ascii).map(\.text)
    #expect(beyond[0].contains("o") && beyond[7].contains("o") && beyond.joined().contains("o 2 finger-sticks"))
    #expect(beyond.joined(separator: " ").contains("values beyond the scale are drawn at its edge"))
    let lines = plot([], [stick(60, 110)], .ascii).map(\.text)
    #expect(lines.joined().contains("o 1 finger-stick") && !lines.joined().contains("*"))
    let late = plot(points, [stick(60, 110), stick(300, 110)], .ascii, from: SeededHistory.start.adding(minutes: 120))
    #expect(late.map(\.text).joined().contains("o 1 finger-stick"))
    #expect(!plot(points, [], .ascii).map(\.text).joined().contains("finger-stick"))
    #expect(plot([], [stick(60, .nan)], .ascii).map(\.text) == ["No values to draw."])
  }

  // MARK: In the report

  @Test("a finger-stick is a diamond at its time and height in the timeline, with a legend and a description")
  func timeline() throws {
    let content = content(points, [stick(240, 175), stick(300, 350)])
    let chart = try #require(TimelineDrawing(content: content).chart)
    // Eight hours, 768 wide: 1.6 a minute. 350 mg/dL is the upper end, 175 half of it.
    let check = MarkupCheck(xml: chart.html)
    #expect(sticks(in: check).map { $0.prefix { $0 != "h" } } == ["448 156", "544 16"])
    #expect(check.text.contains("2 finger-sticks, from 175 to 350 mg/dL, are drawn as diamonds."))
    for picture in [ReportPage(content).html, ReportDrawing(content).svg] {
      #expect(picture.contains(">2 finger-sticks<"))
      #expect(picture.contains(#"data-name="finger-stick""#))
    }
    #expect(MarkupCheck(xml: ReportDrawing(content).svg).isWellFormed)
  }

  @Test("a finger-stick is drawn on its day only, at its time on the clock")
  func days() {
    let points = SeededHistory.points(days: 7)
    let page = ReportPage(content(points, [stick(1_440 + 720, 140), stick(1_440 * 6, 70)])).html
    let check = MarkupCheck(page: page)
    // Noon: 36 + 288 / 2, and 140 of 350 mg/dL: 148 − 140 · 0.4. Days are drawn newest first, midnight begins a day.
    #expect(sticks(in: check).map { $0.prefix { $0 != "h" } } == ["36 120", "180 92"])
    #expect(check.text.contains("1 finger-stick, 140 mg/dL, is drawn as a diamond."))
    #expect(page.contains(#"<i class="k-stick"></i>finger-stick</span>"#))
    // The profile of many days has none.
    #expect(!ReportDrawing(content(points, [stick(720, 140)])).svg.contains("finger-stick"))
  }

  @Test("the axis of a chart reaches up to the highest finger-stick")
  func axis() throws {
    let chart = try #require(TimelineDrawing(content: content(points, [stick(240, 600)])).chart)
    #expect(chart.area.axis.top == 600 && !chart.area.axis.isCut)
    let beyond = try #require(TimelineDrawing(content: content(points, [stick(240, 5_000)])).chart)
    #expect(beyond.area.axis.top == 1_000 && beyond.html.contains("data-cut"))
  }

  @Test("a table has all finger-sticks and their origin, also those of days without a chart")
  func table() {
    let page = ReportPage(content(points, [stick(240, 104), stick(9_000, 131, source: "Contour <b>7830123</b>")])).html
    let check = MarkupCheck(page: page)
    #expect(check.isWellFormed && check.ids.contains("sticks"))
    #expect(page.contains("<th scope=\"row\">2024-05-01 04:00</th><td>104</td><td class=\"words\">typed</td>"))
    #expect(page.contains("<td>131</td><td class=\"words\"><bdi>Contour &lt;b&gt;7830123&lt;/b&gt;</bdi></td>"))
    #expect(!MarkupCheck(page: ReportPage(content(points, [])).html).ids.contains("sticks"))
  }

  @Test("finger-sticks alone are drawn, and the numbers say that there are no values")
  func aloneInReport() {
    for unit in GlucoseUnit.allCases {
      let content = content([], [stick(0, 104), stick(600, 131)], unit: unit)
      let check = MarkupCheck(page: ReportPage(content).html)
      #expect(check.isWellFormed && sticks(in: check).count == 2)
      #expect(check.text.contains("No values in this period.") && check.text.contains("No values. 2 finger-sticks"))
      #expect(MarkupCheck(xml: ReportDrawing(content).svg).isWellFormed)
    }
  }
}
