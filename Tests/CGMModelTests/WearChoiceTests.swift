// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct WearChoiceTests {
  /// 2024-05-02T10:15:00Z.
  private static let start = Instant(secondsSince1970: 1_714_644_900)
  private static let day = 1_440

  private func wear(
    _ number: Int, _ activatedAt: Instant? = Self.start, equal: Int = 0, different: Int = 0, ages: Bool = false
  ) -> WearChoice.Candidate {
    var candidate = WearChoice.Candidate(wear: 100 + number, number: number, activatedAt: activatedAt)
    (candidate.equal, candidate.different, candidate.isAgeContradicted) = (equal, different, ages)
    return candidate
  }

  @Test("a new sensor has no wear to choose from")
  func first() {
    #expect(WearChoice.wear(among: [], activatedAt: Self.start) == nil)
    #expect(WearChoice.wear(among: [], activatedAt: nil) == nil)
  }

  @Test("minutes with equal counts decide, whatever the clocks and ages are")
  func equalCounts() {
    let far = Self.start.adding(minutes: 30 * Self.day)
    #expect(WearChoice.wear(among: [wear(1, equal: 3, different: 2, ages: true)], activatedAt: far) == 101)
    #expect(WearChoice.wear(among: [wear(1, equal: 3), wear(2, far)], activatedAt: far) == 101)
  }

  @Test("of two wears with equal counts the one with more of them is chosen")
  func mostEqualCounts() {
    #expect(WearChoice.wear(among: [wear(1, equal: 3), wear(2, equal: 9)], activatedAt: nil) == 102)
    #expect(WearChoice.wear(among: [wear(1, equal: 9), wear(2, equal: 3)], activatedAt: nil) == 101)
  }

  @Test("starts within two minutes are the same start: other counts are then a conflict")
  func sameStart() {
    let near = Self.start.adding(minutes: 2)
    #expect(WearChoice.wear(among: [wear(1, different: 1)], activatedAt: near) == 101)
    #expect(WearChoice.wear(among: [wear(1, different: 1), wear(2, near, different: 5)], activatedAt: near) == 102)
    let later = Instant(secondsSince1970: near.secondsSince1970 + 1)
    #expect(WearChoice.wear(among: [wear(1, different: 1)], activatedAt: later) == nil)
  }

  @Test("minutes with mostly different counts belong to another wear")
  func otherCounts() {
    let later = Self.start.adding(minutes: 60)
    #expect(WearChoice.wear(among: [wear(1, equal: 1, different: 2)], activatedAt: later) == nil)
    #expect(WearChoice.wear(among: [wear(1, different: 1)], activatedAt: nil) == nil)
    #expect(WearChoice.wear(among: [wear(1, different: 1), wear(2)], activatedAt: later) == 102)
  }

  @Test("contradictory ages belong to another wear")
  func ages() {
    let later = Self.start.adding(minutes: 60)
    #expect(WearChoice.wear(among: [wear(1, ages: true)], activatedAt: later) == nil)
    #expect(
      WearChoice.wear(among: [wear(1, ages: true), wear(2, later.adding(minutes: 300))], activatedAt: later) == 102)
  }

  @Test("starts more than a day apart are two starts; up to a day it is one start and a wrong clock")
  func days() {
    #expect(WearChoice.wear(among: [wear(1)], activatedAt: Self.start.adding(minutes: Self.day)) == 101)
    #expect(WearChoice.wear(among: [wear(1)], activatedAt: Self.start.adding(minutes: -Self.day)) == 101)
    let more = Instant(secondsSince1970: Self.start.secondsSince1970 + 86_401)
    #expect(WearChoice.wear(among: [wear(1)], activatedAt: more) == nil)
  }

  @Test("other scans belong to the nearest start; without clocks to the only wear, or to none")
  func nearest() {
    let wears = [wear(1), wear(2, Self.start.adding(minutes: 600)), wear(3, nil)]
    #expect(WearChoice.wear(among: wears, activatedAt: Self.start.adding(minutes: 200)) == 101)
    #expect(WearChoice.wear(among: wears, activatedAt: Self.start.adding(minutes: 500)) == 102)
    #expect(WearChoice.wear(among: wears, activatedAt: nil) == nil)
    #expect(WearChoice.wear(among: [wear(1)], activatedAt: nil) == 101)
    #expect(WearChoice.wear(among: [wear(3, nil)], activatedAt: Self.start) == 103)
  }
}
