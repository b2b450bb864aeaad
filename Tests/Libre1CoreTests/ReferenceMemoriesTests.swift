// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

/// Every real memory of INDEX.json against what an independent decoder found in it (Libre1Core/MemoryFormat).
@Suite(.enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"))
struct ReferenceMemoriesTests {
  static let readable = ReferenceDumps.vectors.filter(\.isReadable)
  static let encrypted = ReferenceDumps.vectors.filter { $0.encrypted != nil }
  static let pro = ReferenceDumps.vectors.filter(\.isPro)
  static let badBody = ReferenceDumps.vectors.filter { $0.crc?.body == false && !$0.hasTornBody && !$0.isPro }

  @Test("the index is complete: each vector belongs to exactly one of the tests below")
  func whole() {
    #expect(ReferenceDumps.failure == nil)
    let sorted = Self.readable.count + Self.encrypted.count + Self.pro.count + Self.badBody.count
    #expect(sorted == ReferenceDumps.vectors.count)
    #expect(ReferenceDumps.vectors.count >= 118)
    #expect(Self.readable.count >= 109)
    #expect(Self.encrypted.count >= 4)
    #expect(Self.pro.count >= 3)
    #expect(Self.badBody.count >= 2)
    #expect(Self.readable.count(where: \.hasTornBody) >= 2)
    #expect(Self.readable.count { $0.crc?.footer == false } >= 2)
    #expect(Self.readable.count { $0.decoded?.serial != nil } >= 62)
  }

  @Test("the sensor facts of each memory equal those in the index", arguments: readable)
  func sensor(vector: ReferenceVector) throws {
    let decoded = try Libre1Decoder.decode(ReferenceDumps.bytes(of: vector.file))
    let memory = decoded.memory
    let expected = try #require(vector.decoded)
    let crc = try #require(vector.crc)
    #expect(memory.integrity.header.name == (crc.header ? "ok" : "bad"))
    #expect(memory.integrity.body.name == (vector.hasTornBody ? "torn" : "ok"))
    #expect(memory.integrity.footer.name == (crc.footer ? "ok" : "bad"))
    #expect(!memory.isSalvaged)

    #expect(memory.state.raw.map(Int.init) == expected.state)
    #expect(memory.storedAgeMinutes == expected.age)
    #expect(memory.ageMinutes == expected.age.map { $0 - (vector.hasTornBody ? 1 : 0) })
    #expect(memory.initializations == expected.initializations)
    #expect(memory.trendIndex == expected.trendIndex && memory.historyIndex == expected.historyIndex)
    #expect(memory.endOfLife.map(\.leftState.raw) == expected.eol?.map(\.code))
    #expect(memory.endOfLife.map(\.minute.value) == expected.eol?.map(\.minute))

    // Neither of the two torn memories crossed an edge of a ring, so the stored age gives the index the same minutes.
    #expect(decoded.timeline.newestTrendMinute?.value == expected.newestTrendMinute)
    #expect(decoded.timeline.newestHistoryMinute?.value == expected.newestHistoryMinute)

    guard crc.footer else {
      return #expect(memory.region == nil && memory.maxLifeMinutes == nil && memory.calibrationParameters == nil)
    }
    #expect(memory.region == expected.region.map { SensorRegion(UInt8($0)) })
    #expect(memory.maxLifeMinutes == expected.maxLife)
    let calibration = try #require(expected.calibration)
    let parameters = try #require(memory.calibrationParameters)
    let numbers = [parameters.i1, parameters.i2, parameters.i3, parameters.i4, parameters.i5, parameters.i6]
    #expect(
      numbers == [calibration.i1, calibration.i2, calibration.i3, calibration.i4, calibration.i5, calibration.i6])
  }

  @Test(
    "each sample equals its row in the index: minute, counts, error bits, temperature, adjustment, mg/dL",
    arguments: readable)
  func samples(vector: ReferenceVector) throws {
    let decoded = try Libre1Decoder.decode(ReferenceDumps.bytes(of: vector.file))
    try compare(
      decoded.trend.samples, with: try #require(vector.decoded?.trend), vector: vector, memory: decoded.memory)
    try compare(
      decoded.history.samples, with: try #require(vector.decoded?.history), vector: vector, memory: decoded.memory)
  }

  private func compare(
    _ samples: [GlucoseSample], with rows: [ReferenceVector.Row], vector: ReferenceVector, memory: ValidatedFRAM
  ) throws {
    try #require(samples.count == rows.count)
    for (sample, row) in zip(samples, rows) {
      #expect(sample.minute.value == row.minute)
      #expect(Int(sample.raw.glucose) == row.glucose)
      #expect(sample.raw.hasError == row.hasError)
      #expect(try #require(sample.raw.errorField) & 0x1FF == UInt16(row.quality))
      #expect(sample.raw.errors.rawValue == (row.hasError ? UInt16(row.quality) : 0))
      #expect(Int(sample.raw.temperature) == row.temperature)
      #expect(Int(sample.raw.temperatureAdjustment) == row.adjustment)

      let celsius = memory.calibrationParameters.flatMap {
        ReferenceFormula.celsius(temperature: row.temperature, adjustment: row.adjustment, i6: $0.i6)
      }
      // The rows are bare arithmetic; the contract leaves out what is flagged, empty or physically impossible.
      let isLeftOut = row.hasError || row.glucose == 0 || celsius.map { !(0...50).contains($0) } ?? true
      if isLeftOut {
        #expect(sample.concentration == nil, "minute \(row.minute)")
      } else {
        let value = try #require(sample.concentration, "minute \(row.minute)").milligramsPerDecilitre
        #expect(Int(value.rounded()) == row.milligrams, "minute \(row.minute)")
      }
      if let celsius {
        #expect(abs(try #require(sample.temperatureCelsius) - celsius) < 1e-9, "minute \(row.minute)")
      } else {
        #expect(sample.temperatureCelsius == nil)
      }
    }
  }

  @Test(
    "the footer's constants determine the family in the index", arguments: readable.filter { $0.crc?.footer == true }
  )
  func family(vector: ReferenceVector) throws {
    let family = try Libre1Decoder.decode(ReferenceDumps.bytes(of: vector.file)).memory.footerFamily
    switch vector.kind {
    case "libre1": #expect(family == .libre1)
    case "libreUS14day": #expect(family == .libreUS14Day)
    default:
      #expect(vector.kind.hasPrefix("libre2"))
      #expect(family == .libre2)
    }
  }

  @Test("the patch info of each sensor determines its family and is repeated in its memory", arguments: readable)
  func patchInfo(vector: ReferenceVector) throws {
    guard let text = vector.patchInfo else { return }
    let bytes = try #require(HexText.bytes(of: text))
    let info = try #require(PatchInfo(bytes))
    let memory = try Libre1Decoder.decode(ReferenceDumps.bytes(of: vector.file)).memory
    #expect(info.family == memory.footerFamily)
    #expect(memory.fram[322] == info.bytes[2])
    // One publisher's sample pairs a memory of region 1 with a patch info of region 8; the 59 others agree.
    if vector.file != "bubble-test.bin" { #expect(memory.fram[323] == info.bytes[3]) }
  }

  @Test("each serial number that the index states follows from its UID", arguments: readable)
  func serialNumber(vector: ReferenceVector) throws {
    guard let expected = vector.decoded?.serial else { return }
    let uid = try SensorUID(printed: try #require(vector.uid))
    let memory = try Libre1Decoder.decode(ReferenceDumps.bytes(of: vector.file)).memory
    let family = try #require(memory.footerFamily)
    let text = try #require(SerialNumber.text(for: uid, family: family))
    if vector.patchInfo == nil, uid.product == 0xA4 {
      // Without patch info the index writes a Libre 1's digit before a Libre 2's number.
      #expect(text == "3" + expected.dropFirst())
    } else {
      #expect(text == expected)
    }
  }

  @Test(
    "the program of a full memory has a valid checksum, and is one of the three known generations",
    arguments: readable.filter { $0.bytes == 1_952 })
  func code(vector: ReferenceVector) throws {
    let bytes = try ReferenceDumps.bytes(of: vector.file)
    let region = MemoryMap.code
    let stored = UInt16(bytes[region.start]) | UInt16(bytes[region.start + 1]) << 8
    #expect((CRC16.checksum(of: Array(bytes[region.covered])) == stored) == vector.crc?.commands)
    #expect([0x429E, 0xF9AE, 0x9FFB].contains(stored))
  }

  @Test("an encrypted memory is distinguished from a damaged one", arguments: encrypted)
  func encryptedMemory(vector: ReferenceVector) throws {
    let bytes = try ReferenceDumps.bytes(of: vector.file)
    #expect(MemoryKind(of: bytes) == .unrecognised)
    #expect(throws: MemoryError.encryptedOrUnknown) { try Libre1Decoder.decode(bytes) }
  }

  @Test(
    "a body that is neither good nor torn is an error with both checksums, and readable on request", arguments: badBody)
  func damagedBody(vector: ReferenceVector) throws {
    let bytes = try ReferenceDumps.bytes(of: vector.file)
    let stored = UInt16(bytes[24]) | UInt16(bytes[25]) << 8
    let computed = BitwiseCRC.checksum(bytes[26..<320])
    #expect(stored != computed)
    #expect(throws: MemoryError.crcMismatch(region: .body, stored: stored, computed: computed)) {
      try Libre1Decoder.decode(bytes)
    }
    let decoded = Libre1Decoder.decode(try FRAM(bytes.span).validated(salvaging: true))
    #expect(decoded.memory.isSalvaged)
    #expect(decoded.timeline.newestTrendMinute?.value == vector.decoded?.newestTrendMinute)
    #expect(decoded.timeline.newestHistoryMinute?.value == vector.decoded?.newestHistoryMinute)
    try compare(
      decoded.trend.samples, with: try #require(vector.decoded?.trend), vector: vector, memory: decoded.memory)
    try compare(
      decoded.history.samples, with: try #require(vector.decoded?.history), vector: vector, memory: decoded.memory)
  }

  @Test("without ring indices the history of a real memory has the same minutes, or 15 minutes early at minute 2")
  func estimatedHistory() throws {
    var (same, early, wrong) = (0, 0, [String]())
    for vector in Self.readable where vector.crc?.footer == true {
      let bytes = try ReferenceDumps.bytes(of: vector.file)
      let stored = try FRAM(bytes.span).validated()
      let estimated = try FRAM(bytes.span, missingBlocks: BlockSet([3])).validated(salvaging: true)
      guard let newest = stored.timeline.newestHistoryMinute else { continue }
      switch newest.value - (estimated.timeline.newestHistoryMinute?.value ?? -1) {
      case 0: same += 1
      case 15 where stored.ageMinutes % 15 == 2: early += 1
      default: wrong.append("\(vector.file): \(newest), \(String(describing: estimated.timeline.newestHistoryMinute))")
      }
    }
    #expect(wrong.isEmpty, "\(wrong)")
    #expect(same >= 103 && early <= 4, "\(same) as by the index, \(early) a quarter of an hour early")
  }
}
