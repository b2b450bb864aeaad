// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import SampleStore
import SensorSimulator
import TestSupport
import Testing

@testable import LibreKit

/// Series of scans of real sensors: one set of samples, in whatever order and by way of however many stores they come.
@Suite(.enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"))
struct ReferenceSeriesTests {
  enum Series: String, CaseIterable, CustomTestStringConvertible {
    /// One sensor with a UID, no times.
    case fake = "xdrip-fake-"
    /// Three sensors without a UID; their files' names are the times.
    case database = "oopdb-"

    var testDescription: String { rawValue }
  }

  private struct Place: Hashable {
    let uid: SensorUID?
    let fingerprint: SensorFingerprint?
    let wear: Int
    let ring: SampleRing
    let minute: Int
  }

  private struct Content: Hashable {
    let place: Place
    let raw: RawSample
    let quality: SampleQuality
    let milligramsPerDecilitre: Double?
    let isSalvaged: Bool
    let time: Instant?
    let id: SampleID?
  }

  /// The scans of a series that can be read, and whether all three checksums of each hold.
  private func readings(_ series: Series, salvage: Bool) throws -> [(reading: SensorReading, isSound: Bool)] {
    var readings: [(SensorReading, Bool)] = []
    for vector in ReferenceDumps.vectors where vector.file.hasPrefix(series.rawValue) {
      var options = DecodeOptions()
      options.salvage = salvage
      options.uid = try vector.uid.map(SensorUID.init(printed:))
      if let readAt = time(of: vector.file) { options.readTime = .at(readAt) }
      let crc = try #require(vector.crc)
      do {
        readings.append(
          (
            try DumpDecoder(options: options).decode(ReferenceDumps.bytes(of: vector.file)),
            crc.header && crc.body && crc.footer
          ))
      } catch let error as LibreError {
        #expect(error.exitStatus == 65)
        #expect(!(crc.header && crc.body && crc.footer), "\(vector.file)")
      }
    }
    return readings
  }

  /// `oopdb-20171203T222406Z.bin`.
  private func time(of file: String) -> Instant? {
    guard file.hasPrefix(Series.database.rawValue) else { return nil }
    let digits = Array(file.filter(\.isNumber))
    guard digits.count == 14 else { return nil }
    func part(_ range: Range<Int>) -> String { String(digits[range]) }
    return Instant(
      rfc3339: "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))Z")
  }

  private func contents(_ store: SensorStore) throws -> Set<Content> {
    let samples = try store.timeline()
    let contents = Set(
      samples.map {
        Content(
          place: place($0), raw: $0.sample.raw, quality: $0.sample.quality,
          milligramsPerDecilitre: $0.sample.concentration?.milligramsPerDecilitre, isSalvaged: $0.isSalvaged,
          time: $0.sample.time, id: $0.sample.id)
      })
    // No duplicates: neither the same sample twice, nor two of one minute.
    #expect(contents.count == samples.count)
    #expect(Set(contents.map(\.place)).count == contents.count)
    return contents
  }

  private func place(_ stored: StoredSample) -> Place {
    Place(
      uid: stored.sensor.uid, fingerprint: stored.sensor.fingerprint, wear: stored.wear, ring: stored.sample.ring,
      minute: stored.sample.minute.value)
  }

  private func conflicts(_ store: SensorStore) throws -> [StoredConflict] {
    try store.libre { store throws(StoreError) in try store.sensors() }.flatMap(\.wears).flatMap(\.conflicts)
  }

  private func stored(_ readings: [SensorReading], in store: SensorStore) throws {
    try store.libreTransaction { () throws(LibreError) in
      for reading in readings {
        do throws(LibreError) {
          _ = try store.remember(reading, calibration: .factory, isShown: false, zone: nil)
        } catch {
          // A memory of which too little is left is nobody's.
          guard error.exitStatus == 65 else { throw error }
        }
      }
    }
  }

  /// Each series with and without salvage; outside of `make full` half of them.
  private static let cases: [(Series, Bool)] =
    [(.fake, true), (.database, false)] + (TestTier.current == .full ? [(.fake, false), (.database, true)] : [])

  @Test(
    "any order, any subset twice, two stores merged: the same samples once, conflicts only from bad checksums",
    arguments: cases)
  func anyOrder(series: Series, salvage: Bool) throws {
    let folder = try TemporaryDirectory(isInMemory: true)
    let scans = try readings(series, salvage: salvage)
    let readings = scans.map(\.reading)
    #expect(readings.count >= (series == .fake ? 52 : 16))

    let plain = try StoreFile.openForWriting("\(folder.path)/plain.sqlite")
    try stored(readings, in: plain)
    let expected = try contents(plain)
    // Every sample of every sound scan is there with its counts.
    let there = Set(expected.map(\.raw))
    for scan in scans where scan.isSound {
      for sample in scan.reading.samples where !sample.raw.isNeverWritten { #expect(there.contains(sample.raw)) }
    }
    if series == .database {
      // One of its sensors was read only after it had ended, when its clock stood still.
      let running = readings.filter { $0.sensor.state == .active && !$0.isSalvaged }.map(\.sensor.fingerprint)
      #expect(expected.allSatisfy { ($0.time != nil) == running.contains($0.place.fingerprint) })
    }
    if series == .fake { #expect(expected.allSatisfy { $0.id != nil && $0.time == nil }) }
    let found = try conflicts(plain)
    #expect(found.filter { !$0.isOtherSalvaged } == [])
    if !salvage { #expect(found.isEmpty) }
    #expect(try plain.check().faults == [])
    let wears = try plain.libre { store throws(StoreError) in try store.sensors() }.map(\.wears.count)
    print(
      "\(series.rawValue)*\(salvage ? " salvaged" : ""): \(readings.count) scans,",
      "\(wears.count) sensors, \(wears.reduce(0, +)) wears,",
      "\(expected.count) samples, \(found.count) conflicts")

    for seed in 0..<TestTier.rounds(1, full: 6) {
      var draws = SplitMix64(seed: UInt64(seed))
      let order = (readings + readings.filter { _ in draws.number(0...1) == 0 }).shuffled(using: &draws)
      let one = try StoreFile.openForWriting("\(folder.path)/one-\(seed).sqlite")
      try stored(order, in: one)
      #expect(try contents(one) == expected, "seed \(seed)")
      #expect(try Set(conflicts(one)) == Set(found), "seed \(seed)")

      let left = try StoreFile.openForWriting("\(folder.path)/left-\(seed).sqlite")
      let right = try StoreFile.openForWriting("\(folder.path)/right-\(seed).sqlite")
      for reading in order {
        // One side, the other, or both.
        let side = draws.number(0...2)
        if side != 1 { try stored([reading], in: left) }
        if side != 0 { try stored([reading], in: right) }
      }
      _ = try left.merging(right, isRehearsal: false)
      _ = try right.merging(left, isRehearsal: false)
      for store in [left, right] {
        #expect(try contents(store) == expected, "seed \(seed)")
        #expect(try Set(conflicts(store)) == Set(found), "seed \(seed)")
      }
    }
  }

  @Test("a time that was shown never changes, whichever scans follow", arguments: Series.allCases)
  func shownTimes(series: Series) throws {
    let folder = try TemporaryDirectory(isInMemory: true)
    let readings = try readings(series, salvage: false).map(\.reading)
    for seed in 10..<10 + TestTier.rounds(1, full: 3) {
      var draws = SplitMix64(seed: UInt64(seed))
      let store = try StoreFile.openForWriting("\(folder.path)/\(seed).sqlite")
      var shown: [Place: Instant?] = [:]
      var moved = 0
      for reading in readings.shuffled(using: &draws).prefix(TestTier.rounds(24, full: .max)) {
        _ = try store.remember(reading, calibration: .factory, zone: nil)
        for stored in try store.timeline() {
          if let before = shown[place(stored)], before != stored.sample.time { moved += 1 }
          shown[place(stored)] = .some(stored.sample.time)
        }
      }
      #expect(moved == 0, "seed \(seed)")
    }
  }
}
