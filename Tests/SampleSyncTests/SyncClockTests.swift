// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import SampleStore
import Testing

@testable import SampleSync

/// Tests samples that are dated after this computer's clock.
struct SyncClockTests {
  @Test("samples ahead of the clock wait, their number is said, and they are sent once their time has come")
  func ahead() async throws {
    let bench = try SyncBench(.empty)
    // The clock at the scan was 100 minutes ahead of the present one.
    try bench.scan(SimulatedSensor(seed: 11), atAge: 1_005, readAt: bench.clock.now.adding(minutes: 100))
    let courier = ScriptedCourier(.status(200), .status(200))
    #expect(try await bench.run(courier) == .queued)
    #expect(bench.story().suffix(2) == ["waits for the clock: 6", "completed: 26 accepted, ? had, 0 parked, 6 queued"])
    bench.clock.advance(6_000)
    #expect(try await bench.run(courier) == .done)
    #expect(try bench.stored.queued == 0)
  }
}
