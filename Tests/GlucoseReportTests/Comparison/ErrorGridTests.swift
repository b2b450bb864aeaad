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

  @Test("each line of Clarke's grid belongs to the zone in the table")
  func clarke() throws {
    try check(
      .clarke,
      [
        // 20 %, and both under 70.
        (100, 120, .a), (100, 120.1, .b), (100, 80, .a), (100, 79.9, .b), (69, 10, .a), (69, 69.9, .a), (70, 55, .b),
        (70, 56, .a), (65, 70, .a), (58, 70, .d),
        // The upper C line, also beyond the paper's figure.
        (100, 210, .b), (100, 210.1, .c), (70, 180, .e), (70.1, 180.2, .c), (300, 410, .b), (300, 411, .c),
        // The lower C line.
        (130, 0, .b), (150, 28, .b), (150, 27.9, .c), (179, 68.5, .c), (180, 70, .e), (181, 70, .e),
        // D to both sides.
        (50, 70, .d), (50, 179.9, .d), (50, 180, .e), (70, 100, .b), (240, 100, .b), (240.1, 100, .d),
        (241, 179.9, .d), (241, 180, .b), (241, 70.1, .d), (241, 70, .e),
        // E, and a sensor off the body.
        (180, 69, .e), (179.9, 69.9, .b), (300, -20, .e), (100, -20, .b),
      ])
  }

  @Test("a pair on a line of Parkes's grids lies in the better zone, a pair beyond it in the worse")
  func parkes() throws {
    try check(
      .parkesType1,
      [
        (20, 50, .a), (20, 50.1, .b), (140, 170, .a), (140, 170.1, .b), (430, 550, .a), (430, 551, .b),
        (50, 10, .a), (50.1, 10, .b), (170, 145, .a), (170, 144.9, .b), (30, 60, .b), (30, 60.1, .c),
        (120, 20, .b), (120.1, 20, .c), (260, 130, .b), (260, 129.9, .c), (25, 100, .c), (25, 100.1, .d),
        (250, 30, .c), (250.1, 30, .d), (400, 95, .c), (400, 94.9, .d), (35, 155, .d), (35, 155.1, .e),
        (20, 549, .e), (60, 600, .d), (52, 602, .d), (52, 603, .e), (550, 1, .d),
      ])
    try check(
      .parkesType2,
      [
        (30, 50, .a), (230, 330, .a), (230, 330.1, .b), (90, 80, .a), (90, 79.9, .b), (30, 60, .b), (30, 60.1, .c),
        (90, 1, .b), (175, 65, .b), (175, 64.9, .c), (25, 80, .c), (25, 80.1, .d), (250, 40, .c), (410, 110, .c),
        (410, 109.9, .d), (35, 200, .d), (35, 200.1, .e), (20, 201, .e),
      ])
  }

  @Test("equal values lie in zone A of every grid, however high", arguments: ErrorGrid.allCases)
  func equal(grid: ErrorGrid) throws {
    for value in [0.001, 20, 50, 70, 180, 240, 550, 1_000, 10_000] {
      #expect(grid.zone(of: try .of(value, value)) == .a, "\(value)")
    }
  }

  @Test("a line continues beyond its last corner with the same slope")
  func extrapolated() throws {
    // B's lower line of type 1 rises by 150 in 165: at 1100 it stands at 950.
    try check(.parkesType1, [(1_100, 950, .a), (1_100, 949.9, .b)])
    // And C's by 120 in 290: at 840 at 370.
    try check(.parkesType1, [(840, 370, .b), (840, 369.9, .c)])
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
