// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import HostSystem
import TestSupport
import Testing

@testable import SampleStore

struct StoreFolder: Sendable {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(isInMemory: true) }

  var url: URL { directory.url }

  func path(_ name: String = "history.sqlite") -> String { directory.path(name) }

  func store(_ name: String = "history.sqlite") throws -> SensorStore { try SensorStore(path(name), for: .writing) }

  /// Opens the database without the store, to change it as another program or damage would.
  func database(_ name: String = "history.sqlite") throws -> SQLiteConnection<SQLiteFailure> {
    try SQLiteConnection(path(name), for: .creating)
  }

  /// Expects that a file is opened neither for reading nor for writing, and not changed.
  func expectRefused(_ error: (_ path: String) -> StoreError, _ name: String = "history.sqlite") throws {
    let before = try files()[name]
    for access in [SensorStore.Access.reading, .writing] {
      #expect(throws: error(path(name))) { try SensorStore(path(name), for: access) }
    }
    #expect(try files()[name] == before)
  }

  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      files[name] = try directory.bytes(of: name)
    }
    return files
  }
}

/// A test with an empty store in a directory of its own, and a sensor.
class StoreTest {
  let folder: StoreFolder
  let store: SensorStore
  let sensor = ReadingFixture()

  init() throws {
    folder = try StoreFolder()
    store = try folder.store()
  }
}

extension SQLiteConnection {
  func rows(_ sql: String) throws -> [[SQLiteValue]] {
    let statement = try statement(sql)
    var rows: [[SQLiteValue]] = []
    while let row = try statement.next() { rows.append(row) }
    return rows
  }

  func texts(_ sql: String) throws -> [String] { try rows(sql).compactMap { $0.first?.text } }
}

extension HistoryQuery {
  /// Samples of both rings, imported values and finger-sticks.
  static let withFingerSticks = of { $0.includesFingerSticks = true }

  static func of(_ change: (inout HistoryQuery) -> Void = { _ in }) -> HistoryQuery {
    var query = HistoryQuery()
    query.rings = [.history, .trend]
    change(&query)
    return query
  }
}

extension SensorStore {
  /// Stores scans, one after the other.
  func take(_ scans: IncomingScan...) throws { for scan in scans { _ = try add(scan) } }

  func entries(_ query: HistoryQuery = .of()) throws -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    try forEach(query) { entry throws(StoreError) in
      entries.append(entry)
      return true
    }
    return entries
  }

  func samples(_ query: HistoryQuery = .of()) throws -> [StoredSample] {
    try entries(query).compactMap { if case .sensor(let stored) = $0 { stored } else { nil } }
  }

  /// Returns what must not depend on how a sample came into the store; a duplicate sample fails the test.
  func remembered() throws -> Set<StoredSample> {
    let samples = try samples().map {
      StoredSample(sensor: $0.sensor, wear: $0.wear, sample: $0.sample, calibration: nil, isSalvaged: false)
    }
    #expect(Set(samples).count == samples.count)
    return Set(samples)
  }

  /// Enrols a sink, by default with everything since the start of the fixture.
  @discardableResult func enrolled(
    _ name: String = "site", at: Instant = ReadingFixture.start, from: Instant = ReadingFixture.start
  ) throws -> StoredSink {
    try enrol(name, receiver: "test", at: at, sendsFrom: from)
    return try #require(try sink(name))
  }

  func only() throws -> StoredSensor {
    let sensors = try sensors()
    #expect(sensors.count == 1)
    return try #require(sensors.first)
  }

  func onlyWear() throws -> StoredWear {
    let wears = try only().wears
    #expect(wears.count == 1)
    return try #require(wears.first)
  }
}
