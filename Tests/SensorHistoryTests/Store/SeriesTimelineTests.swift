// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import SampleStore
import SensorHistory
import StoreTestSupport
import Testing

@testable import LibreKit

struct SeriesTimelineTests {
  private let store: SensorStore
  private let reader = CalibrationChoice.series(ReaderCalibration())
  private static let sensor = SimulatedSensor(seed: 5)

  init() throws { store = try StoreFile.openInMemory() }

  /// `delay` minutes later than the sensor says that it was started.
  private func reading(
    of sensor: SimulatedSensor = Self.sensor, atAge age: Int, delay: Int = 0,
    _ calibration: CalibrationChoice = .factory
  ) throws -> SensorReading {
    var image = sensor.image(atAge: age)
    image.readAt = Self.sensor.activatedAt.adding(minutes: age + delay)
    return try DumpReading(
      memory: CheckedMemory(image), readAtSource: .clock,
      source: ReadingSource(tool: "test", path: nil, format: nil, dump: nil, sha256: "")
    ).reading(calibration: calibration, salvaging: false)
  }

  private func values(_ samples: [StoredSample], _ ring: SampleRing) -> [Int: Double] {
    samples.reduce(into: [:]) { values, stored in
      guard stored.sample.ring == ring else { return }
      values[stored.sample.minute.value] = stored.sample.concentration?.milligramsPerDecilitre
    }
  }

  @Test("in a single scan the newest history record has no value, and only the newest trend record has one")
  func alone() throws {
    let reading = try reading(atAge: 9_000, reader)
    #expect(reading.calibration?.model == "reader" && reading.calibration?.basis == .scan)
    #expect(reading.history.count == 32 && reading.history.first?.concentration == nil)
    #expect(reading.history.dropFirst().allSatisfy { $0.concentration != nil })
    #expect(reading.trend.map { $0.concentration != nil } == [true] + Array(repeating: false, count: 15))
    #expect(reading.current?.concentration == reading.trend.first?.concentration)
    #expect(reading.current?.ratePerMinute != nil)
    // Counts, quality and ids are the factory's.
    let factory = try self.reading(atAge: 9_000)
    #expect(reading.samples.map(\.raw) == factory.samples.map(\.raw))
    #expect(reading.samples.map(\.quality) == factory.samples.map(\.quality))
  }

  @Test("with the store, records at the ends of a scan get their neighbours; factory values stay stored")
  func merged() throws {
    let before = try store.remember(reading(atAge: 9_000), calibration: reader, zone: nil)
    #expect(before.reading.calibration?.basis == .store && before.reading.history.first?.concentration == nil)
    // Four hours later; this time read with the model itself.
    let after = try store.remember(reading(atAge: 9_240, reader), calibration: reader, zone: nil)
    let all = values(try store.timeline(reader), .history)
    let newest = try #require(after.reading.history.first?.minute.value)
    let joint = try #require(before.reading.history.first?.minute.value)
    #expect(all[newest] == nil && all[joint] != nil)
    for sample in after.reading.history {
      #expect(sample.concentration?.milligramsPerDecilitre == all[sample.minute.value])
    }
    // Far from the ends, more neighbours change only what the age's offset takes from the scan.
    let alone = values([], .history).merging(
      try reading(atAge: 9_000, reader).history.compactMap { sample in
        sample.concentration.map { (sample.minute.value, $0.milligramsPerDecilitre) }
      }, uniquingKeysWith: { $1 })
    for minute in alone.keys where (joint - 20 * 15...joint - 6 * 15).contains(minute) {
      #expect(abs(try #require(alone[minute]) - (try #require(all[minute]))) < 0.2)
    }
    let stored = try store.timeline()
    #expect(stored.allSatisfy { $0.calibration?.model == "factory" })
    #expect(stored.map(\.sample.raw) == (try store.timeline(reader)).map(\.sample.raw))
    let models = try store.entries { $0.includesRevisions = true }.map(\.stored?.calibration?.model)
    #expect(Set(models) == ["factory"])
  }

  @Test("a reading that is completed but not stored also uses the store's neighbours")
  func completed() throws {
    _ = try store.remember(reading(atAge: 9_240), calibration: .factory, zone: nil)
    let completed = try store.complete(reading(atAge: 9_000, reader), calibration: reader)
    #expect(completed.calibration?.basis == .store)
    #expect(completed.history.first?.concentration != nil)
    #expect(try store.timeline().count == 48)
  }

  @Test("each wear is a separate series, even if entries of several wears alternate")
  func wears() throws {
    let other = SimulatedSensor(seed: 6)
    for age in [9_000, 9_100] {
      _ = try store.remember(reading(atAge: age), calibration: .factory, zone: nil)
      _ = try store.remember(reading(of: other, atAge: age - 60, delay: 60), calibration: .factory, zone: nil)
    }
    #expect(try store.sensors().count == 2)
    let together = try store.timeline(reader)
    for sensor in try store.sensors() {
      var alone: [SampleID?: GlucoseConcentration?] = [:]
      for entry in try store.entries(reader, { $0.scope = HistoryScope(of: sensor.id) }) {
        alone[entry.id] = entry.concentration
      }
      #expect(alone.count > 60 && alone.values.contains { $0 != nil })
      for stored in together where stored.sensor == sensor.identity {
        #expect(alone[stored.id] == stored.sample.concentration)
      }
    }
  }

  @Test("for a sensor not in the store the model uses only the scan")
  func unknownSensor() throws {
    let reading = try reading(atAge: 9_000, reader)
    let completed = try store.complete(reading, calibration: reader)
    #expect(completed.calibration?.basis == .scan && completed.current == reading.current)
    #expect(
      try store.complete(self.reading(atAge: 9_000, .user), calibration: .user).problems.contains(
        .userCalibrationMissing))
  }

  @Test("the user's correction changes the values and the rate of a reading; without one there is a note")
  func user() throws {
    let missing = try store.remember(reading(atAge: 9_000), calibration: .user, zone: nil).reading
    #expect(missing.problems.contains(.userCalibrationMissing) && missing.calibration?.model == "factory")
    let sensor = try store.chosenWear(of: nil, wear: nil).sensor
    try store.setUserCalibration(
      UserCalibration(slope: 1.1, intercept: -4, points: [], madeAt: Self.sensor.activatedAt), sensor: sensor.id,
      wear: 1)
    let factory = try store.remember(reading(atAge: 9_010), calibration: .factory, zone: nil).reading
    for corrected in [
      try store.remember(reading(atAge: 9_010, .user), calibration: .user, zone: nil).reading,
      try store.complete(reading(atAge: 9_010, .user), calibration: .user),
    ] {
      #expect(!corrected.problems.contains(.userCalibrationMissing) && corrected.calibration?.model == "user")
      for (one, other) in zip(corrected.samples, factory.samples) {
        #expect(
          one.concentration?.milligramsPerDecilitre == other.concentration.map { 1.1 * $0.milligramsPerDecilitre - 4 })
      }
      #expect(corrected.current?.ratePerMinute == factory.current?.ratePerMinute.map { 1.1 * $0 })
    }
  }
}
