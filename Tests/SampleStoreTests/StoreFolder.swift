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

  /// A directory with an empty store.
  static func opened() throws -> (StoreFolder, SensorStore) {
    let folder = try StoreFolder()
    return (folder, try folder.store())
  }

  var url: URL { directory.url }

  func path(_ name: String = "history.sqlite") -> String { directory.path(name) }

  func store(_ name: String = "history.sqlite") throws -> SensorStore { try SensorStore(path(name), for: .writing) }

  /// Opens the database without the store, to change it as another program or damage would.
  func database(_ name: String = "history.sqlite") throws -> SQLiteConnection<SQLiteFailure> {
    try SQLiteConnection(path(name), for: .creating)
  }

  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      files[name] = try directory.bytes(of: name)
    }
    return files
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

/// The parts of a sample that must not depend on how it came into a store.
struct Remembered: Hashable {
  let uid: SensorUID?
  let fingerprint: SensorFingerprint?
  let wear: Int
  let raw: RawSample
  let quality: SampleQuality
  let milligramsPerDecilitre: Double?
  let time: Instant?

  init(_ stored: StoredSample) {
    uid = stored.sensor.uid
    fingerprint = stored.sensor.fingerprint
    wear = stored.wear
    raw = stored.sample.raw
    quality = stored.sample.quality
    milligramsPerDecilitre = stored.sample.concentration?.milligramsPerDecilitre
    time = stored.sample.time
  }
}

extension HistoryQuery {
  static func of(_ change: (inout HistoryQuery) -> Void = { _ in }) -> HistoryQuery {
    var query = HistoryQuery()
    query.rings = [.history, .trend]
    change(&query)
    return query
  }
}

extension SensorStore {
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

  /// Returns all samples; a duplicate sample fails the test.
  func remembered() throws -> Set<Remembered> {
    let samples = try samples()
    let set = Set(samples.map(Remembered.init))
    #expect(set.count == samples.count)
    return set
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
