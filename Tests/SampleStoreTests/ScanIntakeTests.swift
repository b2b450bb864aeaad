// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

final class ScanIntakeTests: StoreTest {
  private static let history45 = ReadingFixture.Place(.history, 45)

  @Test("a first scan brings all its samples, dated by the start of the sensor")
  func first() throws {
    let receipt = try store.add(sensor.with { $0.second = 20 }.scan(1_000))
    #expect((receipt.added, receipt.known, receipt.filled, receipt.conflicts) == (48, 0, 0, 0))
    #expect(receipt.isNewScan && !receipt.isNewWear && receipt.wear == 1 && receipt.disagreementSeconds == 0)
    #expect(receipt.activatedAt == Instant(secondsSince1970: ReadingFixture.start.secondsSince1970 + 20))
    let samples = try store.samples()
    #expect(samples.count == 48)
    for stored in samples {
      #expect(stored.sample.time == receipt.activatedAt?.adding(minutes: stored.sample.minute.value))
      #expect(stored.sample.raw == sensor.raw(stored.sample.ring, stored.sample.minute.value))
      #expect(stored.sample.concentration?.milligramsPerDecilitre == Double(stored.sample.raw.glucose) / 10)
      #expect(stored.calibration == sensor.calibration && !stored.isSalvaged)
      #expect(stored.sensor.uid == ReadingFixture.uid && stored.wear == 1)
    }
  }

  @Test("storing the same scan again changes nothing")
  func again() throws {
    let scan = sensor.scan(1_000)
    _ = try store.add(scan)
    let (before, anchor) = (try store.entries(), try store.anchor())
    let receipt = try store.add(scan)
    #expect((receipt.added, receipt.known, receipt.filled, receipt.conflicts) == (0, 48, 0, 0))
    #expect(!receipt.isNewScan && receipt.wear == 1)
    #expect(try store.entries() == before && store.anchor() == anchor && store.onlyWear().scans == 1)
  }

  @Test("the store knows a memory by its beginning, its age and its sensor, also that of a sensor that was not started")
  func memory() throws {
    let fresh = sensor.with { ($0.state, $0.uid, $0.fingerprint) = (.notActivated, ReadingFixture.otherUID, nil) }
    try store.take(sensor.scan(1_000), fresh.scan(0))
    func stored(_ reading: SensorReading, _ identity: [UInt8]) throws -> Bool? {
      try store.stored(memory: identity, of: reading.sensor)?.hasMemory
    }
    for (sensor, age) in [(sensor, 1_000), (fresh, 0)] {
      let reading = sensor.reading(age)
      let identity = Array(reading.memory.bytes.prefix(320))
      #expect(try stored(reading, identity) == true)
      #expect(try stored(reading, identity.dropLast() + [1]) == false)
      #expect(try stored(sensor.reading(age + 256), identity) == false)
    }
    // The same counts of a sensor that is known by its fingerprint alone, and of one that is not known.
    let nameless = sensor.withoutUID.reading(1_000)
    let found = try #require(try store.stored(memory: nameless.memory.bytes, of: nameless.sensor))
    #expect(found.hasMemory && found.sensor.uid == ReadingFixture.uid)
    let other = sensor.with { ($0.uid, $0.fingerprint) = (ReadingFixture.otherUID, nil) }.reading(1_000)
    #expect(try stored(other, other.memory.bytes) == false)
    let stranger = sensor.nameless.reading(1_000)
    #expect(try stored(stranger, stranger.memory.bytes) == nil)
  }

  @Test("overlapping scans give each minute one sample, and a slot that was never written none")
  func overlap() throws {
    _ = try store.add(sensor.with { $0.empty = [.init(.trend, 986), .init(.history, 540)] }.scan(1_000))
    let receipt = try store.add(sensor.with { $0.second = 40 }.scan(1_010))
    // 10 minutes of trend and the history of minute 1005 are new, and so is the slot of minute 540.
    #expect((receipt.added, receipt.known) == (12, 36))
    #expect(receipt.disagreementSeconds == 40 && receipt.reportedDisagreement == nil)
    #expect(try store.remembered().count == 58)
    #expect(try store.onlyWear().trendSamples == 25 && store.onlyWear().historySamples == 33)
  }

  @Test("a good record replaces an error, without a conflict")
  func errorThenGood() throws {
    _ = try store.add(sensor.with { $0.flagged = [Self.history45] }.scan(100))
    let receipt = try store.add(sensor.scan(101))
    #expect((receipt.filled, receipt.conflicts) == (1, 0))
    let sample = try #require(try sample(.history, 45)).sample
    #expect(try sample.quality == .ok && sample.concentration != nil && store.onlyWear().conflicts.isEmpty)
  }

