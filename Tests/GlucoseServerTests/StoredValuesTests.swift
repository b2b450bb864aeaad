// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import HostSystem
import LibreKit
import SampleStore
import SensorHistory
import StoreTestSupport
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("Values that are served from a store")
struct StoredValuesTests {
  private static let start = RememberedMemory.start

  private func values(
    of history: StoredHistory, ignoring sources: Set<String> = [], unit: GlucoseUnit = .milligramsPerDecilitre
  ) -> StoredValues {
    StoredValues(
      path: history.folder.path + "/history.sqlite", calibration: .factory, ignoredSources: sources, unit: unit)
  }

  /// A store with one scan of a literal memory at the age of 1000 minutes.
  private func scanned() throws -> StoredHistory {
    let history = try StoredHistory()
    _ = try history.store.remember(RememberedMemory(age: 1_000).reading(), calibration: .factory, zone: nil)
    return history
  }

  @Test("a store that does not exist yet is served as an empty one")
  func noStore() throws {
    let values = StoredValues(
      path: "/nonexistent/history.sqlite", calibration: .factory, ignoredSources: [], unit: .milligramsPerDecilitre)
    let snapshot = try values.snapshot(now: Self.start)
    #expect(snapshot.glucose.isEmpty && snapshot.sensors.isEmpty && snapshot.storedSamples == 0)
  }

  @Test("each minute is served once, newest first, with the history's value before the trend's")
  func minutes() throws {
    let history = try scanned()
    let snapshot = try values(of: history).snapshot(now: Self.start.adding(minutes: 1_001))
    let minutes = snapshot.glucose.map { ($0.time.secondsSince1970 - Self.start.secondsSince1970) / 60 }
    // The trend of minutes 985 to 1000, and the history of each quarter of an hour.
    let expected = Set((985...1_000)).union((35...66).map { 15 * $0 }).sorted(by: >)
    #expect(minutes.map(Int.init) == expected)
    #expect(snapshot.glucose.filter(\.isTrend).count == 15)
    #expect(snapshot.glucose.first { $0.time == Self.start.adding(minutes: 990) }?.isTrend == false)
    #expect(snapshot.storedSamples == 48 && snapshot.sensors.count == 1)
    #expect(snapshot.glucose.allSatisfy { $0.device == snapshot.sensors[0].serial })
  }

  @Test("two sensors that are read in turns are served as one series", arguments: [false, true])
  func twoSensors(isLaterFirst: Bool) throws {
    let history = try StoredHistory()
    for reading in try TwoSensors.readings(isLaterFirst: isLaterFirst) {
      _ = try history.store.remember(reading, calibration: .factory, zone: nil)
    }
    func served() throws -> [Instant: String] {
      let snapshot = try values(of: history).snapshot(now: TwoSensors.now)
      return Dictionary(uniqueKeysWithValues: snapshot.glucose.map { ($0.time, $0.device) })
    }
    func expected() throws -> [Instant: String] {
      let counting = try history.store.counting().compactMap { stored in
        stored.sample.time.map { ($0, stored.sensor.serial ?? "") }
      }
      return Dictionary(counting) { first, _ in first }
    }
    #expect(try served() == expected() && Set(served().values).count == 2)
    try history.store.forget(TwoSensors.later)
    #expect(try served() == expected() && Set(served().values).count == 1)
  }

  @Test("ids are 24 hex digits of the samples' own ids, which another scan keeps; only new data changes the revision")
  func ids() throws {
    let history = try scanned()
    let values = values(of: history)
    let now = Self.start.adding(minutes: 1_020)
    let before = try values.snapshot(now: now)
    #expect(try values.snapshot(now: now.adding(minutes: 5)).revision == before.revision)
    let newest = SampleID(of: LiteralMemory.uid, wear: 1, .trend, SensorMinute(1_000))
    #expect(
      before.glucose.first?.id == newest.description.replacing("-", with: "").prefix(24).description)
    #expect(Set(before.glucose.map(\.id)).count == before.glucose.count)
    _ = try history.store.remember(RememberedMemory(age: 1_010).reading(), calibration: .factory, zone: nil)
    let after = try values.snapshot(now: now)
    #expect(after.revision != before.revision && after.glucose.count > before.glucose.count)
    let known = Dictionary(uniqueKeysWithValues: after.glucose.map { ($0.time, $0.id) })
    for value in before.glucose where !value.isTrend { #expect(known[value.time] == value.id) }
  }

  @Test("the direction is the same as in libre latest for the newest value, and is absent without a stored trend")
  func directions() throws {
    let history = try scanned()
    let now = Self.start.adding(minutes: 1_001)
    let snapshot = try values(of: history).snapshot(now: now)
    let latest = try history.store.latestValue(now: now)
    #expect(latest.ratePerMinute != nil && snapshot.glucose.first?.direction == latest.direction)
    let old = try #require(snapshot.glucose.first { $0.time == Self.start.adding(minutes: 525) })
    #expect(old.direction == nil)
  }

