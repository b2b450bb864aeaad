// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Testing

@testable import GlucoseReport

struct TerminalPlotTests {
  private func point(_ seconds: Int64, _ value: Double) -> GlucosePoint {
    GlucosePoint(Instant(secondsSince1970: seconds), value)
  }

  private func points(_ from: String, every minutes: Int, _ values: [Double?]) throws -> [GlucosePoint] {
    let start = try #require(Instant(rfc3339: from)).secondsSince1970
    return values.enumerated().compactMap { index, value in
      value.map { point(start + Int64(index * minutes) * 60, $0) }
    }
  }

  private func text(
    _ points: [GlucosePoint], _ unit: GlucoseUnit = .milligramsPerDecilitre, _ clock: WallClock = .rome, width: Int,
    height: Int = 8, _ characters: TerminalCharacters = .unicode
  ) -> [String] {
    TerminalPlot(points, unit: unit, clock: clock, width: width, height: height, characters: characters).lines
      .map(\.text)
  }

  /// A reading each half hour, with two gaps and one reading alone between them.
  private func morning() throws -> [GlucosePoint] {
    try points(
      "2024-05-02T06:00:00Z", every: 30,
      [100, 130, 170, 220, 190, 150, 90, 60, 65, 80, nil, nil, 110, nil, nil, 120, 118])
  }

