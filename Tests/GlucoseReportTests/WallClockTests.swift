// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct WallClockTests {
  private let kathmandu = WallClock(LocalClock(zoneName: "Asia/Kathmandu") { _ in 20_700 })

  @Test("day and time of day are local, before 1970 too")
  func wall() {
    let moment = Instant(secondsSince1970: 1_714_587_240)  // 2024-05-01T18:14:00Z
    #expect(kathmandu.timeOfDay(moment) == "23:59" && kathmandu.name(ofDay: kathmandu.day(moment)) == "2024-05-01")
    #expect(kathmandu.secondOfDay(moment.adding(minutes: 1)) == 0)
    #expect(kathmandu.name(ofDay: kathmandu.day(moment.adding(minutes: 1))) == "2024-05-02")
    let early = Instant(secondsSince1970: -20_701)
    #expect(kathmandu.day(early) == -1 && kathmandu.secondOfDay(early) == 86_399)
  }
}
