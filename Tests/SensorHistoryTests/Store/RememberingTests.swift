// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import SampleStore
import StoreTestSupport
import TestSupport
import Testing

@testable import LibreKit
@testable import SensorHistory

struct RememberingTests {
  private let folder: TemporaryDirectory
  private let store: SensorStore

  init() throws {
    folder = try TemporaryDirectory(isInMemory: true)
    store = try StoreFile.openForWriting(folder.path + "/data/history.sqlite")
  }

  private func remember(_ memory: RememberedMemory) throws -> SensorStore.Remembered {
    try store.remember(memory.reading(), calibration: .factory, zone: "Europe/Rome")
  }

  @Test("the name of an unknown sensor is shortened and cleaned in the message")
  func unknownSensor() throws {
    let name = "\u{1B}[2J" + String(repeating: "0M", count: 40)
    let error = #expect(throws: StoreError.self) { try store.chosenWear(of: name, wear: nil) }
    #expect(error?.message.hasSuffix("begins with ?[2J" + String(repeating: "0M", count: 18)) == true)
  }

  @Test("a known valid footer gives values to a later scan with a damaged one, and a note says so")
  func footer() throws {
    let alone = try RememberedMemory(age: 1_010).withBadFooter.reading()
    #expect(alone.history.allSatisfy { $0.concentration == nil })
    _ = try remember(RememberedMemory(age: 1_000))
    let reading = try remember(RememberedMemory(age: 1_010).withBadFooter).reading
    #expect(reading.history.count == 32 && reading.trend.count == 16)
    #expect(reading.samples.allSatisfy { $0.concentration != nil })
    #expect(reading.problems.contains { if case .footerRemembered = $0 { true } else { false } })
    #expect(!reading.problems.contains { if case .footerNotTrusted = $0 { true } else { false } })
    #expect(try store.timeline().allSatisfy { $0.sample.concentration != nil })
  }

