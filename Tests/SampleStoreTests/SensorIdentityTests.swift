// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

struct SensorIdentityTests {
  private let folder: StoreFolder
  private let store: SensorStore
  private let named = ReadingFixture()
  private let nameless = ReadingFixture().with { $0.uid = nil }
  private let unmarked = ReadingFixture().with { $0.fingerprint = nil }

  init() throws { (folder, store) = try StoreFolder.opened() }

  @Test("readings without a UID are stored by fingerprint, and get the UID when it is found")
  func learnt() throws {
    _ = try store.add(nameless.scan(1_000))
    #expect(try store.only().identity.uid == nil)
    #expect(try store.samples().allSatisfy { $0.sensor.uid == nil })
    let anchor = try store.anchor()
    let receipt = try store.add(named.scan(1_001))
    #expect(receipt.sensor.uid == ReadingFixture.uid)
    #expect(receipt.wear == 1 && !receipt.isNewWear)
    #expect(try store.onlyWear().scans == 2)
    #expect(try store.samples().allSatisfy { $0.sensor.uid == ReadingFixture.uid })
    // They have ids now, and are reported as changed.
    #expect(try store.samples(.of { $0.after = anchor }).count == 49)
  }

  @Test("if two sensors share a fingerprint, a reading without a UID belongs to neither")
  func twoSensors() throws {
    let other = named.with {
      $0.uid = ReadingFixture.otherUID
      $0.life = 1
    }
    _ = try store.add(named.scan(1_000))
    _ = try store.add(other.scan(1_000))
    let receipt = try store.add(nameless.with { $0.life = 2 }.scan(1_000))
    #expect(receipt.sensor.uid == nil)
    #expect(receipt.added == 48)
    #expect(try store.sensors().count == 3)
    #expect(try store.known(nameless.with { $0.life = 2 }.scan(1_000))?.sensorID == receipt.sensorID)
  }

  @Test("a sensor known by UID and one known by fingerprint are joined by a reading with both")
  func joined() throws {
    let bad = unmarked.with {
      $0.isFooterGood = false
      $0.calibration = nil
    }
    _ = try store.add(bad.scan(1_000))
    _ = try store.add(nameless.scan(1_001))
    #expect(try store.sensors().count == 2)
    let receipt = try store.add(
      named.with {
        $0.isFooterGood = false
        $0.calibration = nil
      }.scan(1_002))
    #expect(receipt.sensor.uid == ReadingFixture.uid)
    let wear = try store.onlyWear()
    #expect(wear.scans == 3)
    #expect(wear.conflicts.isEmpty)
    #expect(try store.remembered().count == 50)
    // Data of the sensor without a UID is not lost.
    #expect(try store.footer(uid: ReadingFixture.uid, fingerprint: nil) == ReadingFixture.footer)
    #expect(try store.only().identity.fingerprint == ReadingFixture.fingerprint)
    #expect(try store.faults() == [])
  }

  @Test("the footer of a fingerprint is used for readings without a UID, and never for another UID")
  func footers() throws {
    _ = try store.add(nameless.scan(1_000))
    let print = ReadingFixture.fingerprint
    #expect(try store.footer(uid: nil, fingerprint: print) == ReadingFixture.footer)
    #expect(try store.footer(uid: ReadingFixture.uid, fingerprint: print) == ReadingFixture.footer)
    #expect(try store.footer(uid: ReadingFixture.uid, fingerprint: nil) == nil)
    _ = try store.add(named.scan(1_001))
    #expect(try store.footer(uid: nil, fingerprint: print) == ReadingFixture.footer)
    #expect(try store.footer(uid: ReadingFixture.otherUID, fingerprint: print) == nil)
    #expect(try store.footer(uid: nil, fingerprint: nil) == nil)
  }

  @Test("data from one scan of a sensor is kept if a later scan lacks it")
  func facts() throws {
    _ = try store.add(named.scan(1_000))
    _ = try store.add(unmarked.scan(1_001))
    let sensor = try store.only()
    #expect(
      sensor.identity
        == SensorIdentity(
          uid: ReadingFixture.uid, fingerprint: ReadingFixture.fingerprint, serial: nil, family: .libre1))
    #expect(sensor.region == .european)
    #expect(sensor.maxLifeMinutes == 20_700)
  }

  @Test("a sensor is found by UID, by fingerprint, or by the beginning of either")
  func found() throws {
    _ = try store.add(named.scan(1_000))
    _ = try store.add(
      ReadingFixture().with {
        $0.uid = ReadingFixture.otherUID
        $0.fingerprint = SensorFingerprint(bytes: Array(2...17))
      }.scan(1_000))
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
    _ = try store.add(named.with { $0.state = .expired }.scan(2_000))
    _ = try store.add(named.scan(1_000))
    let wear = try store.onlyWear()
    #expect((wear.facts.lastState, wear.ageMinutes) == (.expired, 2_000))
    #expect(wear.lastReadAt == ReadingFixture.start.adding(minutes: 2_000))
    #expect(wear.newestMinute == SensorMinute(2_000))
    #expect((wear.historySamples, wear.trendSamples, wear.scans) == (64, 32, 2))
  }
}
