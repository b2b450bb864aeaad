// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Foundation
import Libre1Core
import LibreKit
import TestSupport
import Testing

/// Tests the rules of LibreDocuments/Contract, "Reading", on memories built by hand.
struct DumpDecoderTests {
  private let memory = LiteralMemory()

  private func decode(
    _ bytes: [UInt8], uid: SensorUID? = nil, patchInfo: [UInt8]? = nil, readTime: DecodeOptions.ReadTime = .fromFile,
    salvage: Bool = false, path: String? = nil
  ) throws(LibreError) -> SensorReading {
    var options = DecodeOptions()
    options.uid = uid
    options.patchInfo = patchInfo.flatMap(PatchInfo.init)
    options.readTime = readTime
    options.salvage = salvage
    return try DumpDecoder(options: options).decode(bytes, path: path)
  }

  @Test("the start is dated by the age, and each sample by the start and its minute")
  func times() throws {
    let reading = try decode(memory.bytes, readTime: .at(LiteralMemory.readAt))
    #expect(reading.readAt == LiteralMemory.readAt)
    #expect(reading.readAtSource == .option)
    #expect(reading.sensor.ageMinutes == 1_000)
    let start = LiteralMemory.readAt.secondsSince1970 - 1_000 * 60
    #expect(reading.sensor.activatedAt == Instant(secondsSince1970: start))
    #expect(reading.sensor.expiresAt == Instant(secondsSince1970: start + 20_630 * 60))
    #expect(reading.samples.count == 48)
    for sample in reading.samples {
      #expect(sample.time == Instant(secondsSince1970: start + Int64(sample.minute.value) * 60))
    }
    // Neither the start nor any sample has a time if the read time is unknown.
    let undated = try decode(memory.bytes)
    #expect(undated.readAt == nil && undated.readAtSource == .unknown)
    #expect(undated.sensor.activatedAt == nil && undated.sensor.expiresAt == nil)
    #expect(undated.samples.allSatisfy { $0.time == nil } && undated.samples.first?.minute == SensorMinute(1_000))
  }