  @Test("checked counts replace salvaged ones, which are kept as a conflict; equal counts become checked")
  func salvagedThenChecked() throws {
    _ = try store.add(sensor.with { ($0.isSalvaged, $0.altered) = (true, [Self.history45: 77]) }.scan(100))
    #expect(try store.samples().allSatisfy(\.isSalvaged))
    let receipt = try store.add(sensor.scan(100))
    #expect((receipt.added, receipt.known, receipt.filled, receipt.conflicts) == (0, 21, 0, 1))
    #expect(try store.samples().allSatisfy { !$0.isSalvaged })
    #expect(try sample(.history, 45)?.sample.raw == sensor.raw(.history, 45))
    let conflict = try #require(try store.onlyWear().conflicts.first)
    #expect(conflict.isOtherSalvaged && conflict.other.glucose == 77)
  }

  @Test("a salvaged record that lost is no longer a conflict when a checked scan has the same counts")
  func settledConflict() throws {
    let other = sensor.with { $0.altered = [Self.history45: 77] }
    // Of two salvaged records the larger counts win; then a checked scan has the others.
    try store.take(sensor.with { $0.isSalvaged = true }.scan(100), other.with { $0.isSalvaged = true }.scan(101))
    #expect(try store.onlyWear().conflicts.map(\.other.glucose) == [77])
    _ = try store.add(other.scan(102))
    let conflict = try #require(try store.onlyWear().conflicts.first)
    #expect(conflict.kept.glucose == 77 && conflict.other == sensor.raw(.history, 45))
    #expect(try store.onlyWear().conflicts.count == 1)
  }

  @Test("a conflict is stored once, however often it occurs, and the first counts win")
  func conflict() throws {
    let other = sensor.with { $0.altered = [Self.history45: 77] }
    _ = try store.add(sensor.scan(100))
    #expect(try store.add(other.scan(101)).conflicts == 1)
    #expect(try store.add(other.scan(102)).conflicts == 1)
    #expect(try store.add(other.scan(101)).conflicts == 0)
    let conflicts = try store.onlyWear().conflicts
    #expect(conflicts.map(\.other.glucose) == [77] && conflicts.map(\.kept) == [sensor.raw(.history, 45)])
    #expect(!conflicts[0].isOtherSalvaged)
  }

  @Test("a calibration found later gives the samples their values")
  func learntLater() throws {
    let bad = sensor.withBadFooter
    _ = try store.add(bad.scan(100))
    #expect(try store.samples().allSatisfy { $0.sample.concentration == nil && $0.calibration == nil })
    #expect(try store.footer(uid: ReadingFixture.uid, fingerprint: nil) == nil)
    let receipt = try store.add(sensor.scan(105))
    #expect((receipt.added, receipt.filled, receipt.known) == (6, 17, 0))
    #expect(try store.footer(uid: ReadingFixture.uid, fingerprint: nil) == ReadingFixture.footer)

    // The first scan again, now with the footer of the second.
    var waiting: [StoredScan] = []
    try store.forEachScan(lackingFooterOf: try store.only().id) { scan in
      waiting.append(scan)
      return true
    }
    #expect(waiting.map(\.footer) == [ReadingFixture.footer])
    let again = try store.add(bad.with { $0.calibration = ReadingFixture.factory(version: 1) }.scan(100))
    #expect(!again.isNewScan)
    #expect(again.filled == 5)
    #expect(try store.samples().allSatisfy { $0.sample.concentration != nil && $0.calibration != nil })
    try store.forEachScan(lackingFooterOf: try store.only().id) { _ in
      Issue.record("nothing waits any more")
      return true
    }
  }

  @Test("a reading without values never removes a value")
  func valueStays() throws {
    _ = try store.add(sensor.scan(100))
    let before = try store.remembered()
    #expect(try store.add(sensor.withBadFooter.scan(100)).known == 22)
    #expect(try store.remembered() == before)
  }

  @Test("a restarted sensor begins a new wear, and both wears keep their minutes")
  func newWear() throws {
    _ = try store.add(sensor.scan(1_000))
    let restarted = sensor.restarted(after: 2_000)
    let receipt = try store.add(restarted.scan(500))
    #expect(receipt.isNewWear && receipt.wear == 2 && receipt.conflicts == 0)
    let wears = try store.only().wears
    #expect(wears.map(\.number) == [1, 2])
    #expect(wears.map(\.anchor.activatedAt) == [ReadingFixture.start, restarted.startedAt])
    #expect(try store.samples().count == 96)
    #expect(try !store.add(restarted.scan(600)).isNewWear)
    #expect(try store.add(sensor.scan(1_010)).wear == 1)
  }

