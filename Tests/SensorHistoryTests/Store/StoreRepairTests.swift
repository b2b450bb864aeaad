// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import HostSystem
import Libre1Core
import LibreKit
import SampleStore
import StoreTestSupport
import TestSupport
import Testing

@testable import SensorHistory

/// Destroys pages of a store at random, and repairs it.
struct StoreRepairTests {
  private struct Key: Hashable {
    let uid: SensorUID?
    let raw: RawSample
  }

  private static let pageSize = 4_096
  private static let now = Instant(secondsSince1970: 1_800_000_000)

  private struct Filled {
    /// The memory of each scan with its samples.
    var scans: [(memory: [UInt8], samples: Set<Key>)] = []
    var file: [UInt8] = []
    /// The page on which each memory lies, with all of its row.
    var pages: [Int] = []
    var all: Set<Key> { scans.reduce(into: Set<Key>()) { $0.formUnion($1.samples) } }
  }

  /// A store with 100 scans of five sensors, eight hours and a bit apart; filled once for all tests.
  private static let filled = Result { try fill() }

  private static func fill() throws -> Filled {
    let folder = try TemporaryDirectory(isInMemory: true)
    var filled = Filled()
    var store: SensorStore? = try StoreFile.openForWriting(folder.path("whole.sqlite"))
    for seed in UInt64(1)...5 {
      let sensor = SimulatedSensor(seed: seed)
      for scan in 0..<20 {
        let age = 600 + 550 * scan
        let image = sensor.image(atAge: age)
        var options = DecodeOptions()
        (options.uid, options.patchInfo) = (image.uid, image.patchInfo)
        options.readTime = .at(sensor.activatedAt.adding(minutes: age))
        let reading = try DumpDecoder(options: options).decode(image.bytes)
        _ = try store?.remember(reading, calibration: .factory, zone: nil)
        let samples = reading.samples.map(\.raw).filter { !$0.isNeverWritten }
        filled.scans.append((image.bytes, Set(samples.map { Key(uid: image.uid, raw: $0) })))
      }
    }
    store = nil
    filled.file = try folder.bytes(of: "whole.sqlite")
    // Foundation's search is optimised in a debug build, too.
    let data = Data(filled.file)
    filled.pages = try filled.scans.map { try #require(data.range(of: Data($0.memory))).lowerBound / pageSize }
    return filled
  }

  /// Blanks the pages of the filled store that are chosen by their number and content, and repairs what is left.
  private func repaired(
    in folder: TemporaryDirectory, blanking isChosen: (Int, ArraySlice<UInt8>) -> Bool
  ) throws -> (repair: StoreRepair, path: String) {
    var bytes = try Self.filled.get().file
    for start in stride(from: 0, to: bytes.count, by: Self.pageSize) {
      guard isChosen(start / Self.pageSize, bytes[start..<start + Self.pageSize]) else { continue }
      bytes.replaceSubrange(start..<start + Self.pageSize, with: repeatElement(0, count: Self.pageSize))
    }
    let path = folder.path("damaged.sqlite")
    try FileSystem.write(bytes, to: path)
    return (try StoreFile.repair(path, at: Self.now), path)
  }

  private func samples(of store: SensorStore) throws -> Set<Key> {
    Set(try store.timeline().map { Key(uid: $0.sensor.uid, raw: $0.sample.raw) })
  }

  @Test("every sample is back whose scan is on a page that is left, and what is gone is counted")
  func randomPages() throws {
    let folder = try TemporaryDirectory(isInMemory: true)
    let filled = try Self.filled.get()
    let (scans, whole, all) = (filled.scans, filled.file, filled.all)
    let pageCount = whole.count / Self.pageSize
    var random = SplitMix64(seed: 52)
    let noise = (0..<Self.pageSize).map { _ in UInt8.random(in: 0...255, using: &random) }
    for round in 1...TestTier.rounds(3, full: 200) {
      var bytes = whole
      var touched = Set<Int>()
      // An index has no checksum: with single bits turned it may name samples that never were.
      let turnsBits = round.isMultiple(of: 2)
      for _ in 0..<Int.random(in: 1...50, using: &random) {
        let page = Int.random(in: 0..<pageCount, using: &random)
        touched.insert(page)
        let start = page * Self.pageSize
        switch Int.random(in: 0...(turnsBits ? 2 : 1), using: &random) {
        case 0: bytes.replaceSubrange(start..<start + Self.pageSize, with: repeatElement(0, count: Self.pageSize))
        case 1: bytes.replaceSubrange(start..<start + Self.pageSize, with: noise)
        // Single bits of a page whose rows look right.
        default: for _ in 0..<20 { bytes[start + Int.random(in: 100..<Self.pageSize, using: &random)] ^= 1 }
        }
      }
      let path = folder.path("damaged.sqlite")
      try FileSystem.write(bytes, to: path)
      let readable = zip(scans, filled.pages).filter { !touched.contains($0.1) }.map(\.0)
      let repair = try StoreFile.repair(path, at: Self.now)
      let store = try StoreFile.openForReading(path)
      let back = try samples(of: store)
      for scan in readable { #expect(scan.samples.isSubset(of: back), "round \(round)") }
      #expect(back.isSubset(of: all), "round \(round)")
      if !turnsBits {
        #expect(repair.lost.reduce(0) { $0 + $1.count } <= all.count - back.count, "round \(round)")
      }
      #expect(try folder.bytes(of: String(repair.damagedPath.split(separator: "/").last ?? "")) == bytes)
      try FileSystem.remove(repair.damagedPath)
      try FileSystem.remove(path)
    }
  }

  @Test("lost samples are named by sensor and day as long as an index names them")
  func lost() throws {
    let filled = try Self.filled.get()
    // The pages of all scans, and of the samples' table: what is left are rows of other tables and the indices.
    let pages = Set(filled.pages)
    let (repair, _) = try repaired(in: TemporaryDirectory(isInMemory: true)) { number, page in
      pages.contains(number) || page.firstRange(of: Array("ok".utf8)) != nil
    }
    #expect(repair.scans == 0 && repair.lostScans == 100)
    #expect(repair.lost.reduce(0) { $0 + $1.count } == filled.all.count)
    let sensor = SimulatedSensor(seed: 1)
    let first = Instant(
      daysSince1970: Int(sensor.activatedAt.adding(minutes: 150).secondsSince1970 / Instant.secondsPerDay))
    #expect(repair.lost.contains { $0.sensor?.uid == sensor.uid && $0.day == first && $0.count > 0 })
  }

  @Test("scans whose sensors are lost are stored anew")
  func lostSensors() throws {
    let folder = try TemporaryDirectory(isInMemory: true)
    let filled = try Self.filled.get()
    let pages = Set(filled.pages)
    let name = Data(try #require(SimulatedSensor(seed: 1).image(atAge: 600).uid).description.utf8)
    let (_, path) = try repaired(in: folder) { !pages.contains($0) && Data($1).range(of: name) != nil }
    #expect(try samples(of: StoreFile.openForReading(path)) == filled.all)
  }

  @Test("a scan whose samples are lost is not known: importing it again puts them in")
  func importedAgain() throws {
    let history = try StoredHistory()
    let sensor = SimulatedSensor(seed: 7)
    try history.scan(sensor, atAge: 1_000)
    let before = try history.store.timeline().count
    let database = try SQLiteConnection<SQLiteFailure>(history.folder.path + "/history.sqlite", for: .writing)
    try database.execute("DELETE FROM sample")
    try history.scan(sensor, atAge: 1_000)
    #expect(try history.store.timeline().count == before)
  }

  @Test("a file without a row of libre's is not replaced")
  func foreign() throws {
    let folder = try TemporaryDirectory(isInMemory: true)
    let path = folder.path("other.sqlite")
    try FileSystem.write(Array("not a database".utf8), to: path)
    #expect(throws: LibreError.store(.notAStore(path: path))) { try StoreFile.repair(path, at: Self.now) }
    #expect(try folder.bytes(of: "other.sqlite") == Array("not a database".utf8))
  }
}
