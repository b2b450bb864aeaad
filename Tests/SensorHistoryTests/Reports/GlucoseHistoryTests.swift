// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Libre1Core
import SampleStore
import StoreTestSupport
import TestSupport
import Testing

@testable import HostSystem
@testable import LibreKit
@testable import SensorHistory

struct GlucoseHistoryTests {
  private let history: StoredHistory

  init() throws { history = try StoredHistory() }

  private func content(_ history: GlucoseHistory) -> ReportContent {
    history.content(from: nil, to: nil, unit: .milligramsPerDecilitre, madeAt: nil)
  }

  private func content() throws -> ReportContent { content(try history.shown.glucoseHistory(from: nil, to: nil)) }

  @Test("the history of a reading has its usable values and its sensor")
  func sensor() throws {
    let reading = try history.scan(SimulatedSensor(seed: 7), atAge: 5_000)
    let found = try history.shown.glucoseHistory(from: nil, to: nil)
    let usable = reading.history.filter { $0.quality == .ok }
    #expect(found.points.map(\.time) == usable.compactMap(\.time).reversed())
    #expect(found.sensors.map(\.count) == [usable.count])
    #expect(found.sensors.first?.name == "FreeStyle Libre \(try #require(reading.sensor.serial))")
    #expect(found.clock.kind == .local(zone: LocalTime.zoneName) && !found.isEmpty)
  }

  @Test("the trend is drawn in pictures but not counted in statistics")
  func trend() throws {
    let reading = try history.scan(SimulatedSensor(seed: 7), atAge: 5_000)
    let found = try history.shown.glucoseHistory(from: nil, to: nil, rings: Set(SampleRing.allCases))
    let all = (reading.history + reading.trend).filter { $0.quality == .ok }
    #expect(found.points.count == all.count)
    #expect(found.points.map(\.time) == found.points.map(\.time).sorted())
    let content = content(found)
    #expect(content.points.count == reading.history.count { $0.quality == .ok })
    #expect(content.metrics?.basics.count == content.points.count)
  }

