// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Testing

@testable import GlucoseReport

struct ReportPageTests {
  private let fortnight = SeededHistory.points(days: 14, lost: [9])

  private func html(_ content: ReportContent) -> String { ReportPage(content).html }

  // MARK: What stands in it

  @Test("the sections are in the right order, each with a heading, and all element ids are unique")
  func sections() {
    let page = html(.made(of: fortnight))
    let check = MarkupCheck(page: page)
    #expect(check.isWellFormed)
    #expect(Set(check.ids).count == check.ids.count)
    let names = page.matches(of: /<section id="([a-z]+)"><h2>[A-Z]/).map { String($0.output.1) }
    #expect(names == ["summary", "agp", "days", "sensors", "gaps", "notes"])
    #expect(page.contains("Not for treatment decisions."))
    #expect(check.text.contains("1 gap of more than 45 minutes, 1 d 15 min in all."))
  }

  @Test("the page loads nothing: it has no address and no source, and its policy forbids all loading")
  func nothingFromOutside() {
    let page = html(.made(of: fortnight))
    #expect(page.contains("default-src 'none'"))
    let known = page.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
    for word in ["http:", "https:", "src=", "href=", "@import", "eval(", "fetch(", "innerHTML", "url(data"] {
      #expect(!known.contains(word), "\(word)")
    }
    #expect(page.matches(of: /url\(([^)]*)\)/).allSatisfy { ["#ink-day", "#ink-time"].contains($0.output.1) })
  }

  @Test("each picture has a name and a description, can be reached by keyboard, and has a table next to it")
  func pictures() throws {
    let page = html(.made(of: fortnight))
    let svgs = page.matches(of: /<svg class="([a-z]+)" role="img" tabindex="0" aria-labelledby="[^"]+"/)
    #expect(svgs.map { String($0.output.1) } == ["agp"] + Array(repeating: "day", count: 13))
    #expect(page.matches(of: /<title id="[a-z]+[-0-9]*-t">[^<]+<\/title><desc id="[^"]+">[^<]+<\/desc>/).count == 14)
    #expect(page.contains("<summary>The profile as a table</summary>"))
    let table = try #require(page.range(of: "<summary>The days as a table</summary>"))
    #expect(page[table.upperBound...].firstMatch(of: /Tue 2024-05-14<\/th>/) != nil)
    // Newest first.
    let first = try #require(page.range(of: "<b>Tue 2024-05-14</b>"))
    let last = try #require(page.range(of: "<b>Wed 2024-05-01</b>"))
    #expect(first.lowerBound < last.lowerBound)
  }

  @Test("a share next to its target has enough decimals to show on which side of it the share is")
  func sharesBesidesTargets() {
    let shares = [3.6, 3.96, 3.4, 4, 4.3, 4.004, 0.6, 96].map { ReportNumbers.percent($0, besides: 4) }
    #expect(shares == ["3.6 %", "3.96 %", "3 %", "4 %", "4.3 %", "4.00 %", "<1 %", "96 %"])
    #expect(ReportNumbers.percent(1.3, besides: 1) == "1.3 %" && ReportNumbers.percent(.nan, besides: 1) == "–")
  }

  @Test("a day of which only a part lies in the period says how much, and a whole day does not")
  func partOfADay() throws {
    let cut = Array(fortnight.dropFirst(92))
    let captions = html(.made(of: cut, from: cut.first?.time)).matches(of: /<figcaption>.*?<\/figcaption>/).map {
      String($0.output)
    }
    #expect(try #require(captions.last).contains(#"<span class="flag">1 h of the day</span>"#))
    #expect(captions.dropLast().allSatisfy { !$0.contains("of the day") })
  }

  @Test("two weeks take less than 150 KB, and a picture's coordinates have two decimals at most")
  func size() {
    let page = html(.made(of: fortnight))
    #expect(page.utf8.count < 150_000)
    for path in MarkupCheck(page: page).paths {
      #expect((path["d"] ?? "").firstMatch(of: /\.\d{3}/) == nil)
    }
  }

  // MARK: Numbers