  @Test("a picture in Braille is drawn as expected")
  func braille() throws {
    #expect(
      text(try morning(), .millimolesPerLitre, width: 40) == [
        "     H│     ⣰⠳⡄",
        "     H│    ⢠⠇ ⠙⣆",
        "10.0  ┤⠁⠁⠁⢠⠏⠁⠁⠁⠘⢦⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁",
        "      │  ⢠⠏     ⠈⢧",
        "      │ ⣠⠏       ⠘⡆                  ⠠⢤⣀",
        "      │⠞⠁         ⢹⡀           ⠈",
        " 3.9  ┤⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⠳⣄⡀⡀⡀⣀⡤⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀",
        "     L│             ⠈⠓⠋⠉⠁",
        "      └────┬───────────┬───────────┬────",
        "         09:00       12:00       15:00",
        "       dotted: 3.9–10.0 mmol/L",
        "       H above, L below",
      ])
  }

  @Test("characters have the color of their row, and the limits have their own")
  func inks() throws {
    let plot = TerminalPlot(try morning(), unit: .milligramsPerDecilitre, clock: .rome, width: 40, height: 8)
    #expect(plot.lines[0].runs.map(\.color) == [.high, .axis, .high])
    #expect(plot.lines[3].runs.map(\.color) == [.axis, .inRange])
    #expect(plot.lines[7].runs.map(\.color) == [.low, .axis, .low])
    #expect(Set(plot.lines[2].runs.map(\.color)) == [.axis, .band, .inRange])
    #expect(plot.lines.last?.runs.map(\.color) == [.dim])
  }

  @Test("without values to draw, the text says so")
  func nothing() throws {
    let sentence = ["No values to draw."]
    #expect(text([], width: 80) == sentence)
    #expect(text([point(0, .nan), point(0, .infinity), point(.max, 100), point(.min, 100)], width: 20) == sentence)
    let late = TerminalPlot(
      try morning(), from: Instant(secondsSince1970: 2_000_000_000), to: Instant(secondsSince1970: 0),
      unit: .milligramsPerDecilitre, clock: .rome)
    #expect(late.lines.map(\.text) == sentence)
  }

  @Test("values at both ends of a period are drawn at the picture's ends, values outside are left out")
  func ends() {
    let plot = TerminalPlot(
      [point(-1, 300), point(0, 100), point(36_000, 100), point(36_001, 300)], from: Instant(secondsSince1970: 0),
      to: Instant(secondsSince1970: 36_000), unit: .milligramsPerDecilitre, clock: .sensorAge, width: 46, height: 15,
      characters: .ascii)
    let rows = plot.lines.prefix(15).map { Array($0.text) }
    #expect(rows.filter { $0.contains("*") }.count == 1)
    let row = rows.first { $0.contains("*") } ?? []
    #expect(row.indices.filter { row[$0] == "*" } == [6, 45])
  }

  @Test(
    "a single reading, equal readings and the longest period are drawn correctly",
    arguments: TerminalCharacters.allCases)
  func few(characters: TerminalCharacters) {
    let cases: [([GlucosePoint], Int)] = [
      ([point(0, 100)], 1), ([point(0, 100), point(0, 100)], 1), ([point(0, 100), point(50 * 86_400, 100)], 2),
    ]
    for (points, count) in cases {
      for (from, to) in [(nil, nil), (Instant(secondsSince1970: .min), Instant(secondsSince1970: .max))] {
        // The last is drawn as 500 by 100.
        for (width, height) in [(-1, -1), (20, 6), (.max, .max)] {
          let plot = TerminalPlot(
            points, from: from, to: to, unit: .millimolesPerLitre, clock: .sensorAge, width: width, height: height,
            characters: characters)
          let rows = max(6, min(100, height))
          #expect(plot.lines.allSatisfy { $0.text.count <= max(20, min(500, width)) })
          let cells = plot.lines.prefix(rows).flatMap { $0.runs.dropFirst().filter { $0.color == .inRange } }
          // In ten thousand years two readings of a summer share a dot.
          #expect(cells.map(\.text).joined().count { $0 != " " } == (from == nil ? count : 1))
        }
      }
    }
  }

  @Test("readings 45 minutes apart are joined, those further apart are not")
  func gaps() {
    for (seconds, isJoined) in [(2_700, true), (2_701, false), (86_400, false)] as [(Int64, Bool)] {
      let plot = TerminalPlot(
        [point(0, 100), point(seconds, 100)], unit: .milligramsPerDecilitre, clock: .sensorAge, width: 46,
        characters: .ascii)
      let stars = plot.lines.map(\.text).joined().filter { $0 == "*" }.count
      #expect(isJoined ? stars > 25 : stars == 2)
    }
  }

  @Test("values that share a column fill it from the lowest to the highest")
  func dense() throws {
    let plot = TerminalPlot(
      (0..<200_000).map { point($0 * 900, $0.isMultiple(of: 2) ? 60 : 300) }, unit: .milligramsPerDecilitre,
      clock: .sensorAge, width: 80)
    let rows = plot.lines.prefix(16).map { $0.text.drop { $0 != "│" && $0 != "┤" }.dropFirst() }
    #expect(rows[5] == String(repeating: "⣿", count: 74)[...])
  }

  @Test(
    "time labels do not touch and fit the period",
    arguments: [
      ("2024-05-02T04:00:00Z", "2024-05-02T12:00:00Z", 80, "06:00 07:00 08:00 09:00 10:00 11:00 12:00 13:00 14:00"),
      ("2024-05-01T22:00:00Z", "2024-05-15T22:00:00Z", 80, "3 May 5 May 7 May 9 May 11 May 13 May 15 May"),
      ("2024-01-10T00:00:00Z", "2024-07-10T00:00:00Z", 80, "Feb Mar Apr May Jun Jul"),
      ("1524-01-10T00:00:00Z", "2024-01-10T00:00:00Z", 80, "1550 1600 1650 1700 1750 1800 1850 1900 1950 2000"),
      ("0001-01-02T00:00:00Z", "9998-01-01T00:00:00Z", 20, "5000"),
      ("2024-05-02T04:00:00Z", "2024-05-02T12:00:00Z", 20, "06:00 12:00"),
    ])
  func marks(from: String, to: String, width: Int, marks: String) throws {
    let ends = try [from, to].map { point(try #require(Instant(rfc3339: $0)).secondsSince1970, 100) }
    #expect(text(ends, width: width)[9].split(separator: " ").joined(separator: " ") == marks)
  }

  @Test("days with a clock change are named")
  func clockChange() throws {
    let spring = try points("2024-03-30T12:00:00Z", every: 60 * 24, [100, 100])
    #expect(text(spring, width: 80).last?.hasSuffix("   clock changed on 31 Mar") == true)
    let autumn = try points("2024-10-27T00:00:00Z", every: 60, [100, 100])
    #expect(text(autumn, width: 80).last?.hasSuffix("   clock changed on 27 Oct") == true)
    #expect(text(try morning(), width: 80).last?.contains("clock") == false)
  }

  @Test("every reading has its mark, and every mark belongs to a reading or to a line between two", arguments: 1...24)
  func properties(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let unit: GlucoseUnit = seed.isMultiple(of: 2) ? .millimolesPerLitre : .milligramsPerDecilitre
    let (width, height) = (Int.random(in: 20...160, using: &random), Int.random(in: 6...30, using: &random))
    let spacing = Int64.random(in: 1...40, using: &random) * 60
    var (time, value) = (Int64.random(in: 0...2_000_000_000, using: &random), 120.0)
    var points: [GlucosePoint] = []
    for _ in 0..<Int.random(in: 2...300, using: &random) {
      points.append(point(time, value))
      time += spacing * (Int.random(in: 0..<20, using: &random) == 0 ? 12 : 1)
      value = max(20, min(480, value + Double.random(in: -25...25, using: &random)))
    }
    let lines = text(points, unit, width: width, height: height, .ascii)
    #expect(lines.count >= height + 3)
    for line in lines {
      #expect(line.count <= width && line.last != " " && line.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
    let margin = try #require(Array(lines[height]).firstIndex { $0 != " " }) + 1
    let marks = Set(
      lines.prefix(height).enumerated().flatMap { fromTop, line in
        line.enumerated().filter { $0.element == "*" }.map { [$0.offset - margin, height - 1 - fromTop] }
      })
    let (from, values) = (points[0].time.secondsSince1970, points.map(\.value))
    let span = points[points.count - 1].time.secondsSince1970 - from
    // Stretches under an hour are widened; the picture is then not from end to end.
    guard span >= 3_600 else { return }
    // TerminalScaleTests hold the rows.
    let scale = TerminalScale(lowest: values.min() ?? 0, highest: values.max() ?? 0, rows: height, dotsDown: 1)
    let places = points.map { point in
      let column = Double(point.time.secondsSince1970 - from) / Double(span) * Double(width - margin - 1)
      return [Int((column + 1e-9).rounded()), scale.dot(point.value)]
    }
    var allowed = Set(places)
    #expect(marks.isSuperset(of: allowed))
    for (first, second) in zip(places.indices, places.indices.dropFirst())
    where points[second].time.secondsSince1970 - points[first].time.secondsSince1970 < 46 * 60 {
      for column in places[first][0]...places[second][0] {
        for row in min(places[first][1], places[second][1])...max(places[first][1], places[second][1]) {
          allowed.insert([column, row])
        }
        // The line has a mark in every column.
        #expect(marks.contains { $0[0] == column })
      }
    }
    #expect(marks.isSubset(of: allowed))
  }
}