  @Test("a report of values that follow a software has the sentences about its versions, and no other report has")
  func claim() throws {
    _ = try history.scan(SimulatedSensor(seed: 7), atAge: 5_000)
    let reader = try #require(CalibrationChoice("reader"))
    let contents = try [reader, .factory].map {
      content(try history.shown.glucoseHistory(from: nil, to: nil, calibration: $0))
    }
    #expect(contents.map(\.calibration) == ["reader", "factory"])
    #expect(
      contents[0].calibrationNotes == CalibrationEntry.named("reader")?.claim && !contents[0].calibrationNotes.isEmpty)
    #expect(contents[1].calibrationNotes.isEmpty)
  }

  @Test("finger-sticks are there to be drawn, in the order of time, and no number counts them")
  func fingerSticks() throws {
    let reading = try history.scan(SimulatedSensor(seed: 7), atAge: 5_000)
    let newest = try #require(reading.history.first?.time)
    for (minute, value, source) in [(-30, 400.0, nil), (-60, 30, "meter 1"), (-6_000, 90, nil)] {
      let stick = FingerStick(value, at: newest.adding(minutes: minute), source: source)
      #expect(try history.store.note(stick).0 == .added)
    }
    let without = try history.shown.glucoseHistory(from: nil, to: nil)
    #expect(without.fingerSticks.isEmpty)
    let found = try history.shown.glucoseHistory(from: nil, to: nil, includesFingerSticks: true)
    #expect(found.fingerSticks.map(\.concentration.milligramsPerDecilitre) == [90, 30, 400])
    #expect(found.fingerSticks.map(\.source) == [nil, "meter 1", nil])
    #expect(found.points == without.points)
    let (with, other) = (content(found), content(without))
    #expect(with.fingerSticks.count == 3 && other.fingerSticks.isEmpty)
    #expect(with.metrics == other.metrics && with.byDay == other.byDay && with.gaps == other.gaps)
    #expect(with.sensors == other.sensors && with.profile == other.profile)
    #expect(with.from == other.from && with.to == other.to)
    let recent = try history.shown.glucoseHistory(
      from: newest.adding(minutes: -45), to: nil, includesFingerSticks: true)
    #expect(recent.fingerSticks.count == 1)
  }

  @Test("two sensors that are read in turns are one curve, and the statistics of each have its own time and values")
  func twoSensors() throws {
    for reading in try TwoSensors.readings(isLaterFirst: false) {
      _ = try history.store.remember(reading, calibration: .factory, zone: nil)
    }
    func found(_ rings: Set<SampleRing>) throws -> GlucoseHistory {
      try history.shown.glucoseHistory(from: nil, to: nil, rings: rings)
    }
    func point(_ stored: StoredSample) -> GlucosePoint? {
      guard let time = stored.sample.time, let concentration = stored.sample.concentration else { return nil }
      return GlucosePoint(time: time, concentration: concentration)
    }
    let quarters = try found([.history])
    #expect(try quarters.points == history.store.counting([.history]).compactMap(point))
    let drawn = try found(Set(SampleRing.allCases)).points
    #expect(Set(drawn) == Set(try history.store.counting().compactMap(point)))
    let groups = GroupedStatistics(quarters.quarters, by: .sensor, from: nil, to: nil, clock: quarters.clock).groups
    let counted = try [TwoSensors.earlier, TwoSensors.later].map { uid in
      try history.store.counting([.history]).count { $0.sensor.uid == uid }
    }
    #expect(groups.map(\.part.count) == counted && counted.allSatisfy { $0 > 10 })
    // From the first to the last history value of the earlier sensor, of which the later half does not count.
    #expect(groups.first?.part.expected == (1_740 - 735) / 15 + 1 && groups.first?.part.isEnough == false)
    #expect(groups.last?.part.percentOfExpected == 100)
    #expect(quarters.superseded == groups[0].part.expected - counted[0])
    let words = try #require(quarters.supersededWords)
    let content = content(quarters)
    #expect(content.notes.contains("\(words).") && content.sensors.count == 2)
    // One sensor alone has all its values, also after the other one was forgotten.
    let row = try #require(try history.store.sensors().first { $0.identity.uid == TwoSensors.earlier })
    let alone = try history.shown.glucoseHistory(from: nil, to: nil, of: HistoryScope(of: row.id))
    try history.store.forget(TwoSensors.later)
    #expect(try found([.history]).points == alone.points && alone.points.count == groups[0].part.expected)
    #expect(try found([.history]).supersededWords == nil)
  }

  @Test("flagged values are left out, and a note says so")
  func flagged() throws {
    var sensor = SimulatedSensor(seed: 7)
    sensor.disturbedMinutes = [4_700...4_830]
    let reading = try history.scan(sensor, atAge: 5_000)
    let flagged = reading.history.count { $0.quality != .ok }
    let content = try content()
    #expect(flagged > 1 && content.points.count == 32 - flagged)
    #expect(content.notes.contains { $0.hasPrefix("\(flagged) samples are left out") })
  }

  @Test("one undated sensor is shown by its age; two undated sensors are an error")
  func undated() throws {
    let reading = try history.scan(SimulatedSensor(seed: 7), atAge: 5_000, isDated: false)
    #expect(try history.shown.glucoseHistory(from: nil, to: nil).isEmpty)
    let found = try #require(try history.shown.undatedHistory())
    let usable = reading.history.filter { $0.quality == .ok }
    #expect(found.points.map { Int($0.time.secondsSince1970) / 60 } == usable.map(\.minute.value).reversed())
    let content = content(found)
    #expect(content.clock.kind == .sensorAge && content.notes.contains { $0.contains("It is unknown") })
    try history.scan(SimulatedSensor(seed: 8), atAge: 5_000, isDated: false)
    #expect(throws: LibreError.report(.undatedSensors(count: 2))) { try history.shown.undatedHistory() }
  }

  @Test("imports are named with their program, and values that libre read come first")
  func imports() throws {
    let reading = try history.scan(SimulatedSensor(seed: 7), atAge: 5_000)
    let oldest = try #require(reading.history.last?.time)
    for quarter in 1...4 { try history.add(100, at: oldest.adding(minutes: -15 * quarter)) }
    try history.add(300, at: oldest)
    let content = try content()
    #expect(content.sensors.first?.name == "imported libreview" && content.sensors.first?.count == 5)
    #expect(content.points.count == 36 && content.points.allSatisfy { $0.concentration.milligramsPerDecilitre != 300 })
  }

  @Test("a day on which the clock was changed is noted")
  func clockChange() throws {
    var found = GlucoseHistory(
      clock: WallClock(LocalClock(zoneName: "Europe/Rome") { $0.secondsSince1970 < 1_711_846_800 ? 3_600 : 7_200 }))
    for day in 29...31 { found.add(.value(100, at: try #require(Instant(rfc3339: "2024-03-\(day)T12:00:00Z")))) }
    #expect(content(found).notes.contains("The clock was changed on 2024-03-31."))
  }
}