  @Test("the user's time wins over that in the file; the modification time counts if it is asked for and alone")
  func sources() throws {
    let folder = try TemporaryDirectory()
    let dated = HexDump.text(of: MemoryImage(bytes: memory.bytes, readAt: LiteralMemory.readAt), notes: [])
    let later = LiteralMemory.readAt.adding(minutes: 60)
    let paths = [try folder.write(memory.bytes, to: "dump.bin"), try folder.write(dated, to: "dump.hex")]
    for path in paths {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(later.secondsSince1970))], ofItemAtPath: path)
    }
    for (path, readTime, readAt, source) in [
      (paths[0], .fromFile, nil, .unknown), (paths[1], .fromFile, LiteralMemory.readAt, .file),
      (paths[1], .at(later), later, .option), (paths[0], .modificationTime, later, .modificationTime),
      (paths[1], .modificationTime, LiteralMemory.readAt, .file),
    ] as [(String, DecodeOptions.ReadTime, Instant?, ReadTimeSource)] {
      var options = DecodeOptions()
      options.readTime = readTime
      let reading = try DumpDecoder(options: options).decode(contentsOf: path)
      #expect(reading.readAt == readAt && reading.readAtSource == source, "\(path), \(readTime)")
      // The start by it is provisional.
      #expect(reading.problems == (source == .modificationTime ? [.startInDoubt(.modificationTime)] : []))
    }
    // Bytes without a file have no modification time.
    #expect(try decode(memory.bytes, readTime: .modificationTime).readAtSource == .unknown)
  }

  @Test("the clock of a sensor that has shut down is reported as stopped")
  func shutdown() throws {
    let ended = LiteralMemory(state: 5, age: 21_350).bytes
    #expect(try decode(ended, readTime: .at(LiteralMemory.readAt)).problems == [.ageFrozen])
    #expect(try decode(ended).problems.isEmpty)
    #expect(try decode(ended).current == nil)
  }

  @Test("the requested calibration is used and named in the reading")
  func calibration() throws {
    var options = DecodeOptions()
    options.calibration = .model(LinearCalibration(slope: 0.1, offset: 0))
    let reading = try DumpDecoder(options: options).decode(memory.bytes)
    #expect(reading.calibration?.model == "linear")
    #expect(reading.calibration?.parameters == [.init("slope", 0.1), .init("offset", 0)])
    #expect(abs(try #require(reading.trend.first?.concentration).milligramsPerDecilitre - 131.9) < 1e-9)
  }

  @Test("values of a young sensor are reported as uncertain with the official model, not with the factory's")
  func youngSensor() throws {
    let problem = ReadingProblem.youngSensorOffset(knownFrom: SensorMinute(2_100))
    #expect(problem.code == "young_sensor_offset" && problem.message.contains("minute 2100"))
    for (age, calibration, isTold) in [
      (200, "reader", true), (2_099, "reader", true), (3_000, "reader", false),
      (600, "factory", false),
    ] {
      var options = DecodeOptions()
      options.calibration = try #require(CalibrationChoice(calibration))
      let reading = try DumpDecoder(options: options).decode(SimulatedSensor(seed: 1).image(atAge: age).bytes)
      #expect(reading.problems.contains(problem) == isTold, "\(age), \(calibration)")
    }
  }

  @Test("samples of an invalid body are shown on request and marked as salvaged")
  func salvaged() throws {
    let reading = try decode(memory.damaged { $0.bytes[200] ^= 0x5A }, salvage: true)
    #expect(reading.isSalvaged)
    #expect(reading.problems.first == .salvaged)
    #expect(reading.integrity.body.name == "bad")
    #expect(reading.samples.count == 48)
    #expect(try !decode(memory.bytes, salvage: true).isSalvaged)
  }

  @Test("counts of a Libre Pro become values if a model without sensor numbers is requested")
  func proLinear() throws {
    var options = DecodeOptions()
    options.calibration = .model(LinearCalibration(slope: 0.1, offset: 1))
    let reading = try DumpDecoder(options: options).decode(LiteralMemory.pro())
    let newest = try #require(reading.trend.first { !$0.raw.hasError && $0.raw.glucose > 0 })
    #expect(newest.concentration?.milligramsPerDecilitre == 0.1 * Double(newest.raw.glucose) + 1)
    #expect(reading.calibration?.model == "linear" && !reading.problems.contains(.concentrationWithheld))
    // A damaged or truncated one is reported as such if its patch info names the family.
    let patchInfo: [UInt8] = [0x70, 0, 0x10, 1, 0, 0]
    var bytes = LiteralMemory.pro()
    bytes[100] ^= 1
    #expect(#expect(throws: LibreError.self) { try decode(bytes, patchInfo: patchInfo) }?.code == "crc_mismatch")
    #expect(try decode(bytes, patchInfo: patchInfo, salvage: true).isSalvaged)
    #expect(throws: LibreError.dump(.truncated(found: 170, needed: 176))) {
      try decode(Array(LiteralMemory.pro()[..<170]), patchInfo: patchInfo)
    }
  }

  @Test("a dump that is truncated in its body is reported with actual and expected length")
  func truncated() {
    for count in [1, 24, 176, 300, 319] {
      let error = LibreError.dump(.truncated(found: count, needed: 344))
      #expect(throws: error) { try decode(Array(memory.bytes[..<count])) }
      #expect(error.code == "truncated")
      #expect(error.message.contains("\(count)") && error.message.contains("344"))
    }
  }

  @Test("the same memory in another file has the same id; another time, sensor or other bytes give another id")
  func readingID() throws {
    let image = MemoryImage(bytes: memory.bytes, uid: LiteralMemory.uid, readAt: LiteralMemory.readAt)
    let hex = Array(HexDump.text(of: image, notes: ["One."]).utf8)
    let first = try decode(hex, path: "a.hex")
    #expect(try decode(hex, path: "a.hex") == first)
    func raw(
      _ bytes: [UInt8], uid: SensorUID? = LiteralMemory.uid, at readAt: Instant = LiteralMemory.readAt
    ) throws -> SensorReading { try decode(bytes, uid: uid, readTime: .at(readAt), path: "b.bin") }
    let same = try raw(memory.bytes)
    #expect(same.id == first.id && same.samples == first.samples && same.source.sha256 != first.source.sha256)
    #expect(try raw(memory.bytes, at: LiteralMemory.readAt.adding(minutes: 1)).id != first.id)
    #expect(try raw(memory.bytes, uid: nil).id != first.id)
    #expect(try raw(memory.edited { $0.bytes[200] ^= 1 }).id != first.id)
  }

  @Test("UID and patch info from the user win over those in the file")
  func userFirst() throws {
    let image = MemoryImage(bytes: memory.bytes, uid: LiteralMemory.uid, patchInfo: LiteralMemory.patchInfo)
    let other = try #require(SensorUID(bits: 0xE007_A000_0000_0001))
    let reading = try decode(
      Array(HexDump.text(of: image, notes: []).utf8), uid: other, patchInfo: [0xA2, 8, 0, 1, 0, 0])
    #expect(reading.sensor.uid == other)
    #expect(reading.sensor.patchInfo?.bytes == [0xA2, 8, 0, 1, 0, 0])
  }
}
