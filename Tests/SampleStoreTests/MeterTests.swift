// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import TestSupport
import Testing

@testable import SampleStore

final class MeterTests: StoreTest {
  private static let meter = MeterFacts(address: "AA:BB:CC:00:00:01", serial: "7830123", model: "Contour Next One")
  private static let start = Instant(rfc3339: "2026-05-02T07:30:00Z")!
  private static let now = start.adding(days: 30)

  /// The record of this number with the value 100 + number, `minutes` apart. `shift`: minutes by which the meter's clock
  /// was changed before the reading.
  private static func row(_ number: Int, shift: Int = 0, value: Int? = nil, days: Int = 0) -> MeterRow {
    let value = value ?? 100 + number % 100
    let time = start.adding(minutes: number * 10 + shift).adding(days: days)
    let id = SampleID(high: UInt64(time.secondsSince1970), low: 0x8000_0000_0000_0000 | UInt64(value))
    let stick = FingerStick(Double(value), at: time, source: meter.source, id: id)
    return MeterRow(
      key: .sequence(number), value: "blood \(value) mg/dL", baseTime: CivilTime(time), meterTime: CivilTime(time),
      packets: [[UInt8(number & 0xFF), UInt8(value)]], result: .entry(.fingerStick(stick)))
  }

  private static func rows(_ numbers: Range<Int>, shift: Int = 0) -> [MeterRow] {
    numbers.map { row($0, shift: shift) }
  }

  private static func pressure(_ systolic: Double = 138, minutes: Int = 0) -> BloodPressure {
    BloodPressure(
      id: SampleID(high: 0x7000 + UInt64(systolic), low: 0x8000_0000_0000_0000 | UInt64(minutes)),
      time: start.adding(minutes: minutes), systolic: systolic, diastolic: 88, mean: nil, unit: .millimetresOfMercury,
      pulse: 60, user: 1, conditions: ["body_moved", "irregular_pulse"], source: "Cuff 1")
  }

  private static func row(_ pressure: BloodPressure) -> MeterRow {
    MeterRow(
      key: .facts("\(pressure.time.rfc3339) \(pressure.systolic)"), value: "\(pressure.systolic)", baseTime: nil,
      meterTime: nil, packets: [[1]], result: .entry(.bloodPressure(pressure)))
  }

  private func sticks(_ store: SensorStore? = nil) throws -> [FingerStick] {
    try entries(store).compactMap { if case .fingerStick(let stick) = $0 { stick } else { nil } }
  }

  private func entries(_ store: SensorStore? = nil) throws -> [HistoryEntry] {
    try (store ?? self.store).entries(.of { ($0.includesFingerSticks, $0.includesBloodPressure) = (true, true) })
  }

  private func keep(_ rows: [MeterRow], in store: SensorStore? = nil) throws -> Int {
    try (store ?? self.store).keep(rows, from: Self.meter, at: Self.now).count { $0 }
  }

