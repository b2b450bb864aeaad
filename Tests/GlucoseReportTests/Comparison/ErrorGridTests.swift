// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct ErrorGridTests {
  private func check(_ grid: ErrorGrid, _ cases: [(Double, Double, ErrorGridZone)]) throws {
    for (reference, sensor, zone) in cases {
      #expect(grid.zone(of: try .of(reference, sensor)) == zone, "\(grid) \(reference) \(sensor)")
    }
  }

  @Test("Clarke's zones have sharp limits, E wins over C and D, and a sensor off the body has a zone")
  func clarke() throws {
    try check(
      .clarke,
      [
        (100, 120.1, .b), (100, 79.9, .b), (100, 210.1, .c), (150, 27.9, .c), (240.1, 100, .d), (50, 179.9, .d),
        (180, 70, .e), (181, 70, .e), (180, 69, .e), (241, 70, .e), (241, 70.1, .d),
        (300, -20, .e), (100, -20, .b),
      ])
  }

  @Test(
    "a pair on a line of Parkes's grids lies in the better zone, also where the line goes on beyond its last corner")
  func parkes() throws {
    try check(
      .parkesType1,
      [
        (140, 170, .a), (140, 170.1, .b), (170, 145, .a), (170, 144.9, .b), (30, 60, .b), (30, 60.1, .c),
        (260, 130, .b), (260, 129.9, .c), (25, 100, .c), (25, 100.1, .d), (400, 95, .c), (400, 94.9, .d),
        (35, 155, .d), (35, 155.1, .e), (60, 600, .d), (52, 602, .d), (52, 603, .e), (550, 1, .d),
        // B's lower line rises by 150 in 165: at 1100 it stands at 950. C's by 120 in 290: at 840 at 370.
        (1_100, 950, .a), (1_100, 949.9, .b), (840, 370, .b), (840, 369.9, .c),
      ])
    try check(
      .parkesType2,
      [
        (230, 330, .a), (230, 330.1, .b), (90, 80, .a), (90, 79.9, .b), (30, 60, .b), (30, 60.1, .c),
        (175, 65, .b), (175, 64.9, .c), (25, 80, .c), (25, 80.1, .d), (410, 110, .c), (410, 109.9, .d),
        (35, 200, .d), (35, 200.1, .e),
      ])
  }

  @Test("a zone's share is relative to all pairs, and without pairs there is no share")
  func counts() throws {
    let counts = ErrorGridCounts([try .of(100, 100), try .of(100, 150), try .of(50, 200)], grid: .clarke)
    #expect(ErrorGridZone.allCases.map(counts.count) == [1, 1, 0, 0, 1] && counts.total == 3)
    let share = try #require(counts.percent(.a))
    #expect(counts.percent(.c) == 0 && abs(share - 100.0 / 3) < 1e-12)
    let none = ErrorGridCounts([], grid: .clarke)
    #expect(none.percent(.a) == nil && none.count(.a) == 0)
  }
}
