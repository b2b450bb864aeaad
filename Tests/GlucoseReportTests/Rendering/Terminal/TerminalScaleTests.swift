// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct TerminalScaleTests {
  @Test("each row is completely below, in or above the range, for all values and heights")
  func rows() {
    for rows in 6...100 {
      for (lowest, highest) in [(100.0, 100.0), (40, 260), (-30, 90), (120, 501), (-1e300, 1e300)] {
        for dotsDown in [1, 4] {
          let scale = TerminalScale(lowest: lowest, highest: highest, rows: rows, dotsDown: dotsDown)
          #expect(scale.rows == rows && min(scale.lowRows, scale.rangeRows / 2, scale.highRows) >= 1)
          for value in [lowest, 54, 69.999, 70, 100, 180, 180.001, 250, highest] {
            let dot = scale.dot(value)
            #expect((0..<rows * dotsDown).contains(dot))
            #expect(scale.color(ofRow: dot / dotsDown) == TerminalColor(value))
          }
        }
      }
    }
  }

  @Test("ordinary values fit on the scale, values beyond it are drawn at its edge")
  func edges() {
    let wide = TerminalScale(lowest: 40, highest: 500, rows: 16, dotsDown: 4)
    #expect(!wide.isExceeded)
    let wider = TerminalScale(lowest: -40, highest: 700, rows: 16, dotsDown: 4)
    #expect(!wider.isExceeded)
    let beyond = TerminalScale(lowest: -1_000, highest: 5_000, rows: 16, dotsDown: 4)
    #expect(beyond.isExceeded && beyond.dot(-1_000) == 0 && beyond.dot(5_000) == 63)
  }

  @Test("both limits have a label, and no other label is next to them")
  func labels() {
    let scale = TerminalScale(lowest: 60, highest: 210, rows: 16, dotsDown: 4)
    #expect(
      scale.labels(.milligramsPerDecilitre)
        == [0: "50", 2: "70", 5: "100", 10: "150", 12: "180", 15: "200"])
    #expect(scale.labels(.millimolesPerLitre)[2] == "3.9" && scale.labels(.millimolesPerLitre)[12] == "10.0")
    for rows in 6...100 {
      for highest in [100.0, 300, 900] {
        for unit in GlucoseUnit.allCases {
          let scale = TerminalScale(lowest: 30, highest: highest, rows: rows, dotsDown: 4)
          let labels = scale.labels(unit).filter { $0.key != scale.lowRows }
          #expect(!labels.keys.contains { labels[$0 + 1] != nil })
        }
      }
    }
  }
}