  @Test("a change is the difference to five minutes before, or the proportional part of a longer time")
  func deltas() throws {
    let history = try StoredHistory()
    for (minute, value) in [(0, 100.0), (15, 130), (20, 136), (22, 140), (60, 90)] {
      try history.add(value, at: Self.start.adding(minutes: minute))
    }
    let glucose = try values(of: history).snapshot(now: Self.start.adding(minutes: 61)).glucose
    let deltas = glucose.reversed().map { value in value.delta.map { ($0 * 100).rounded() / 100 } }
    // 130 − 120; 136 − 130; 140 − (130 + 2/5 × 6); nothing within 20 minutes before minute 60.
    #expect(deltas == [nil, 10, 6, 7.6, nil])
  }

  @Test("a sensor's value has priority over other programs' values of the same minute, and limits are left out")
  func imports() throws {
    let history = try scanned()
    let newest = Self.start.adding(minutes: 1_000)
    try history.add(55, at: newest)
    try history.add(40, at: newest.adding(minutes: -2_000), bound: .low)
    try history.add(66, at: newest.adding(minutes: -2_005))
    let now = newest.adding(minutes: 1)
    let glucose = try values(of: history).snapshot(now: now).glucose
    #expect(glucose[0].time == newest && glucose[0].concentration.milligramsPerDecilitre != 55)
    #expect(glucose.last?.concentration.milligramsPerDecilitre == 66 && glucose.last?.device == "libreview")
    #expect(
      try !values(of: history, ignoring: ["libreview"]).snapshot(now: now).glucose.contains { $0.device == "libreview" }
    )
  }

  @Test("a snapshot has four days, and older values are read on request, with their changes")
  func olderValues() throws {
    let history = try StoredHistory()
    let end = Self.start.adding(days: 40)
    for quarter in 0..<1_000 { try history.add(100 + Double(quarter % 50), at: end.adding(minutes: -15 * quarter)) }
    let values = values(of: history)
    let snapshot = try values.snapshot(now: end)
    #expect(snapshot.completeFrom == end.adding(days: -4) && snapshot.glucose.count == 4 * 96 + 1)
    let all = try values.glucose(from: nil, to: nil, limit: 10_000)
    #expect(all.count == 1_000 && Array(all.prefix(385)) == snapshot.glucose)
    let before = try values.glucose(from: nil, to: end.adding(days: -4), limit: 10)
    #expect(before == Array(all[384..<394]))
    let middle = try values.glucose(from: end.adding(days: -6), to: end.adding(days: -5), limit: 10_000)
    #expect(middle == Array(all[480...576]) && middle.last?.delta != nil)
    #expect(try values.glucose(from: end.adding(minutes: 1), to: nil, limit: 10).isEmpty)
  }

  @Test("finger-sticks come in the unit of the configuration")
  func fingerSticks() throws {
    let history = try scanned()
    let stick = FingerStick(
      time: Self.start.adding(minutes: 900), concentration: GlucoseConcentration(milligramsPerDecilitre: 104))
    _ = try history.store.note(stick)
    let values = values(of: history, unit: .millimolesPerLitre)
    let served = try #require(try values.snapshot(now: Self.start.adding(minutes: 1_001)).fingerSticks.first)
    #expect(served.unit == .millimolesPerLitre && served.source == "libre" && served.id.utf8.count == 24)
    #expect(served.time == stick.time && served.concentration == stick.concentration)
  }
}

@Suite("Changes of a store")
struct StoreObserverTests {
  @Test("a new reading is published to an open answer, and reading the store makes no change")
  func changes() async throws {
    let folder = try TemporaryDirectory(isInMemory: true)
    let path = folder.path + "/history.sqlite"
    let values = StoredValues(path: path, calibration: .factory, ignoredSources: [], unit: .milligramsPerDecilitre)
    let feed = SnapshotFeed(try values.snapshot(now: RememberedMemory.start))
    let observer = StoreObserver(store: values, feed: feed) { _ in }
    let task = Task { await observer.run() }
    var snapshots = feed.receiver().snapshots.makeAsyncIterator()
    #expect(await snapshots.next()?.glucose.isEmpty == true)
    for age in [1_000, 1_010] {
      _ = try StoreFile.openForWriting(path)
        .remember(RememberedMemory(age: age).reading(), calibration: .factory)
      // The first look may have fallen between two steps of the writer.
      while let snapshot = await snapshots.next() {
        if snapshot.glucose.first?.time == RememberedMemory.start.adding(minutes: age) { break }
      }
    }
    task.cancel()
    await task.value
  }

  @Test("where the directory of the database is missing, the stream ends when the way to it gets longer")
  func missingDirectory() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("share/libre/history.sqlite")
    for name in ["share", "share/libre"] {
      let stream = try #require(FileChanges.stream(ofDatabase: path))
      try folder.write("", to: "other-\(name.count)")
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
      for await _ in stream { Issue.record("nothing has changed in the database") }
    }
    #expect(FileChanges.stream(ofDatabase: "/dev/null/history.sqlite") == nil)
  }
}
