// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

final class EntryIntakeTests: StoreTest {
  private static let stick = HistoryEntry.stick(SampleID(high: 1, low: 2), at: 0)

  /// Returns a sample as another store exported it.
  private func exported(_ minute: Int, _ fixture: ReadingFixture = ReadingFixture(), isDated: Bool = true)
    -> HistoryEntry
  {
    var sample = fixture.sample(.history, minute)
    sample.time = isDated ? fixture.startedAt.adding(minutes: minute) : nil
    return .sensor(
      StoredSample(
        sensor: SensorIdentity(
          uid: fixture.uid, fingerprint: fixture.fingerprint, serial: "0M00009DHCR", family: .libre1), wear: 1,
        sample: sample, calibration: fixture.calibration, isSalvaged: fixture.isSalvaged))
  }

  @Test("a part of a file is stored as its entries one by one")
  func batches() throws {
    let other = sensor.other(after: 5_000)
    let salvaged = sensor.with { ($0.isSalvaged, $0.altered) = (true, [.init(.history, 45): 1]) }
    let entries =
      [
        exported(15), exported(30, isDated: false), exported(45), Self.stick, exported(45, salvaged),
        exported(15, other),
      ]
      + [exported(60), exported(30, other), exported(75, sensor.nameless), exported(60), Self.stick]
    let single = try folder.store("single.sqlite")
    let foreign = ForeignWears()
    let expected = entries.map { try? single.add($0, from: foreign) }
    #expect(expected.contains(nil) && expected.contains(.known) && expected.contains(.added))
    #expect(try store.add(entries, from: ForeignWears()) == expected)
    #expect(try store.entries(.withFingerSticks) == single.entries(.withFingerSticks))
    #expect(try store.sensors().map(\.wears) == single.sensors().map(\.wears))
  }

  @Test("a value equal to a sensor's sample of that minute is known: it was exported or sent, and returns")
  func returned() throws {
    _ = try store.add(sensor.with { $0.second = 20 }.scan(1_000))
    let value = Double(sensor.counts(.history, 900)) / 10
    func imported(_ seconds: Int64, _ value: Double, _ ring: SampleRing = .history) -> HistoryEntry {
      let id = SampleID(high: UInt64(bitPattern: seconds), low: UInt64(value * 1_000))
      return .value(id, at: 900, seconds: seconds, value, ring: ring)
    }
    // Whole minutes, whole mg/dL, tenths of mmol/L.
    let before = try store.anchor()
    for entry in [imported(0, value.rounded()), imported(20, value + 0.9), imported(79, value)] {
      #expect(try store.add(entry) == .known)
    }
    #expect(try store.entries(.of { $0.after = before }).isEmpty)
    // Another minute, another value or the other ring: a different entry.
    for entry in [imported(-60, value), imported(80, value), imported(20, value + 1.1), imported(20, value, .trend)] {
      #expect(try store.add(entry) == .added)
    }
  }

  @Test("a removed value is reported and stays removed on import; typing it restores it")
  func removed() throws {
    let id = SampleID(high: 1, low: 2)
    #expect(try !store.remove(id))
    _ = try store.add(Self.stick)
    let anchor = try store.anchor()
    #expect(try store.remove(id))
    #expect(try store.removals(after: anchor) == [id])
    #expect(try store.add(Self.stick) == .leftOut && store.entries(.withFingerSticks).isEmpty)
    #expect(try store.removals(after: try store.anchor()) == [])
    #expect(try store.add(Self.stick, isTyped: true) == .added)
    #expect(try store.removals(after: anchor) == [])
    #expect(try store.entries(.of { ($0.after, $0.includesFingerSticks) = (anchor, true) }) == [Self.stick])
  }

  @Test("an entry without a sensor or an origin is refused")
  func nameless() throws {
    let stick = FingerStick(time: ReadingFixture.start, concentration: GlucoseConcentration(milligramsPerDecilitre: 99))
    #expect(throws: StoreError.sensorUnknown) { try store.add(.fingerStick(stick)) }
    #expect(throws: StoreError.sensorUnknown) { try store.add(exported(30, sensor.nameless)) }
  }

  @Test("an impossible value is not stored", arguments: [Double.nan, .infinity, -5, 0, 1e300])
  func impossible(milligrams: Double) throws {
    let id = SampleID(high: 1, low: 2)
    for entry in [HistoryEntry.stick(id, at: 0, milligrams), .value(id, at: 0, milligrams)] {
      #expect(try store.add(entry) == .impossible)
    }
    #expect(try store.entries(.withFingerSticks).isEmpty)
  }

  @Test("a sample from another store is stored as by its own scan, and dated by it until the sensor is scanned here")
  func sensorSample() throws {
    #expect(try store.add(exported(30)) == .added && store.add(exported(30)) == .known)
    let stored = try #require(try store.samples().first)
    #expect(stored.sample.time == ReadingFixture.start.adding(minutes: 30))
    #expect(stored.sensor.serial == "0M00009DHCR" && stored.calibration == sensor.calibration)
    // The scan that it came from dates the sensor by half a minute later.
    let receipt = try store.add(sensor.with { $0.second = 30 }.scan(40))
    #expect((receipt.added, receipt.known, receipt.startMovedSeconds, receipt.wear) == (17, 1, 30, 1))
  }

  @Test("a sample without a time gets one from stored scans, and an empty slot is ignored")
  func undatedSample() throws {
    _ = try store.add(sensor.scan(100))
    #expect(try store.add(exported(15, isDated: false)) == .known)
    #expect(try store.add(exported(300, isDated: false)) == .added)
    #expect(try store.onlyWear().anchor.activatedAt == ReadingFixture.start)
    #expect(try store.add(exported(45, sensor.with { $0.empty = [.init(.history, 45)] })) == .known)
  }

  @Test("other counts for a minute of the same start are a conflict, not a new wear; a value fills an error")
  func conflict() throws {
    _ = try store.add(sensor.with { $0.flagged = [.init(.history, 30)] }.scan(100))
    #expect(try store.add(exported(45, sensor.with { $0.altered = [.init(.history, 45): 77] })) == .conflict)
    #expect(try store.add(exported(30)) == .filled)
    #expect(try store.onlyWear().conflicts.count == 1)
  }

  @Test("impossible minutes are refused, and so are times out of range", arguments: [0, -1, .min, 65_536, .max])
  func impossibleMinutes(minute: Int) throws {
    let raw = RawSample(
      ring: .history, minute: SensorMinute(minute), glucose: 1_000, temperature: 6_552, temperatureAdjustment: -8,
      hasError: false, errorField: 800, isNeverWritten: false)
    var sample = GlucoseSample(raw: raw, temperatureCelsius: nil, concentration: nil, quality: .ok)
    sample.time = ReadingFixture.start
    let identity = SensorIdentity(uid: ReadingFixture.uid, fingerprint: nil, serial: nil, family: .libre1)
    func entry() -> HistoryEntry {
      .sensor(StoredSample(sensor: identity, wear: 1, sample: sample, calibration: nil, isSalvaged: false))
    }
    #expect(throws: StoreError.self) { try store.add(entry()) }
    sample = sensor.sample(.history, 30)
    sample.time = Instant(secondsSince1970: minute < 0 ? .min : .max)
    #expect(throws: StoreError.self) { try store.add(entry()) }
    #expect(try store.sensors().isEmpty)
  }
}