  @Test("times in a reading depend on the sensor's start, not on the second of the read")
  func times() throws {
    _ = try remember(RememberedMemory(age: 1_000))
    let reading = try remember(RememberedMemory(age: 1_010, second: 45)).reading
    let start = RememberedMemory.start
    #expect(reading.sensor.activatedAt == start && reading.sensor.expiresAt == start.adding(minutes: 20_630))
    for sample in reading.samples {
      #expect(sample.time == start.adding(minutes: sample.minute.value))
    }
    #expect(reading.readAt == RememberedMemory(age: 1_010, second: 45).readAt)
    // A reading has the same values as the history.
    let timeline = Dictionary(uniqueKeysWithValues: try store.timeline().map { ($0.id, $0.sample) })
    for sample in reading.samples { #expect(timeline[reading.id(of: sample)] == sample) }
  }

  @Test("a younger scan dates the sensor, and a start that moves by more than two minutes is reported")
  func younger() throws {
    _ = try remember(RememberedMemory(age: 1_010, second: 45))
    let reading = try remember(RememberedMemory(age: 1_000, second: 20)).reading
    #expect(reading.sensor.activatedAt == Instant(secondsSince1970: RememberedMemory.start.secondsSince1970 + 20))
    #expect(reading.problems == [])
    let wrong = try remember(RememberedMemory(age: 900, second: -3_600)).reading
    // Two scans agree against it.
    #expect(wrong.sensor.activatedAt == reading.sensor.activatedAt)
    #expect(wrong.problems == [.clockDisagrees(seconds: -3_620)])
    #expect(try remember(RememberedMemory(age: 899, second: -3_610)).reading.problems == [.startMoved(seconds: -3_630)])
  }

  @Test("a restarted sensor begins a new wear, which is reported and is part of its ids")
  func restarted() throws {
    _ = try remember(RememberedMemory(age: 1_000))
    let restarted = RememberedMemory(age: 200).with { $0.readAt = $0.readAt?.adding(minutes: 5_000) }
    let reading = try remember(restarted).reading
    #expect(reading.problems.contains(.newWear(number: 2)))
    #expect(reading.id(of: reading.trend[0]) == SampleID(of: LiteralMemory.uid, wear: 2, .trend, SensorMinute(200)))
    #expect(reading.sensor.activatedAt == RememberedMemory.start.adding(minutes: 5_000))
    let ids = try store.timeline().map(\.id)
    #expect(Set(ids).count == ids.count && ids.count == 48 + 16 + 13)
    #expect(try !remember(restarted).reading.problems.contains(.newWear(number: 2)))
  }

  @Test("a clock difference of more than two minutes and contradictory counts are reported, and change nothing")
  func problems() throws {
    _ = try remember(RememberedMemory(age: 1_000))
    for (age, second, isTold) in [(1_001, 120, false), (1_002, 121, true), (1_003, -3_600, true)] {
      let problems = try remember(RememberedMemory(age: age, second: Int64(second))).reading.problems
      #expect(problems == (isTold ? [.clockDisagrees(seconds: second)] : []))
    }
    // Minute 975, which no window of the trend covers.
    let other = RememberedMemory(age: 1_004).edited {
      $0.setHistory(minute: 975, LiteralMemory.record(glucose: 2_222, temperature: 6_552))
    }
    #expect(try remember(other).reading.problems == [.conflicts(count: 1)])
    let kept = try #require(try store.timeline().first { $0.sample.ring == .history && $0.sample.minute.value == 975 })
    #expect(try kept.sample.raw.glucose == 1_475 && store.check().faults == [])
  }

  @Test("values of another model are shown, and the factory's values are stored")
  func otherModel() throws {
    let linear = CalibrationChoice.model(LinearCalibration(slope: 0.1, offset: 2))
    let remembered = try store.remember(
      RememberedMemory(age: 1_000).reading(calibration: "linear:0.1,2"), calibration: linear, zone: nil)
    #expect(remembered.reading.calibration?.model == "linear")
    let sample = remembered.reading.trend[0]
    #expect(sample.concentration?.milligramsPerDecilitre == 0.1 * Double(sample.raw.glucose) + 2)
    let alone = try RememberedMemory(age: 1_000).reading()
    for stored in try store.timeline() {
      #expect(stored.calibration == alone.calibration)
      #expect(alone.samples.contains { $0.raw == stored.sample.raw && $0.concentration == stored.sample.concentration })
    }
  }

  @Test("completing a reading adds the store's times, values and UID, and stores nothing")
  func complete() throws {
    let memory = RememberedMemory(age: 1_010, second: 30).withBadFooter.with { ($0.uid, $0.patchInfo) = (nil, nil) }
    let reading = try memory.reading()
    #expect(try store.complete(reading, calibration: .factory) == reading)
    _ = try remember(RememberedMemory(age: 1_000))
    let path = folder.path + "/data/history.sqlite"
    let (before, anchor) = (try store.timeline(), try store.anchor())
    let completed = try StoreFile.openForReading(path).complete(reading, calibration: .factory)
    #expect(completed.sensor.uid == LiteralMemory.uid && completed.sensor.activatedAt == RememberedMemory.start)
    #expect(completed.samples.allSatisfy { $0.concentration != nil && completed.id(of: $0) != nil })
    #expect(completed.samples.allSatisfy { $0.time == RememberedMemory.start.adding(minutes: $0.minute.value) })
    #expect(try store.timeline() == before && store.anchor() == anchor)
    #expect(try store.sensors().first?.wears.first?.scans == 1)
  }

  @Test("an unused sensor gets no times from an earlier wear")
  func inItsBox() throws {
    _ = try remember(RememberedMemory(age: 1_000))
    var memory = LiteralMemory(state: 1, age: 0)
    memory.seal()
    let boxed = RememberedMemory(age: 1_000).with { $0.bytes = memory.bytes }
    let reading = try store.complete(boxed.reading(), calibration: .factory)
    #expect(reading.sensor.state == .notActivated && reading.sensor.activatedAt == nil)
  }

  @Test("a check finds every sample of every scan, also after old samples were removed")
  func check() throws {
    for age in [400, 1_000, 1_007] { _ = try remember(RememberedMemory(age: age)) }
    #expect(try store.check().faults == [] && store.check().scans == 3)
    #expect(try store.vacuum(before: RememberedMemory.start.adding(minutes: 700), isRehearsal: false) > 16)
    #expect(try store.check().faults == [] && store.check().scans == 2)
    #expect(try store.timeline().map(\.sample.minute.value).min() == 705)
  }
}