  @Test(
    "all numbers, limits and axes are in the chosen unit",
    arguments: [
      (
        GlucoseUnit.milligramsPerDecilitre,
        ["70–180", "181–250", "over 250", "54–69", "under 54", "63–140", "70–140"]
      ),
      (.millimolesPerLitre, ["3.9–10.0", "10.1–13.9", "over 13.9", "3.0–3.8", "under 3.0", "3.5–7.8", "3.9–7.8"]),
    ])
  func units(unit: GlucoseUnit, ranges: [String]) {
    let page = html(.made(of: fortnight, unit: unit))
    let text = MarkupCheck(page: page).text
    for range in ranges { #expect(text.contains(range), "\(range)") }
    guard unit == .millimolesPerLitre else { return }
    // The J-index is defined in mg/dL.
    #expect(text.components(separatedBy: "mg/dL").count == 2)
    #expect(page.contains(#"data-unit="mmol/L" data-places="1""#))
  }

  @Test("a share above zero is not shown as 0 %, and a share below all is not shown as 100 %")
  func percentages() {
    let shown = [0, 0.2, 0.99, 1, 1.5, 54.4, 99, 99.2, 100].map { ReportNumbers.percent($0) }
    #expect(shown == ["0 %", "<1 %", "<1 %", "1 %", "2 %", "54 %", "99 %", ">99 %", "100 %"])
    #expect(ReportNumbers.percent(nil) == "–" && ReportNumbers.percent(.nan) == "–")
    // One low value of 700.
    let page = html(.made(of: SeededHistory.values([60] + Array(repeating: 100, count: 699))))
    #expect(page.contains("<td>&lt;1 %</td>") && page.contains("<td>&gt;99 %</td>"))
  }

  @Test("what is missing, too little or not met is said in words")
  func words() {
    let days = SeededHistory.points(from: Instant(secondsSince1970: 0), days: 3)
    for (content, shown, hidden) in [
      (.made(of: SeededHistory.values(Array(repeating: 100, count: 700))), [">met<"], [">not met<"]),
      (
        .made(of: SeededHistory.values([100])),
        ["<dt>Standard deviation</dt><dd>–</dd>", "<dt>Variation (CV)</dt><dd>–</dd><dd>target ≤ 36 %</dd>"],
        [">nan", ">inf"]
      ),
      (
        .made(of: Array(fortnight.prefix(500))), ["Not enough data for a report.", "<dt>Mean glucose</dt>"], []
      ),
      (.made(of: fortnight), [], ["Not enough data for a report."]),
      // The sensor's own clock counts here.
      (.made(of: days, clock: .sensorAge), ["<b>day 3</b>", "Dates are not shown"], [">1970-", " 1970-"]),
      (.made(of: []), ["No values in this period."], ["<svg"]),
    ] as [(ReportContent, [String], [String])] {
      let page = html(content)
      #expect(MarkupCheck(page: page).isWellFormed)
      for words in shown { #expect(page.contains(words), "\(words)") }
      for words in hidden { #expect(!page.contains(words), "\(words)") }
    }
    let bad = html(.made(of: SeededHistory.values((0..<700).map { $0.isMultiple(of: 2) ? 40 : 300 })))
    // The five of the ranges, and the variation's.
    #expect(bad.matches(of: />not met</).count == 6)
    var odd = ReportContent.made(of: Array(fortnight.prefix(100)))
    odd.from = odd.to.adding(minutes: 1_000_000)
    #expect(MarkupCheck(page: html(odd)).isWellFormed && MarkupCheck(xml: ReportDrawing(odd).svg).isWellFormed)
  }

  // MARK: Hostile words

  @Test("no text of the content can become markup, or change the direction of or hide the text next to it")
  func hostile() {
    let evil = "</style><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>\u{202E}\u{0}\u{1B}\u{2066}\u{85}"
    var content = ReportContent.made(
      of: Array(fortnight.prefix(40)), clock: WallClock(LocalClock(zoneName: evil) { _ in 0 }),
      sensors: [.init(name: evil, from: nil, to: nil, count: 0)], notes: [evil])
    content.tool = evil
    content.calibration = evil
    content.calibrationNotes = [evil]
    content.disclaimer = evil
    let page = html(content)
    let check = MarkupCheck(page: page)
    #expect(check.isWellFormed)
    #expect(check.elements["script"] == nil && check.elements["img"] == nil)
    #expect(!check.attributeNames.contains("onerror"))
    #expect(page.matches(of: /<script>/).count == 1)
    // Shown as it is: in the sensors, both notes, the disclaimer, tool, calibration, and the zone (which stands twice).
    #expect(check.text.components(separatedBy: "<script>alert(1)</script>\"'&<img").count == 9)
    #expect(!page.unicodeScalars.contains { [0x202E, 0, 0x1B, 0x2066, 0x85].contains($0.value) })
    let drawing = MarkupCheck(xml: ReportDrawing(content).svg)
    #expect(drawing.isWellFormed && drawing.elements["script"] == nil)
    // The picture has the note on the calibration and the disclaimer.
    #expect(drawing.text.components(separatedBy: "<script>alert(1)</script>").count == 3)
  }

  @Test("only characters that have a meaning in markup are escaped")
  func escaping() {
    #expect(Markup.text("a<b & \"c\">'d'") == "a&lt;b &amp; &quot;c&quot;&gt;&#39;d&#39;")
    #expect(Markup.text("Zürich 北京 ≤ 36 %") == "Zürich 北京 ≤ 36 %")
    #expect(Markup.text("a\u{202D}b\u{7F}c\nd\u{FFFF}") == "a\u{FFFD}b\u{FFFD}c d\u{FFFD}")
  }

  // MARK: Edges

  @Test(
    "each coordinate of each picture is a finite number within it, for all values",
    arguments: [
      [100], [Double](repeating: 100, count: 700), (0..<700).map { Double($0 % 90) * 7 - 30 }, [-5_000, 90_000, 100],
      [0, 1e300, -1e300], (0..<20).map { Double($0) * 1e-9 },
    ] as [[Double]])
  func wild(values: [Double]) {
    for unit in GlucoseUnit.allCases {
      let content = ReportContent.made(of: SeededHistory.values(values), unit: unit)
      for check in [MarkupCheck(page: html(content)), MarkupCheck(xml: ReportDrawing(content).svg)] {
        #expect(check.isWellFormed)
        #expect(check.coordinates.allSatisfy { (0...900).contains($0) })
      }
    }
  }

  @Test("of a year the newest 90 days are drawn, all days are in the table, and each day adds less than 300 bytes")
  func year() {
    let long = SeededHistory.points(days: 365)
    let page = html(.made(of: long))
    #expect(page.matches(of: /<svg class="day"/).count == 90)
    #expect(page.contains("Pictures of the newest 90 of 365 days; the table has all."))
    #expect(page.matches(of: /<th scope="row">[A-Z][a-z][a-z] \d{4}-/).count == 365)
    let fewer = html(.made(of: Array(long.suffix(100 * 96))))
    #expect(page.utf8.count - fewer.utf8.count < 265 * 300)
  }
}