  @Test("records that are read again are known, one new record is new, and the name of their meter is their source")
  func again() throws {
    for (count, new) in [(500, 500), (500, 0), (501, 1)] { #expect(try keep(Self.rows(0..<count)) == new) }
    #expect(try sticks().count == 501 && store.meters().map(\.fingerSticks) == [501])
    let source = "Contour Next One 7830123"
    #expect(try sticks().allSatisfy { $0.source == source } && store.sources().contains(source))
    #expect(try store.importedEarlier().values == 0)
  }

  @Test("a record whose time the meter shows differently is the same record", arguments: [60, -60, -420, 1_440, 2_880])
  func changedClock(shift: Int) throws {
    _ = try keep(Self.rows(0..<20))
    #expect(try keep(Self.rows(0..<20, shift: shift)) == 0)
    #expect(try sticks().map(\.time).max() == Self.start.adding(minutes: 190))
  }

  @Test("a number that is used again for another value is another record, and both stay known")
  func setBack() throws {
    _ = try keep(Self.rows(0..<20))
    let afterwards = [Self.row(0, value: 210, days: 300), Self.row(1, days: 300)]
    #expect(try keep(afterwards) == 2)
    #expect(try keep(afterwards) == 0 && keep(Self.rows(0..<20)) == 0)
    #expect(try sticks().count == 22)
  }

  @Test("the next reading continues from the highest number; after a set-back from the number that is given")
  func probe() throws {
    #expect(try store.meter(Self.meter) == nil)
    _ = try keep(Self.rows(3..<9))
    #expect(try store.meter(Self.meter)?.probe == StoredMeter.Probe(sequence: 8, packet: [8, 108]))
    _ = try keep(Self.rows(2..<5))
    #expect(try store.meter(Self.meter)?.probe?.sequence == 8)
    try store.setProbe(StoredMeter.Probe(sequence: 1, packet: [1]), of: Self.meter)
    #expect(try store.meter(Self.meter)?.probe == StoredMeter.Probe(sequence: 1, packet: [1]))
  }

  @Test("a batch is stored completely or not at all")
  func atomic() throws {
    _ = try keep(Self.rows(0..<5))
    var rows = Self.rows(5..<9)
    let withoutID = MeterRow.Content.entry(.fingerStick(FingerStick(99, at: Self.start)))
    rows.append(
      MeterRow(key: .sequence(9), value: "", baseTime: nil, meterTime: nil, packets: [], result: withoutID))
    #expect(throws: StoreError.sensorUnknown) { try keep(rows) }
    #expect(try sticks().count == 5 && store.meter(Self.meter)?.probe?.sequence == 4)
    // What a killed process leaves behind is the same: a transaction without its end.
    let other = try folder.store()
    try other.rehearse { () throws(StoreError) in
      _ = try other.keep(Self.rows(5..<9), from: Self.meter, at: Self.now)
    }
    #expect(try sticks().count == 5)
    #expect(try keep(Self.rows(4..<9)) == 4)
    #expect(try sticks().count == 9 && store.faults() == [])
  }

  @Test("a finger-stick that the user removed does not come back from the meter, even with another time")
  func removed() throws {
    _ = try keep(Self.rows(0..<3))
    #expect(try store.remove(try #require(try sticks().first?.id)))
    #expect(try keep(Self.rows(0..<3)) == 0 && keep(Self.rows(0..<3, shift: 60)) == 0)
    #expect(try sticks().count == 2)
  }

  @Test("a record that was left aside becomes a finger-stick once it has a value")
  func leftAside() throws {
    let stick = Self.row(7)
    let aside = MeterRow(
      key: stick.key, value: stick.value, baseTime: stick.baseTime, meterTime: nil, packets: [[7]],
      result: .leftAside(code: "glucose_or_ketone", message: "it may be a ketone"))
    #expect(try keep([aside]) == 1 && keep([aside]) == 0)
    #expect(try sticks().isEmpty && store.meters().map(\.leftAside) == [1])
    #expect(try keep([stick]) == 1 && keep([aside]) == 0)
    #expect(try sticks().count == 1 && store.meters().map(\.leftAside) == [0])
  }

  @Test("a meter that was known by its address only keeps its records when its serial number is read")
  func serialLater() throws {
    var facts = Self.meter
    facts.serial = nil
    _ = try store.keep(Self.rows(0..<3), from: facts, at: Self.now)
    #expect(try keep(Self.rows(0..<4)) == 1)
    #expect(try store.meters().map(\.facts.serial) == ["7830123"])
    // Another address of the same meter: some change it with each pairing.
    facts = Self.meter
    facts.address = "AA:BB:CC:00:00:02"
    #expect(try store.keep(Self.rows(0..<4), from: facts, at: Self.now).allSatisfy { !$0 })
    // Another meter has numbers of its own.
    facts.serial = "999"
    #expect(try store.keep([Self.row(0, value: 77)], from: facts, at: Self.now) == [true])
    #expect(try store.meters().count == 2)
  }

  @Test("forgetting a meter keeps its finger-sticks, and its next reading begins with the first record")
  func forget() throws {
    _ = try keep(Self.rows(0..<5))
    #expect(try store.forget(#require(try store.meter(Self.meter)).id, removingValues: false) == 0)
    #expect(try store.meter(Self.meter)?.probe == nil && store.meters().map(\.isForgotten) == [true])
    #expect(try sticks().count == 5)
    #expect(try keep(Self.rows(0..<5)) == 0 && store.meters().map(\.isForgotten) == [false])
  }

  @Test("forgetting a meter with its values removes and reports them, and reading it again restores them")
  func forgetValues() throws {
    let anchor = try store.anchor()
    _ = try keep(Self.rows(0..<5))
    let copy = try folder.store("copy.sqlite")
    _ = try copy.merge(store)
    #expect(try store.forget(#require(try store.meter(Self.meter)).id, removingValues: true) == 5)
    #expect(try sticks().isEmpty && store.meters().isEmpty && store.removals(after: anchor).count == 5)
    #expect(try store.merge(copy).fingerSticks == 0)
    #expect(try keep(Self.rows(0..<6)) == 1)
  }

  @Test("a merge copies meters, and a record that both stores have is one, even if their clocks differed")
  func merge() throws {
    let other = try folder.store("other.sqlite")
    _ = try keep(Self.rows(0..<5))
    _ = try keep(Self.rows(0..<8, shift: 60), in: other)
    let receipt = try store.merge(other)
    #expect(receipt.fingerSticks == 3)
    #expect(try sticks().count == 8 && keep(Self.rows(0..<8)) == 0)
    #expect(try store.merge(other).fingerSticks == 0)
    let empty = try folder.store("empty.sqlite")
    _ = try empty.merge(store)
    #expect(try empty.meters().map(\.fingerSticks) == [8] && keep(Self.rows(0..<8), in: empty) == 0)
    #expect(try empty.faults() == [])
  }

  @Test("a blood pressure keeps all its facts, and a query for glucose does not return it")
  func bloodPressure() throws {
    let kilopascals = BloodPressure(
      id: SampleID(high: 0x9000, low: 0x8000_0000_0000_0000), time: Self.start.adding(minutes: 5), systolic: 18.9,
      diastolic: 11, mean: 15.9, unit: .kilopascals)
    for new in [2, 0] { #expect(try keep([Self.row(Self.pressure()), Self.row(kilopascals)]) == new) }
    #expect(try Set(entries()) == [.bloodPressure(Self.pressure()), .bloodPressure(kilopascals)])
    #expect(try store.meters().map(\.bloodPressures) == [2] && store.counts().bloodPressures == 2)
    #expect(try store.entries(.withFingerSticks).isEmpty)
  }

  @Test("a blood pressure is merged, removed, imported and deleted for its age like other entries")
  func bloodPressureEverywhere() throws {
    let entry = HistoryEntry.bloodPressure(Self.pressure())
    let other = try folder.store("other.sqlite")
    #expect(try other.add(entry) == .added && other.add(entry) == .known)
    #expect(try store.merge(other).bloodPressures == 1 && store.merge(other).bloodPressures == 0)
    #expect(try store.remove(try #require(entry.id)) && entries().isEmpty)
    #expect(try store.add(entry) == .leftOut)

    let third = try folder.store("third.sqlite")
    let number = try third.beginImport(of: ["cuff.ndjson"], at: Self.now)
    _ = try third.add(entry)
    _ = try third.endImport(formats: ["ndjson"], timeZone: nil, counts: OutcomeCounts())
    let content = try third.content(ofImport: number)
    #expect(content.bloodPressures == 1 && content.values == 1 && content.sources == ["Cuff 1"])
    #expect(try third.removeImport(number).bloodPressures == 1 && entries(third).isEmpty)

    #expect(try other.removeAll(before: Self.now) == 1 && entries(other).isEmpty)
  }

  @Test("blood pressure is queued only for a sink that gets it, and never in a batch with glucose")
  func outbox() throws {
    let sink = try store.enrolled(at: Self.start, from: Self.start).id
    _ = try keep([Self.row(Self.pressure()), Self.row(1), Self.row(2), Self.row(Self.pressure(141, minutes: 15))])
    try store.fillOutbox(of: sink, rings: [], kinds: [.fingerStick])
    #expect(try store.sink(sink)?.queued == 2)
    try store.fillOutbox(of: sink, rings: [], kinds: [.fingerStick, .bloodPressure])
    var batches: [[HistoryEntry]] = []
    while let batch = try store.nextBatch(of: sink, limit: 10) {
      batches.append(batch.entries)
      try store.delivered(batch.id, at: Self.now)
    }
    let values = Set(batches.map { $0.map(\.concentration?.milligramsPerDecilitre) })
    #expect(values == [[nil, nil], [101, 102]] && batches.count == 2)
  }
}
