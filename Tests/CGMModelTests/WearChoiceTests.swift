// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct WearChoiceTests {
  /// 2024-05-02T10:15:00Z.
  private static let start = Instant(secondsSince1970: 1_714_644_900)

  private func wear(
    _ number: Int, _ activatedAt: Instant? = Self.start, equal: Int = 0, different: Int = 0, ages: Bool = false
  ) -> WearChoice.Candidate {
    var candidate = WearChoice.Candidate(wear: 100 + number, number: number, activatedAt: activatedAt)
    (candidate.equal, candidate.different, candidate.isAgeContradicted) = (equal, different, ages)
    return candidate
  }

  private func later(_ minutes: Int, seconds: Int64 = 0) -> Instant {
    Instant(secondsSince1970: Self.start.adding(minutes: minutes).secondsSince1970 + seconds)
  }

  @Test("a scan belongs to the wear with equal counts, then to that of the same start, then to the nearest one")
  func choices() {
    for (reason, wears, activatedAt, chosen) in [
      ("a new sensor has no wear to choose from", [], Self.start, nil),
      ("nor has it without a clock", [], nil, nil),
      (
        "equal counts decide, whatever the clocks and ages are", [wear(1, equal: 3, different: 2, ages: true)],
        later(43_200), 101
      ),
      ("even beside a wear of this start", [wear(1, equal: 3), wear(2, later(43_200))], later(43_200), 101),
      ("the one with more of them is chosen", [wear(1, equal: 3), wear(2, equal: 9)], nil, 102),
      ("in any order", [wear(1, equal: 9), wear(2, equal: 3)], nil, 101),
      ("starts within two minutes are one: other counts are then a conflict", [wear(1, different: 1)], later(2), 101),
      ("the closer one counts", [wear(1, different: 1), wear(2, later(2), different: 5)], later(2), 102),
      ("a second more is another start", [wear(1, different: 1)], later(2, seconds: 1), nil),
      ("mostly different counts belong to another wear", [wear(1, equal: 1, different: 2)], later(60), nil),
      ("also without a clock", [wear(1, different: 1)], nil, nil),
      ("if there is one", [wear(1, different: 1), wear(2)], later(60), 102),
      ("contradictory ages belong to another wear", [wear(1, ages: true)], later(60), nil),
      ("however far its start is", [wear(1, ages: true), wear(2, later(360))], later(60), 102),
      ("up to a day it is one start and a wrong clock", [wear(1)], later(1_440), 101),
      ("in both directions", [wear(1)], later(-1_440), 101),
      ("more than a day apart are two starts", [wear(1)], later(1_440, seconds: 1), nil),
      ("the nearest start is taken", [wear(1), wear(2, later(600)), wear(3, nil)], later(200), 101),
      ("on either side", [wear(1), wear(2, later(600)), wear(3, nil)], later(500), 102),
      ("without clocks none of several", [wear(1), wear(2, later(600)), wear(3, nil)], nil, nil),
      ("but the only wear", [wear(1)], nil, 101),
      ("even if it has no start", [wear(3, nil)], Self.start, 103),
    ] as [(String, [WearChoice.Candidate], Instant?, Int?)] {
      #expect(WearChoice.wear(among: wears, activatedAt: activatedAt) == chosen, "\(reason)")
    }
  }
}
