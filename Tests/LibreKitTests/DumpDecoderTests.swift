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

  // MARK: Time

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
  }

  @Test("without a read time neither the start nor any sample has a time")
  func timeless() throws {
    let reading = try decode(memory.bytes)
    #expect(reading.readAt == nil)
    #expect(reading.readAtSource == .unknown)
    #expect(reading.sensor.activatedAt == nil)
    #expect(reading.sensor.expiresAt == nil)
    #expect(reading.samples.allSatisfy { $0.time == nil })
    #expect(reading.samples.first?.minute == SensorMinute(1_000))
  }

  @Test("the read time comes from the file unless the user gives another")
  func fileTime() throws {
    let text = HexDump.text(of: MemoryImage(bytes: memory.bytes, readAt: LiteralMemory.readAt), notes: [])
    let said = try decode(Array(text.utf8))
    #expect(said.readAt == LiteralMemory.readAt)
    #expect(said.readAtSource == .file)
    let later = LiteralMemory.readAt.adding(minutes: 60)
    let told = try decode(Array(text.utf8), readTime: .at(later))
    #expect(told.readAt == later)
    #expect(told.readAtSource == .option)
  }

  @Test("the modification time of a file is used only if requested, and the start by it is provisional")
  func modificationTime() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(memory.bytes, to: "dump.bin")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_714_644_900)], ofItemAtPath: path)
    #expect(try DumpDecoder().decode(contentsOf: path).readAt == nil)
    var options = DecodeOptions()
    options.readTime = .modificationTime
    let reading = try DumpDecoder(options: options).decode(contentsOf: path)
    #expect(reading.readAt == LiteralMemory.readAt)
    #expect(reading.readAtSource == .modificationTime)
    #expect(reading.problems == [.startIsProvisional])
    // Bytes without a file have no modification time.
    let bytes = try decode(memory.bytes, readTime: .modificationTime)
    #expect(bytes.readAt == nil)
    #expect(bytes.readAtSource == .unknown)
  }

  @Test("the modification time never replaces a time that stands in the file")
  func modificationTimeOfDatedFile() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      HexDump.text(of: MemoryImage(bytes: memory.bytes, readAt: LiteralMemory.readAt), notes: []), to: "dump.hex")
    let reading = try decode(try folder.bytes(of: "dump.hex"), readTime: .modificationTime, path: path)
    #expect(reading.readAt == LiteralMemory.readAt && reading.readAtSource == .file)
    #expect(reading.problems.isEmpty)
  }

  @Test("a sensor that was never started has no start time")
  func notActivated() throws {
    let reading = try decode(LiteralMemory(state: 1, age: 0).bytes, readTime: .at(LiteralMemory.readAt))
    #expect(reading.sensor.state == .notActivated)
    #expect(reading.readAt == LiteralMemory.readAt)
    #expect(reading.sensor.activatedAt == nil)
    #expect(reading.sensor.expiresAt == nil)
    #expect(reading.samples.isEmpty)
    #expect(reading.current == nil)
  }

  @Test("the clock of a sensor that has shut down is reported as stopped")
  func shutdown() throws {
    let ended = LiteralMemory(state: 5, age: 21_350).bytes
    #expect(try decode(ended, readTime: .at(LiteralMemory.readAt)).problems == [.ageFrozen])
    #expect(try decode(ended).problems.isEmpty)
    #expect(try decode(ended).current == nil)
  }

  // MARK: Values

  @Test("the sample of the contract decodes to its value and temperature")
  func contractSample() throws {
    let reading = try decode(LiteralMemory(age: 55).bytes, uid: LiteralMemory.uid)
    let sample = try #require(reading.history.first)
    #expect(sample.minute == SensorMinute(45))
    #expect(reading.id(of: sample)?.description == "d1f5603b-c12a-549e-be27-e59866f73323")
    #expect(abs(try #require(sample.concentration).milligramsPerDecilitre - 108.371_9) < 0.000_05)
    #expect(abs(try #require(sample.temperatureCelsius) - 32.03) < 0.005)
    #expect(sample.quality == .warmUp)
    #expect(
      sample.raw
        == RawSample(
          ring: .history, minute: SensorMinute(45), glucose: 1_319, temperature: 6_552, temperatureAdjustment: -8,
          hasError: false, errorField: 800, isNeverWritten: false))
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

  // MARK: Damage

  @Test("a body changed in the middle of a read is decoded with the age that fits its checksum")
  func torn() throws {
    let torn = memory.damaged { $0.setNumber(1_001, at: 316) }
    let reading = try decode(torn, uid: LiteralMemory.uid, readTime: .at(LiteralMemory.readAt))
    #expect(reading.integrity.body == .torn)
    #expect(reading.sensor.ageMinutes == 1_000)
    #expect(reading.sensor.activatedAt == LiteralMemory.readAt.adding(minutes: -1_000))
    #expect(reading.problems == [.bodyTorn(storedAge: 1_001)])
    #expect(!reading.isSalvaged)
    let whole = try decode(memory.bytes, uid: LiteralMemory.uid, readTime: .at(LiteralMemory.readAt))
    #expect(reading.samples == whole.samples)
  }

  @Test("a body with a wrong checksum is refused with both checksums, even if the rest is valid")
  func badBody() throws {
    let bad = memory.damaged { $0.bytes[200] ^= 0x5A }
    let stored = UInt16(bad[24]) | UInt16(bad[25]) << 8
    let computed = BitwiseCRC.checksum(bad[26..<320])
    let error = LibreError.memory(.crcMismatch(region: "body", stored: stored, computed: computed))
    #expect(throws: error) { try decode(bad) }
    #expect(error.code == "crc_mismatch")
    #expect(error.message.contains(HexText.string(of: stored)))
    #expect(error.message.contains(HexText.string(of: computed)))
    #expect(error.message.contains("body"))
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

  @Test("with an invalid header, state and calibration are missing")
  func badHeader() throws {
    let reading = try decode(memory.damaged { $0.bytes[10] ^= 1 }, readTime: .at(LiteralMemory.readAt))
    #expect(reading.integrity.header.name == "bad")
    #expect(reading.integrity.body == .ok)
    #expect(reading.sensor.state == .unknown(nil))
    #expect(reading.sensor.endOfLife.isEmpty)
    #expect(reading.sensor.failure == nil)
    #expect(reading.sensor.maxLifeMinutes == 20_630)
    #expect(reading.calibration == nil)
    #expect(reading.current == nil)
    #expect(reading.samples.count == 48)
    #expect(reading.samples.allSatisfy { $0.concentration == nil && $0.raw.glucose == 1_319 })
    #expect(reading.problems.map(\.code) == ["header_not_trusted"])
  }

  @Test("with an invalid footer, calibration, region and maximum life are missing")
  func badFooter() throws {
    for bad in [
      memory.damaged { $0.bytes[323] ^= 1 }, memory.damaged { $0.set([UInt8](repeating: 0, count: 8), at: 336) },
    ] {
      let reading = try decode(bad, uid: LiteralMemory.uid, readTime: .at(LiteralMemory.readAt))
      #expect(reading.integrity.footer.name == "bad")
      #expect(reading.sensor.region == nil)
      #expect(reading.sensor.maxLifeMinutes == nil)
      #expect(reading.sensor.expiresAt == nil)
      #expect(reading.sensor.activatedAt != nil)
      #expect(reading.sensor.family == .libre1)
      #expect(reading.sensor.state == .active)
      #expect(reading.calibration == nil)
      #expect(reading.samples.count == 48)
      #expect(reading.samples.allSatisfy { $0.concentration == nil && $0.temperatureCelsius == nil })
      #expect(reading.problems.map(\.code) == ["footer_not_trusted"])
    }
  }

  @Test(
    "a ring index past the end of its ring is refused with index and slot count", arguments: SampleRing.allCases)
  func ringIndex(ring: SampleRing) {
    let (offset, slots) = ring == .trend ? (26, 16) : (27, 32)
    for index in slots...255 {
      let error = LibreError.memory(.ringIndexOutOfRange(ring: ring, index: index, slots: slots))
      let bytes = memory.edited { $0.bytes[offset] = UInt8(index) }
      #expect(throws: error) { try decode(bytes) }
      #expect(throws: error) { try decode(bytes, salvage: true) }
      #expect(error.code == "ring_index_out_of_range")
      #expect(error.message.contains("\(index)") && error.message.contains("\(slots - 1)"))
    }
    for index in 0..<slots {
      #expect(throws: Never.self) { try decode(memory.edited { $0.bytes[offset] = UInt8(index) }) }
    }
  }

  // MARK: Not a Libre 1

  @Test("a memory of only 00 or only FF is reported as blank, at any length", arguments: [0x00, 0xFF] as [UInt8])
  func blank(byte: UInt8) {
    for count in [176, 343, 344, 1_952] {
      for patchInfo in [nil, [0x9D, 8, 0x30, 1, 0, 0]] as [[UInt8]?] {
        let error = LibreError.memory(.blank(byte))
        #expect(throws: error) {
          try decode([UInt8](repeating: byte, count: count), uid: LiteralMemory.uid, patchInfo: patchInfo)
        }
        #expect(error.code == "blank_memory")
      }
    }
  }

  @Test("a memory without a valid checksum is encrypted or unknown; the error asks for UID and patch info")
  func encrypted() {
    let error = LibreError.memory(.encryptedOrUnknown)
    #expect(throws: error) { try decode(LiteralMemory.noise) }
    #expect(throws: error) { try decode(LiteralMemory.noise, salvage: true) }
    #expect(throws: error) { try decode(LiteralMemory.noise, uid: LiteralMemory.uid) }
    #expect(throws: LibreError.memory(.encryptedWithoutUID(.libre2))) {
      try decode(LiteralMemory.noise, patchInfo: [0x9D, 8, 0x30, 1, 0, 0])
    }
    #expect(error.code == "encrypted_or_unknown")
    #expect(error.family == nil)
  }

  @Test("an encrypted family named by UID and patch info gives an error about decryption")
  func cannotDecrypt() {
    for (patchInfo, family) in [
      ([0x9D, 8, 0x30, 1, 0, 0], SensorFamily.libre2), ([0xE5, 0, 3, 2, 0, 0], .libreUS14Day),
    ] as [([UInt8], SensorFamily)] {
      let error = LibreError.memory(.cannotDecrypt(family))
      #expect(throws: error) { try decode(LiteralMemory.noise, uid: LiteralMemory.uid, patchInfo: patchInfo) }
      #expect(error.code == "cannot_decrypt" && error.family == family)
      let image = MemoryImage(bytes: LiteralMemory.noise, uid: LiteralMemory.uid, patchInfo: PatchInfo(patchInfo))
      #expect(throws: error) { try decode(Array(HexDump.text(of: image, notes: []).utf8)) }
    }
  }

  @Test("an unsupported family is named by its patch info")
  func unsupported() {
    for (patchInfo, family) in [
      ([0x2B, 0x0A, 0x3A, 8, 0, 0], SensorFamily.libre2Generation2), ((0..<24).map { $0 == 12 ? 4 : 0 }, .libre3),
    ] as [([UInt8], SensorFamily)] {
      let error = LibreError.memory(.unsupportedFamily(family))
      #expect(throws: error) { try decode(LiteralMemory.noise, uid: LiteralMemory.uid, patchInfo: patchInfo) }
      #expect(error.code == "unsupported_family" && error.family == family)
    }
  }

  @Test(
    "a Libre Pro is recognised by its own checksums from 176 bytes on, whatever else is given",
    arguments: [176, 344])
  func pro(count: Int) throws {
    let bytes = LiteralMemory.pro(count: count)
    for (uid, patchInfo) in [(nil, nil), (LiteralMemory.uid, [0x9D, 8, 0x30, 1, 0, 0])] as [(SensorUID?, [UInt8]?)] {
      let reading = try decode(bytes, uid: uid, patchInfo: patchInfo)
      #expect(reading.trend.count == 16 && reading.history.count == (count - 176) / 6)
      #expect(reading.samples.allSatisfy { $0.concentration == nil })
      #expect(reading.calibration == nil && reading.current == nil && reading.sensor.initializations == nil)
      #expect(reading.problems.contains(.concentrationWithheld))
      #expect(reading.sensor.family == .librePro)
    }
  }

  @Test("counts of a Libre Pro become values if a model without sensor numbers is requested")
  func proLinear() throws {
    var options = DecodeOptions()
    options.calibration = .model(LinearCalibration(slope: 0.1, offset: 1))
    let reading = try DumpDecoder(options: options).decode(LiteralMemory.pro())
    let newest = try #require(reading.trend.first { !$0.raw.hasError && $0.raw.glucose > 0 })
    #expect(newest.concentration?.milligramsPerDecilitre == 0.1 * Double(newest.raw.glucose) + 1)
    #expect(reading.calibration?.model == "linear" && !reading.problems.contains(.concentrationWithheld))
  }

  @Test("a damaged or truncated Libre Pro memory is reported as such if its patch info names the family")
  func damagedPro() throws {
    let patchInfo: [UInt8] = [0x70, 0, 0x10, 1, 0, 0]
    var bytes = LiteralMemory.pro()
    bytes[100] ^= 1
    #expect(#expect(throws: LibreError.self) { try decode(bytes, patchInfo: patchInfo) }?.code == "crc_mismatch")
    #expect(try decode(bytes, patchInfo: patchInfo, salvage: true).isSalvaged)
    #expect(throws: LibreError.dump(.truncated(found: 170, needed: 176))) {
      try decode(Array(LiteralMemory.pro()[..<170]), patchInfo: patchInfo)
    }
  }

  @Test("one valid checksum is enough to decode the memory, whatever the patch info says")
  func oneRegion() {
    let onlyHeader = memory.damaged {
      $0.bytes[200] ^= 0x5A; $0.bytes[323] ^= 1
    }
    let error = #expect(throws: LibreError.self) {
      try decode(onlyHeader, uid: LiteralMemory.uid, patchInfo: [0x9D, 8, 0x30, 1, 0, 0])
    }
    #expect(error?.code == "crc_mismatch")
  }

  // MARK: Length

  @Test("a dump that is truncated in its body is reported with actual and expected length")
  func truncated() {
    for count in [1, 24, 176, 300, 319] {
      let error = LibreError.dump(.truncated(found: count, needed: 344))
      #expect(throws: error) { try decode(Array(memory.bytes[..<count])) }
      #expect(error.code == "truncated")
      #expect(error.message.contains("\(count)") && error.message.contains("344"))
    }
  }

  @Test(
    "nothing is salvaged if indices or age are cut off, since no sample has a minute",
    arguments: [8, 176, 300, 319])
  func undatable(count: Int) {
    let error = #expect(throws: LibreError.self) { try decode(Array(memory.bytes[..<count]), salvage: true) }
    #expect(error?.code == "block_missing")
    #expect(error?.message.contains("39") == true)
  }

  @Test(
    "a missing footer is like an invalid one: all samples are decoded", arguments: [320, 336, 343])
  func footerCutOff(count: Int) throws {
    let cut = Array(memory.bytes[..<count])
    let reading = try decode(cut, salvage: true)
    #expect(reading.integrity.footer.name == "absent")
    #expect(reading.integrity.body == .ok)
    #expect(reading.samples.count == 48)
    #expect(reading.samples.allSatisfy { $0.concentration == nil })
    // LibreDocuments/Contract, "Damaged regions": samples that need --salvage are marked; with only a bad footer
    // they do not need it.
    if (try? decode(cut)) == nil { #expect(reading.isSalvaged) } else { #expect(!reading.isSalvaged) }
  }

  @Test("bytes after the first 344 are ignored", arguments: [352, 360, 368, 1_952])
  func longer(count: Int) throws {
    let long = try decode(memory.bytes + [UInt8](repeating: 0xA5, count: count - 344), uid: LiteralMemory.uid)
    let short = try decode(memory.bytes, uid: LiteralMemory.uid)
    #expect(long.samples == short.samples)
    #expect(long.sensor == short.sensor)
    #expect(long.id == short.id)
  }

  // MARK: Identity

  @Test("every sample has a unique id with a UID, and no id without")
  func ids() throws {
    let reading = try decode(memory.bytes, uid: LiteralMemory.uid)
    #expect(Set(reading.samples.compactMap(reading.id)).count == 48)
    #expect(reading.trend.first.flatMap(reading.id)?.description == "98ee1567-165a-59f9-a6a9-ea098944340b")
    #expect(reading.history.first.flatMap(reading.id)?.description == "8d183fb1-7e36-591e-8346-b7964bb63737")
    let nameless = try decode(memory.bytes)
    #expect(nameless.samples.allSatisfy { nameless.id(of: $0) == nil })
    #expect(nameless.sensor.uid == nil && nameless.sensor.serial == nil)
  }

  @Test("decoding is repeatable, and the same memory in another file has the same id")
  func deterministic() throws {
    let image = MemoryImage(bytes: memory.bytes, uid: LiteralMemory.uid, readAt: LiteralMemory.readAt)
    let hex = Array(HexDump.text(of: image, notes: ["One."]).utf8)
    let first = try decode(hex, path: "a.hex")
    #expect(try decode(hex, path: "a.hex") == first)
    let raw = try decode(memory.bytes, uid: LiteralMemory.uid, readTime: .at(LiteralMemory.readAt), path: "b.bin")
    #expect(raw.id == first.id)
    #expect(raw.source.sha256 != first.source.sha256)
    #expect(raw.samples == first.samples)
  }

  @Test("another time, another sensor or other bytes give another id")
  func readingID() throws {
    let base = try decode(memory.bytes, uid: LiteralMemory.uid, readTime: .at(LiteralMemory.readAt)).id
    let later = LiteralMemory.readAt.adding(minutes: 1)
    #expect(try decode(memory.bytes, uid: LiteralMemory.uid, readTime: .at(later)).id != base)
    #expect(try decode(memory.bytes, readTime: .at(LiteralMemory.readAt)).id != base)
    let other = memory.edited { $0.bytes[200] ^= 1 }
    #expect(try decode(other, uid: LiteralMemory.uid, readTime: .at(LiteralMemory.readAt)).id != base)
  }

  @Test("decrypting an unencrypted memory returns it unchanged, also a Libre Pro of any length")
  func plainAlready() throws {
    for bytes in [memory.bytes] + [176, 320, 344, 8_800].map(LiteralMemory.pro) {
      let decoder = DumpDecoder()
      #expect(try decoder.plainImage(in: decoder.open(bytes)).bytes.starts(with: bytes))
    }
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

  @Test("the path is passed on unchanged and its name is not interpreted")
  func path() throws {
    for path in ["libre2-encrypted.hex", "x-bad.json", "", "-"] {
      let reading = try decode(memory.bytes, path: path)
      #expect(reading.source.path == path)
      #expect(reading.source.format == "raw")
      #expect(reading.samples.count == 48)
    }
    #expect(try decode(memory.bytes).source.path == nil)
    #expect(try decode(memory.bytes).source.tool == "libre 0.1.0")
  }
}
