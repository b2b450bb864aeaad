// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Meters
import NFCTransport
import SampleStore
import SensorHistory
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import LibreKit

@Suite("A day with a bridge")
struct BridgeDayTests {
  /// A sensor, and a bridge on it that can be near or not.
  private final class Day: Sendable {
    let clock = SleptClock()
    let sensor = SimulatedSensor(seed: 11)
    let language: BridgeLanguage
    private let draws: Mutex<SplitMix64>
    /// Hours and minutes in which the bridge is out of reach, Bluetooth is off, or bluetoothd does not run.
    let absences: [Range<Int>] = [200..<221, 400..<401, 615..<743, 1_100..<1_108]
    let firstAge = 5_000
    let connections = Mutex(0)

    init(_ language: BridgeLanguage, seed: UInt64) {
      self.language = language
      draws = Mutex(SplitMix64(seed: seed))
    }

    var minute: Int { Int(clock.now.slept / .seconds(60)) }
    var age: Int { firstAge + minute }
    var instant: Instant {
      Instant(secondsSince1970: sensor.activatedAt.secondsSince1970).adding(minutes: age)
    }
    var isNear: Bool { !absences.contains { $0.contains(minute) } }

    func happens(oneIn number: Int) -> Bool { draws.withLock { $0.number(1...number) == 1 } }

    var backend: BridgeBackend {
      BridgeBackend(clock: clock, now: { [clock] in clock.now.slept }) { [self] _ throws(TransportError) in
        try? await clock.sleep(for: .seconds(4))
        guard isNear else { throw .readerUnfit(name: "bridge", reason: "no bridge was heard", remedy: "") }
        connections.withLock { $0 += 1 }
        let bridge = SimulatedBridge(language, clock: clock) { [self] _ in sensor.image(atAge: age) }
        return (LossyLink(base: bridge, day: self), {})
      }
    }
  }

  /// A link that loses notifications and breaks.
  private struct LossyLink: MeterLink {
    let base: SimulatedBridge
    let day: Day

    var identity: MeterIdentity { base.identity }
    var characteristics: Set<MeterCharacteristic> { base.characteristics }

    func perform(_ request: MeterRequest, within timeout: Duration) async -> MeterEvent {
      day.isNear ? await base.perform(request, within: timeout) : .disconnected
    }

    func nextEvent(within timeout: Duration) async -> MeterEvent {
      while true {
        let event = await base.nextEvent(within: timeout)
        guard day.isNear, !day.happens(oneIn: 1_500) else { return .disconnected }
        if case .value = event, day.happens(oneIn: 250) { continue }
        return event
      }
    }

    func disconnect() async { await base.disconnect() }
  }

  @Test(
    "with losses stores every sample that was to be had, once",
    arguments: BridgeLanguage.allCases, [UInt64(1), 2])
  func day(language: BridgeLanguage, seed: UInt64) async throws {
    let day = Day(language, seed: seed)
    let store = try StoreFile.openInMemory()
    let events = Mutex<[WaitingReader.Event]>([])
    let reader = WaitingReader(day.backend, at: ReaderAddress(scheme: "bridge"), clock: day.clock) { event in
      events.withLock { $0.append(event) }
    }
    var ages: [Int] = []
    var stored = 0
    while day.minute < 24 * 60 {
      let report = await ScanRunner.run(
        on: reader, limit: .seconds(86_400 * 365), now: { day.instant })
      if report.failure == nil {
        let reading = try DumpReading(
          memory: report.memory, layout: report.layout, readAtSource: report.readAtSource,
          source: ReadingSource(tool: "test", path: nil, format: nil, dump: nil, sha256: ""), reader: report.reader
        ).reading(calibration: .factory, salvaging: false)
        ages.append(reading.sensor.ageMinutes)
        stored += try store.remember(reading, calibration: .factory, zone: nil).receipt.added
      }
      try await reader.waitForRemoval()
    }
    await reader.close()
    // Outside of the absences a reading comes every five minutes; some are lost on the way.
    #expect(ages.count > 220 && day.connections.withLock { $0 } > 4)
    let samples = try store.timeline()
    #expect(
      Set(samples.map { "\($0.sample.ring) \($0.sample.minute.value)" }).count == samples.count
        && stored == samples.count)
    func minutes(_ ring: SampleRing) -> Set<Int> {
      Set(samples.filter { $0.sample.ring == ring }.map(\.sample.minute.value))
    }
    // Eight hours are in each reading, so that no quarter of an hour is missing although two hours were.
    let newest = try #require(ages.last)
    let quarters = Set(stride(from: 15, through: (newest - 3) / 15 * 15, by: 15))
    #expect(minutes(.history) == quarters.filter { $0 > (day.firstAge - 3) / 15 * 15 - 32 * 15 })
    // Sixteen minutes are in each reading, by the minute.
    #expect(minutes(.trend) == Set(ages.flatMap { ($0 - 16)..<$0 }))
    // Each absence is told once, and the return.
    let (waits, returns) = events.withLock { events in
      (
        events.count { if case .waits = $0 { true } else { false } },
        events.count { if case .ready = $0 { true } else { false } }
      )
    }
    #expect(waits >= 2 && abs(waits - returns) <= 1 && waits <= 40)
  }
}
