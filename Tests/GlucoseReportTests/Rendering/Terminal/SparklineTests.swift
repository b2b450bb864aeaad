// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Testing

struct SparklineTests {
  private let start = Instant(secondsSince1970: 1_714_617_000)  // 2024-05-02T02:30:00Z

  private func point(_ minutes: Int, _ value: Double) -> GlucosePoint {
    GlucosePoint(start.adding(minutes: minutes), value)
  }

  private func text(
    _ points: [GlucosePoint], to minutes: Int = 465, _ unit: GlucoseUnit = .milligramsPerDecilitre,
    _ clock: WallClock = .rome, _ characters: TerminalCharacters = .unicode
  ) -> [String] {
    Sparkline(points, to: start.adding(minutes: minutes), unit: unit, clock: clock, characters: characters).lines
      .map(\.text)
  }

  @Test("the trend counts only in quarters that the history has not reached, so a reading and the store show the same")
  func trendOfEarlierReadings() {
    let history = [point(0, 100), point(15, 120)]
    let (earlier, newest) = ([point(2, 300), point(16, 300)], [point(30, 140), point(31, 150)])
    let all = Sparkline.points(history: history, trend: newest + earlier)
    #expect(all == Sparkline.points(history: history, trend: newest) && all == history + newest)
  }

  @Test("each quarter of the last eight hours has a step, with times, ends and shares in words")
  func whole() {
    let values: [Double] = [
      110, 112, 118, 126, 135, 141, 150, 158, 171, 183, 196, 214, 240, 255, 262, 249, 231, 205, 182, 165, 149, 131, 118,
      101, 92, 81, 72, 66, 58, 52, 61, 74,
    ]
    let points = values.enumerated().map { point($0.offset * 15, $0.element) }
    #expect(
      text(points) == [
        "▄▄▄▅▅▅▅▆▆▇▇▇▇██▇▇▇▇▆▅▅▄▄▃▃▃▂▂▁▂▃   04:30 – 12:15   52–262 mg/dL",
        "In range 70–180: 56 %   below 13 %   above 31 %   8 h, 32 values",
      ])
    #expect(
      text(points, .millimolesPerLitre, .rome, .ascii) == [
        "---====^^hhhhHHhhhh^==--___llLl_   04:30 - 12:15   2.9-14.5 mmol/L",
        "In range 3.9-10.0: 56 %   below 13 %   above 31 %   8 h, 32 values",
      ])
  }

  @Test("each limit of a range counts on its correct side", arguments: TerminalCharacters.allCases)
  func limits(characters: TerminalCharacters) {
    let values = [-5, 53.9, 54, 69.9, 70, 97.4, 97.5, 124.9, 125, 152.4, 152.5, 180, 180.1, 250, 250.1, 900]
    let points = values.enumerated().map { point($0.offset * 15, $0.element) }
    let steps = characters == .unicode ? "▁▁▂▂▃▃▄▄▅▅▆▆▇▇██" : "LLll__--==^^hhHH"
    #expect(text(points, .milligramsPerDecilitre, .rome, characters)[0].hasPrefix(steps))
    let inks = Sparkline(
      points, to: start.adding(minutes: 465), unit: .milligramsPerDecilitre, clock: .rome, characters: characters
    ).lines[0].runs.prefix(3)
    #expect(inks.map(\.color) == [.low, .inRange, .high])
    #expect(inks.map(\.text.count).prefix(2) == [4, 8])
  }

  @Test(
    "a quarter shows the mean of its values, stays empty without one, and values outside of the period do not count")
  func quarters() {
    let none = ["No values in the last 8 hours."]
    for (points, lines) in [
      (
        [point(-1, 300), point(0, 100), point(450, 100), point(465, 100), point(466, 300)],
        [
          "▄·····························▄▄   04:30 – 12:15   100 mg/dL",
          "In range 70–180: 100 %   below 0 %   above 0 %   8 h, 3 values",
        ]
      ),
      (
        [point(450, 60), point(455, 90), point(464, 90), point(465, 60)],
        [
          "······························▃▂   04:30 – 12:15   60–80 mg/dL",
          "In range 70–180: 50 %   below 50 %   above 0 %   8 h, 2 values",
        ]
      ),
      ([], none), ([point(-1, 100), point(466, 100), point(10, .nan), point(20, .infinity)], none),
    ] { #expect(text(points) == lines) }
    #expect(
      text([point(0, 100)], .milligramsPerDecilitre, .rome, .ascii)[0].hasPrefix(
        "-" + String(repeating: " ", count: 34)))
    let far = Sparkline(
      [point(0, 100)], to: Instant(secondsSince1970: .max), unit: .milligramsPerDecilitre, clock: .rome)
    #expect(far.lines.map(\.text) == none)
  }

  @Test("for a sensor with an unknown start, days are counted")
  func sensorAge() {
    let points = [GlucosePoint(time: Instant(secondsSince1970: 190_800), concentration: point(0, 100).concentration)]
    func times(_ seconds: Int64) -> String {
      let lines = Sparkline(
        points, to: Instant(secondsSince1970: seconds), unit: .milligramsPerDecilitre, clock: .sensorAge
      ).lines
      return String(lines[0].text.dropFirst(35))
    }
    #expect(times(202_500) == "day 3 00:30 – 08:15   100 mg/dL")
    #expect(times(191_700) == "day 2 21:30 – day 3 05:15   100 mg/dL")
  }

  @Test(
    "if the clock changes in the period, the text says so",
    arguments: [("2024-03-31T05:15:00Z", "22:30 – 07:15"), ("2024-10-27T05:15:00Z", "23:30 – 06:15")])
  func clockChange(to: String, times: String) throws {
    let end = try #require(Instant(rfc3339: to))
    let points = [GlucosePoint(time: end, concentration: point(0, 100).concentration)]
    let line = Sparkline(points, to: end, unit: .milligramsPerDecilitre, clock: .rome).lines[0].text
    #expect(line.dropFirst(35) == "\(times), clock changed   100 mg/dL")
  }
}
