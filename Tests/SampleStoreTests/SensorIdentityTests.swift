// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

final class SensorIdentityTests: StoreTest {
  private let unmarked = ReadingFixture().with { $0.fingerprint = nil }

  @Test("readings without a UID are stored by fingerprint, and get the UID when it is found")
  func learnt() throws {
    _ = try store.add(sensor.withoutUID.scan(1_000))
    #expect(try store.only().identity.uid == nil && store.samples().allSatisfy { $0.sensor.uid == nil })
    let anchor = try store.anchor()
    let receipt = try store.add(sensor.scan(1_001))
    #expect(receipt.sensor.uid == ReadingFixture.uid && receipt.wear == 1 && !receipt.isNewWear)
    #expect(try store.onlyWear().scans == 2)
    // They have ids now, and are reported as changed.
    let changed = try store.samples(.of { $0.after = anchor })
    #expect(changed.count == 49 && changed.allSatisfy { $0.sensor.uid == ReadingFixture.uid })
  }

  @Test("if two sensors share a fingerprint, a reading without a UID belongs to neither")
  func twoSensors() throws {
    try store.take(sensor.scan(1_000), sensor.with { ($0.uid, $0.life) = (ReadingFixture.otherUID, 1) }.scan(1_000))
    let third = sensor.withoutUID.with { $0.life = 2 }.scan(1_000)
    let receipt = try store.add(third)
    #expect(try receipt.sensor.uid == nil && receipt.added == 48 && store.sensors().count == 3)
    #expect(try store.known(third)?.sensorID == receipt.sensorID)
  }

  @Test("a sensor known by UID and one known by fingerprint are joined by a reading with both")
  func joined() throws {
    try store.take(unmarked.withBadFooter.scan(1_000), sensor.withoutUID.scan(1_001))
    #expect(try store.sensors().count == 2)
    #expect(try store.add(sensor.withBadFooter.scan(1_002)).sensor.uid == ReadingFixture.uid)
    let wear = try store.onlyWear()
    #expect(try wear.scans == 3 && wear.conflicts.isEmpty && store.remembered().count == 50)
    // Data of the sensor without a UID is not lost.
    #expect(try store.footer(uid: ReadingFixture.uid, fingerprint: nil) == ReadingFixture.footer)
    #expect(try store.only().identity.fingerprint == ReadingFixture.fingerprint && store.faults() == [])
  }

  @Test("the footer of a fingerprint is used for readings without a UID, and never for another UID")
  func footers() throws {
    let print = ReadingFixture.fingerprint
    func footer(_ uid: SensorUID?, _ print: SensorFingerprint?) throws -> [UInt8]? {
      try store.footer(uid: uid, fingerprint: print)
    }
    _ = try store.add(sensor.withoutUID.scan(1_000))
    #expect(try footer(nil, print) == ReadingFixture.footer && footer(ReadingFixture.uid, print) != nil)
    #expect(try footer(ReadingFixture.uid, nil) == nil)
    _ = try store.add(sensor.scan(1_001))
    #expect(try footer(nil, print) == ReadingFixture.footer)
    #expect(try footer(ReadingFixture.otherUID, print) == nil && footer(nil, nil) == nil)
  }

  @Test("data from one scan of a sensor is kept if a later scan lacks it")
  func facts() throws {
    try store.take(sensor.scan(1_000), unmarked.scan(1_001))
    let stored = try store.only()
    #expect(stored.identity.uid == ReadingFixture.uid && stored.identity.fingerprint == ReadingFixture.fingerprint)
    #expect(stored.identity.family == .libre1 && stored.identity.serial == nil)
    #expect(stored.region == .european && stored.maxLifeMinutes == 20_700)
  }

  @Test("a sensor is found by UID, by fingerprint, or by the beginning of either")
  func found() throws {
    try store.take(sensor.scan(1_000), sensor.other(number: 1).scan(1_000))
    for text in ["E007A0000025905E", "e0:07:a0:00:00:25:90:5e", "01020304"] {
      #expect(try store.sensor(text).identity.uid == ReadingFixture.uid)
    }
    #expect(throws: StoreError.ambiguousSensor("E007", ["E007A0000025905F", "E007A0000025905E"])) {
      try store.sensor("E007")
    }
    for text in ["", "F", "E007A0000025905E0"] {
      #expect(throws: StoreError.noSuchSensor(text)) { try store.sensor(text) }
    }
  }

  @Test("a sensor has the state of its latest scan and the number of its samples")
  func told() throws {
    try store.take(sensor.with { $0.state = .expired }.scan(2_000), sensor.scan(1_000))
    let wear = try store.onlyWear()
    #expect((wear.facts.lastState, wear.ageMinutes) == (.expired, 2_000))
    #expect(wear.lastReadAt == ReadingFixture.start.adding(minutes: 2_000))
    #expect(wear.newestMinute == SensorMinute(2_000))
    #expect((wear.historySamples, wear.trendSamples, wear.scans) == (64, 32, 2))
  }
}
