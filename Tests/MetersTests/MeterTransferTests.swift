// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

/// A store that fails.
private struct DiskFull: Error {}

@Suite("A transfer from a simulated meter")
struct MeterTransferTests {
  private static let now = CivilTime(Instant(secondsSince1970: 1_795_000_000))

  /// The reading of a simulated meter, and what was kept in each call.
  private static func read(
    _ name: String, now: CivilTime = now, bookmark: MeterBookmark? = nil
  ) async throws -> (reading: MeterReading, kept: [[MeterRecord]]) {
    let meter = try #require(SimulatedMeter(named: name, now: now))
    let kept = Kept()
    let reading = await MeterTransfer.run(over: meter, bookmark: { _ in bookmark }) { _, records in
      await kept.add(records)
    }
    return (reading, await kept.calls)
  }

  private actor Kept {
    private(set) var calls: [[MeterRecord]] = []
    func add(_ records: [MeterRecord]) { calls.append(records) }
  }

  private static func kinds(_ reading: MeterReading) -> Set<GlucoseRecord.Kind> {
    Set(reading.records.compactMap { $0.glucose?.kind })
  }

  @Test("reads what the meter says of itself, and all its records with contexts and carried offsets")
  func glucose() async throws {
    let (reading, kept) = try await Self.read("meter")
    #expect(reading.failure == nil && reading.meter.clock == Self.now && reading.meter.services == [.glucose])
    #expect(reading.meter.maker == "libre" && reading.meter.modelNumber == "SIM-METER")
    #expect(reading.meter.serialNumber == "SIM-METER-0001" && reading.meter.batteryPercent == 80)
    #expect(reading.records.count == 60 && reading.announcedCount == 60 && reading.rejected.isEmpty)
    #expect(kept == [reading.records])
    #expect(Self.kinds(reading) == [.blood, .controlSolution, .ketone])
    let records = reading.records.compactMap(\.glucose)
    let verdicts = records.map { FingerStickVerdict($0, now: Self.now) }
    #expect(verdicts.contains(.unusable(.noValue)) && verdicts.contains(.unusable(.aboveRange)))
    #expect(verdicts.filter { if case .usable = $0 { true } else { false } }.count > 40)
    let newest = try #require(records.last)
    #expect(newest.time.wallTime.instant(offsetSeconds: 0) <= Self.now.instant(offsetSeconds: 0))
  }

  @Test("hands over each measurement of a cuff by itself, and ends with the quiet")
  func cuff() async throws {
    let (reading, kept) = try await Self.read("cuff")
    #expect(reading.failure == nil && reading.records.count == 14 && reading.bookmark == nil)
    #expect(kept.map(\.count) == [Int](repeating: 1, count: 14))
    for record in reading.records.compactMap(\.bloodPressure) {
      let isUsable = if case .usable = BloodPressureVerdict(record, now: Self.now) { true } else { false }
      #expect(isUsable && record.wallTime != nil)
    }
  }

  @Test("reads a OneTouch meter with its clock")
  func oneTouch() async throws {
    let reading = try await Self.read("onetouch").reading
    #expect(reading.failure == nil && reading.records.count == 60 && reading.meter.clock == Self.now)
    #expect(reading.records.numbers == reading.records.numbers.sorted())
    #expect(Self.kinds(reading) == [.blood, .controlOrError])
    #expect(try await Self.read("onetouch", bookmark: reading.bookmark).reading.records.count == 1)
  }

