// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Meters
@testable import SensorHistory

@Suite("Records of a meter in the store") struct MeterKeeperTests {
  private let folder: TemporaryDirectory
  private let store: SensorStore
  /// Two hours ahead of UTC.
  private static let clock = LocalClock(zoneName: "Europe/Rome") { _ in 7_200 }
  private static let morning = Instant(rfc3339: "2026-05-02T06:00:00Z")!

  init() throws {
    folder = try TemporaryDirectory(isInMemory: true)
    store = try SensorStore(folder.path("history.sqlite"), for: .writing)
  }

  private func keeper(_ clock: LocalClock = clock, at now: Instant = morning) throws -> MeterKeeper {
    MeterKeeper(try SensorStore(store.path, for: .writing), clock: clock, now: { now })
  }

  private func read(_ name: String, at now: Instant = morning) async throws -> (MeterReading, MeterReceipt) {
    let keeper = try keeper(at: now)
    let meter = try #require(
      SimulatedMeter(named: name, now: CivilTime(now, offsetSeconds: Self.clock.offsetSeconds(at: now))))
    let reading = try await keeper.read(over: meter)
    return (reading, await keeper.receipt)
  }

  private func entries() throws -> [HistoryEntry] {
    try store.entries { ($0.rings, $0.includesFingerSticks, $0.includesBloodPressure) = ([], true, true) }
  }

  @Test("500 records are read once, the second reading has none, and a day later the new ones are read only")
  func onlyNew() async throws {
    let first = try await read("meter:500").1
    #expect(first.newEntries.count + first.leftAside.count == 500 && first.knownCount == 0)
    #expect(try entries().count == first.newEntries.count)
    let (reading, second) = try await read("meter:500")
    #expect(second.newEntries.isEmpty && second.leftAside.isEmpty)
    #expect(reading.records.count == 1 && !reading.wasReset)
    let (later, third) = try await read("meter:500", at: Self.morning.adding(days: 1))
    #expect(later.records.count == 5 && third.newEntries.count + third.leftAside.count == 4 && third.knownCount == 1)
  }

  @Test("a reading has the time at which the meter answered, not that at which the wait began")
  func readAt() async throws {
    let time = Mutex(Self.morning)
    let keeper = MeterKeeper(
      try SensorStore(store.path, for: .writing), clock: Self.clock, now: { time.withLock { $0 } })
    #expect(await keeper.readAt == nil)
    let later = Self.morning.adding(minutes: 20)
    time.withLock { $0 = later }
    let meter = try #require(SimulatedMeter(named: "meter", now: CivilTime(later, offsetSeconds: 7_200)))
    _ = try await keeper.read(over: meter)
    #expect(await keeper.readAt == later)
    #expect(try store.meters().map(\.lastReadAt) == [later])
  }

  @Test("records that are not finger-sticks are left aside, each with its reason")
  func leftAside() async throws {
    let receipt = try await read("meter:31").1
    let codes = receipt.leftAside.compactMap { item in
      if case .leftAside(let code, let message) = item.result, !message.isEmpty { code } else { nil as String? }
    }
    #expect(Set(codes) == ["control_solution", "ketone", "no_value", "above_range"])
    #expect(try receipt.newEntries.count == 31 - codes.count && store.meters().map(\.leftAside) == [codes.count])
  }

  @Test("the meter's wall time is read in the user's zone, and the meter is the source")
  func time() async throws {
    let receipt = try await read("meter:4").1
    let record = try #require(receipt.items.first { $0.result.entry != nil })
    guard case .fingerStick(let stick)? = record.result.entry else { return #expect(Bool(false)) }
    let wall = try #require(record.record.glucose?.time.wallTime)
    #expect(stick.time == wall.instant(offsetSeconds: 7_200))
    #expect(stick.source == "libre SIM-METER SIM-METER-0001" && stick.note == nil)
    #expect(stick.id == HistoryEntry.fingerStick(stick).identified().id)
  }

  @Test("an interrupted reading keeps what arrived, and the next one completes it without doubling anything")
  func interrupted() async throws {
    let (reading, first) = try await read("meter:drop")
    #expect(reading.failure != nil && !first.items.isEmpty)
    let (_, second) = try await read("meter")
    let all = first.items.count { $0.isNew } + second.items.count { $0.isNew }
    let whole = try await read("meter:60").1
    #expect(whole.items.allSatisfy { !$0.isNew })
    // The meter has another name with a fault, and so another address, but the same serial number.
    #expect(try store.meters().count == 1 && all == 60)
  }

  @Test("a meter that counts from 0 again is noticed, and its records are new ones")
  func reset() async throws {
    let first = try await read("meter").1
    let (reading, second) = try await read("meter:reset")
    #expect(reading.wasReset)
    let meter = try #require(try store.meters().first)
    #expect(meter.probe?.sequence == reading.bookmark?.sequenceNumber)
    let (again, third) = try await read("meter:reset")
    #expect(!again.wasReset && third.items.allSatisfy { !$0.isNew })
    #expect(first.items.allSatisfy { $0.isNew } && !second.items.isEmpty)
  }

  @Test("a cuff's measurements are blood pressures with all their facts, known when they are sent again")
  func cuff() async throws {
    let receipt = try await read("cuff").1
    let pressures = try entries().compactMap { entry in
      if case .bloodPressure(let pressure) = entry { pressure } else { nil }
    }
    #expect(pressures.count == 14 && receipt.newEntries.count == 14)
    #expect(
      pressures.allSatisfy { $0.mean != nil && $0.pulse != nil && $0.user != nil && $0.unit == .millimetresOfMercury })
    #expect(pressures.contains { $0.conditions == ["irregular_pulse"] })
    #expect(pressures.allSatisfy { HistoryEntry.bloodPressure($0).identified().id == $0.id })
    let again = try await read("cuff").1
    #expect(again.newEntries.isEmpty && again.knownCount == 14)
  }

  @Test("pressures in kPa stay in kPa, and a cuff without a date is left aside")
  func kilopascals() async throws {
    let dated: [UInt8] = [
      0x17, 0xBD, 0xF0, 0x0B, 0x00, 0x9F, 0xF0, 0xEA, 0x07, 0x05, 0x01, 0x08, 0x0A, 0x00, 0x3C, 0x00, 0x12, 0x00,
    ]
    let undated: [UInt8] = [0x15, 0xBD, 0xF0, 0x0B, 0x00, 0x9F, 0xF0, 0x3C, 0x00, 0x12, 0x00]
    let keeper = try keeper()
    let meter = MeterDescription(identity: MeterIdentity(address: "AA:00", name: "Cuff"), services: [.bloodPressure])
    let records = try [dated, undated].map { MeterRecord.bloodPressure(try BloodPressureRecord($0)) }
    try await keeper.keep(records, from: meter)
    let receipt = await keeper.receipt
    guard case .bloodPressure(let pressure)? = receipt.newEntries.first else { return #expect(Bool(false)) }
    #expect((pressure.systolic, pressure.diastolic, pressure.mean, pressure.pulse) == (18.9, 11, 15.9, 60))
    #expect(pressure.unit == .kilopascals && pressure.source == "Cuff AA:00")
    #expect(pressure.conditions == ["cuff_loose", "pulse_below_range"])
    #expect(
      receipt.leftAside.map(\.result) == [
        .leftAside(code: "no_time", message: "the cuff sent no date; set its clock")
      ])
  }

  @Test(
    "in the hour that summer time skips a meter showed winter time, and in the repeated hour the earlier moment counts")
  func summerTime() async throws {
    let change = Instant(rfc3339: "2026-03-29T01:00:00Z")!
    let back = Instant(rfc3339: "2025-10-26T01:00:00Z")!
    let clock = LocalClock(zoneName: "Europe/Rome") { $0 >= change || $0 < back ? 7_200 : 3_600 }
    func packet(_ month: UInt8, _ day: UInt8, year: UInt8, number: UInt8) -> [UInt8] {
      [0x03, number, 0x00, year, 0x07, month, day, 0x02, 0x1E, 0x00, 0x00, 0x00, 0x78, 0xB0, 0x11]
    }
    let keeper = try keeper(clock)
    let meter = MeterDescription(identity: MeterIdentity(address: "AA:01", name: "Meter"), services: [.glucose])
    let records = try [packet(3, 29, year: 0xEA, number: 1), packet(10, 26, year: 0xE9, number: 2)].map { packet in
      let measurement = try GlucoseMeasurement(packet)
      return MeterRecord.glucose(
        GlucoseRecord(
          measurement, packet: packet, context: nil, contextPacket: nil, carriedOffset: nil, features: nil, quirks: []))
    }
    try await keeper.keep(records, from: meter)
    let times = await keeper.receipt.newEntries.compactMap(\.time?.rfc3339)
    #expect(times == ["2026-03-29T01:30:00Z", "2025-10-26T00:30:00Z"])
  }
}
