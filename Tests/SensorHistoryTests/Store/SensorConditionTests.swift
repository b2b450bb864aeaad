// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import Testing

@testable import SensorHistory

struct SensorConditionTests {
  private static let identity = SensorIdentity(uid: nil, fingerprint: nil, serial: nil, family: .libre1)
  private let start = Instant(secondsSince1970: 1_714_644_000)

  private func state(_ last: SensorState?, readAtAge: Int?, nowAtAge: Int, life: Int? = 20_000) -> SensorState? {
    let facts = WearFacts(
      Self.identity, activatedAt: start, maxLifeMinutes: life, lastState: last, lastAgeMinutes: readAtAge)
    return SensorCondition(facts, now: start.adding(minutes: nowAtAge)).state
  }

  @Test("the condition advances with the clock from what the scan said")
  func clock() {
    for (last, readAtAge, nowAtAge, now) in [
      (.warmingUp, 30, 59, .warmingUp), (.warmingUp, 30, 60, .active), (.active, 100, 19_999, .active),
      (.active, 100, 20_000, .expired), (.active, 100, 20_719, .expired), (.active, 100, 20_720, .shutdown),
      (nil, nil, 100, .active),
      // An ended or failed sensor stays so, and no clock reduces an age that was reached.
      (.shutdown, 20_720, 100, .shutdown), (.failure, 4_000, 4_001, .failure), (.expired, 20_100, 5_000, .expired),
    ] as [(SensorState?, Int?, Int, SensorState)] {
      #expect(state(last, readAtAge: readAtAge, nowAtAge: nowAtAge) == now, "\(nowAtAge)")
    }
  }

  @Test("without a known start or life the condition is only what the sensor has reported")
  func unknown() {
    let undated = SensorCondition(
      WearFacts(Self.identity, maxLifeMinutes: 20_000, lastState: .active, lastAgeMinutes: 100), now: start)
    #expect(undated.state == nil && undated.endsAt == nil && undated.words == "unknown")
    #expect(state(.active, readAtAge: 100, nowAtAge: 21_599, life: nil) == .active)
    // No sensor of this family lasts for 15 days.
    #expect(state(.active, readAtAge: 100, nowAtAge: 21_600, life: nil) == nil)
    #expect(state(.warmingUp, readAtAge: 30, nowAtAge: 50_000, life: nil) == nil)
  }
}