  @Test("with a fault keeps what came, and says what happened")
  func faults() async throws {
    let meter = "Simulated meter"
    let cases: [(String, Int, MeterError?)] = [
      ("meter:drop", 30, .disconnected(meter: meter, received: 30)),
      ("meter:silent", 60, .silent(meter: meter, received: 60)),
      ("meter:late-context", 60, nil), ("meter:no-context", 60, nil), ("meter:double", 60, nil),
      ("meter:unpaired", 0, .notPaired(meter: meter)), ("meter:all-only", 60, nil), ("meter:reset", 60, nil),
      ("meter:0", 0, nil), ("cuff:drop", 7, nil), ("cuff:double", 14, nil),
      ("cuff:unpaired", 0, .notPaired(meter: "Simulated cuff")),
      ("onetouch:drop", 30, .disconnected(meter: "Simulated onetouch", received: 30)), ("onetouch:double", 60, nil),
      ("onetouch:unpaired", 0, .notPaired(meter: "Simulated onetouch")),
    ]
    for (name, count, failure) in cases {
      let (reading, kept) = try await Self.read(name)
      #expect(reading.records.count == count, "\(name)")
      #expect(reading.failure == failure, "\(name)")
      #expect(kept.flatMap { $0 } == reading.records, "\(name)")
    }
    let tested = Set(cases.map(\.0)).union(["meter", "cuff", "onetouch"])
    #expect(tested.isSuperset(of: SimulatedMeter.names.map(\.name)))
  }

  @Test("stores before it ends the link, and ends it if the store fails")
  func order() async throws {
    let log = LinkLog()
    let link = ObservedLink(base: try #require(SimulatedMeter(named: "meter", now: Self.now)), log: log)
    _ = await MeterTransfer.run(over: link) { _, records in await log.note("keep \(records.count)") }
    #expect(await log.lines.suffix(2) == ["keep 60", "disconnect"])

    let failing = ObservedLink(base: try #require(SimulatedMeter(named: "cuff", now: Self.now)), log: log)
    await #expect(throws: DiskFull.self) {
      _ = try await MeterTransfer.run(over: failing) { _, _ throws(DiskFull) in throw DiskFull() }
    }
    #expect(await log.lines.last == "disconnect")
  }

  @Test("when cancelled aborts the transfer, keeps what came and ends the link in a task that is not cancelled")
  func cancelled() async throws {
    let log = LinkLog()
    let link = ObservedLink(
      base: try #require(SimulatedMeter(named: "meter", now: Self.now)), log: log, cancelsAt: 11)
    let reading = await Task {
      await MeterTransfer.run(over: link) { _, records in await log.note("keep \(records.count)") }
    }.value
    let received = reading.records.count
    #expect(reading.failure == .cancelled(meter: "Simulated meter", received: received))
    #expect(received > 0 && received < 60)
    let lines = await log.lines
    #expect(lines.contains("write [3, 0]"))
    #expect(lines.suffix(2) == ["keep \(received)", "disconnect"])
  }

  @Test("of a device that is not a meter asks nothing of it")
  func notAMeter() async throws {
    let reading = await MeterTransfer.run(over: Lamp()) { _, _ in }
    #expect(reading.failure == .notAMeter("Lamp"))
  }

  private struct Lamp: MeterLink {
    let identity = MeterIdentity(address: "AA:BB:CC:DD:EE:FF", name: "Lamp")
    let characteristics: Set<MeterCharacteristic> = [.maker, .battery]
    func perform(_ request: MeterRequest, within timeout: Duration) async -> MeterEvent {
      Issue.record("asked for \(request)")
      return .disconnected
    }
    func nextEvent(within timeout: Duration) async -> MeterEvent { .disconnected }
    func disconnect() async {}
  }

  @Test("has unique names, each of which makes a meter, and refuses others")
  func names() {
    let names = SimulatedMeter.names.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { SimulatedMeter(named: $0, now: Self.now) != nil })
    for unknown in ["", "lamp", "meter:", "meter:-1", "meter:2001", "cuff:silent", "meter:drop:1"] {
      #expect(SimulatedMeter(named: unknown, now: Self.now) == nil, "\(unknown)")
    }
  }

  @Test("has no records before the first day, and stays within its numbers far in the future")
  func extremes() async throws {
    for (name, year, count) in [("meter", 1999, 0), ("onetouch", 1999, 0), ("meter:2000", 9_998, 2_000)] {
      let now = try #require(CivilTime(year: year, month: 12, day: 31))
      #expect(try await Self.read(name, now: now).reading.records.count == count)
    }
  }
}