  @Test("a clock wrong by an hour changes neither wear nor times, and is reported")
  func wrongClock() throws {
    _ = try store.add(sensor.scan(1_000))
    let receipt = try store.add(sensor.with { $0.clockError = 3_600 }.scan(1_010))
    #expect(receipt.wear == 1 && !receipt.isNewWear)
    #expect(receipt.reportedDisagreement == 3_600 && receipt.activatedAt == ReadingFixture.start)
    let wear = try store.onlyWear()
    #expect(wear.disagreements.map(\.seconds) == [0, 3_600])
    #expect(wear.anchor.activatedAt == ReadingFixture.start)
    // A scan hours later has no minute in common with the first.
    #expect(try store.add(sensor.with { $0.clockError = -3_600 }.scan(5_000)).wear == 1)
  }

  @Test("scans without a time are ordered by minute, and get times when the sensor is first dated")
  func undated() throws {
    let receipt = try store.add(sensor.with { $0.source = .unknown }.scan(1_000))
    #expect(receipt.activatedAt == nil && receipt.disagreementSeconds == nil)
    #expect(try store.samples().allSatisfy { $0.sample.time == nil })
    let anchor = try store.anchor()
    _ = try store.add(sensor.scan(2_000))
    // Programs that copied them without times get them again as changed.
    let samples = try store.samples(.of { $0.after = anchor })
    #expect(samples.count == 96)
    for stored in samples {
      #expect(stored.sample.time == ReadingFixture.start.adding(minutes: stored.sample.minute.value))
    }
  }

  @Test("a salvaged age, a sensor with a stopped clock or a scan without a time does not date a sensor")
  func undating() throws {
    try store.take(sensor.with { $0.source = .unknown }.scan(1_000), sensor.with { $0.isSalvaged = true }.scan(1_001))
    for (age, state) in [(1_002, SensorState.shutdown), (1_003, .failure), (1_004, .unknown(nil))] {
      _ = try store.add(sensor.with { $0.state = state }.scan(age))
    }
    #expect(try store.onlyWear().scans == 5 && store.onlyWear().anchor == ActivationAnchor())
    for (age, state) in [(1_005, SensorState.expired), (1_006, .warmingUp), (1_007, .active)] {
      let store = try folder.store("\(age).sqlite")
      #expect(try store.add(sensor.with { $0.state = state }.scan(age)).activatedAt == ReadingFixture.start)
    }
    for source in [ReadTimeSource.clock, .option, .file] {
      let store = try folder.store("\(source).sqlite")
      #expect(try store.add(sensor.with { $0.source = source }.scan(9)).activatedAt == ReadingFixture.start)
    }
  }

  @Test("an unused sensor is stored without wear and samples until it is started")
  func notActivated() throws {
    let receipt = try store.add(sensor.with { $0.state = .notActivated }.scan(0))
    #expect(receipt.wear == nil && receipt.activatedAt == nil)
    #expect((receipt.added, receipt.known) == (0, 0))
    #expect(try store.only().wears.isEmpty)
    let started = try store.add(sensor.scan(30))
    #expect(started.wear == 1 && !started.isNewWear)
    #expect(try store.known(sensor.with { $0.state = .notActivated }.scan(0)) == nil)
  }

  @Test("looking up the wear of a scan stores nothing")
  func known() throws {
    #expect(try store.known(sensor.scan(1_000)) == nil)
    #expect(try store.sensors().isEmpty)
    _ = try store.add(sensor.scan(1_000))
    let (before, anchor) = (try store.remembered(), try store.anchor())
    let receipt = try #require(try store.known(sensor.with { $0.second = 30 }.scan(1_100)))
    #expect(receipt.activatedAt == ReadingFixture.start && receipt.disagreementSeconds == 30 && receipt.wear == 1)
    #expect(try store.known(sensor.restarted(after: 4_000).scan(900)) == nil)
    #expect(try store.remembered() == before && store.anchor() == anchor)
  }

  @Test("a reading without a sensor identity and one with estimated minutes are refused")
  func refused() throws {
    #expect(throws: StoreError.sensorUnknown) { try store.add(sensor.nameless.scan(100)) }
    #expect(throws: StoreError.minutesEstimated) {
      try store.add(sensor.with { $0.problems = [.indicesMissing] }.scan(100))
    }
    #expect(try store.sensors().isEmpty)
  }

  private func sample(_ ring: SampleRing, _ minute: Int) throws -> StoredSample? {
    try store.samples().first { $0.sample.ring == ring && $0.sample.minute.value == minute }
  }
}
