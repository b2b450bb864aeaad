// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct ValidatedFRAMTests {
  @Test("each field is read from its own bytes")
  func fields() throws {
    var fixture = MemoryBuilder(state: 4, age: 0x5234, trendIndex: 15, historyIndex: 31, maxLife: 0x5101)
    (fixture.bytes[318], fixture.bytes[323], fixture.bytes[330]) = (7, 8, 0x77)
    let memory = try fixture.sealed().validated()
    #expect((memory.state, memory.ageMinutes, memory.maxLifeMinutes) == (.expired, 0x5234, 0x5101))
    #expect((memory.trendIndex, memory.historyIndex, memory.initializations) == (15, 31, 7))
    #expect((memory.region, memory.minimumRawGlucose) == (.eastROW, 0x77))
    #expect(memory.failure == nil && !memory.isSalvaged)
    // Records outside the rings are nil and do not trap.
    let decoded = try fixture.sealed().decoded()
    for ring in [SampleRing.trend, .history] {
      let count = ring == .trend ? 16 : 32
      for index in [-1, Int.min, Int.max, count] { #expect(memory.record(ring, newest: index) == nil) }
      #expect(memory.record(ring, newest: count - 1) != nil)
    }
    #expect(decoded.trend[16] == nil && decoded.trend[-1] == nil && decoded.history[32] == nil)
  }

  @Test(
    "an index outside its ring is refused, also in a salvaged memory, and the number found is reported",
    arguments: [(SampleRing.trend, 16), (.trend, 255), (.history, 32), (.history, 255)])
  func indices(ring: SampleRing, index: Int) {
    let fixture = (ring == .trend ? MemoryBuilder(trendIndex: index) : MemoryBuilder(historyIndex: index)).sealed()
    let error = MemoryError.ringIndexOutOfRange(ring: ring, index: index, slots: ring == .trend ? 16 : 32)
    for salvaging in [false, true] {
      #expect(throws: error) { try fixture.validated(salvaging: salvaging) }
    }
  }

  /// A memory with a record of the worked examples in minute 1000, and without a valid checksum of one region.
  private func decoded(without region: MemoryBuilder.Region) throws -> DecodedMemory {
    var fixture = MemoryBuilder()
    fixture.setTrend(minute: 1_000, MemoryBuilder.record(glucose: 1_218, temperature: 6_776, adjustment: -12))
    fixture.seal()
    fixture.breakChecksum(of: region)
    return try fixture.decoded()
  }

  @Test("a bad header keeps the samples but removes state, log and calibration")
  func badHeader() throws {
    let decoded = try decoded(without: .header)
    let memory = decoded.memory
    #expect(memory.state == .unknown(nil) && memory.calibrationParameters == nil && decoded.calibration == nil)
    #expect(memory.region == .european && memory.maxLifeMinutes == 20_700)
    let sample = try #require(decoded.trend[0])
    #expect(sample.raw.glucose == 1_218 && sample.concentration == nil)
    #expect(abs(try #require(sample.temperatureCelsius) - 31.281_680) < 0.000_000_6)
    #expect(decoded.history.count == 32)
  }

  @Test("a bad footer keeps the samples but removes region, maximum life, calibration and temperature")
  func badFooter() throws {
    let decoded = try decoded(without: .footer)
    let memory = decoded.memory
    #expect(memory.state == .active && memory.minimumRawGlucose == 150)
    #expect(memory.region == nil && memory.maxLifeMinutes == nil)
    #expect(memory.footerFamily == nil && memory.calibrationParameters == nil)
    let sample = try #require(decoded.trend[0])
    #expect(sample.minute == SensorMinute(1_000) && decoded.history[0]?.minute == SensorMinute(990))
    #expect(sample.temperatureCelsius == nil && sample.concentration == nil)
  }

  @Test("a bad body is an error, or is accepted and marked as salvaged if the caller asked for it")
  func badBody() throws {
    var fixture = MemoryBuilder()
    fixture.setTrend(minute: 1_000, MemoryBuilder.record(glucose: 1_218))
    fixture.seal()
    let stored = UInt16(fixture.number(at: 24))
    fixture.bytes[200] ^= 0xFF
    #expect(
      throws: MemoryError.crcMismatch(region: .body, stored: stored, computed: fixture.checksum(of: .body))
    ) { try fixture.validated() }
    let decoded = try fixture.decoded(salvaging: true)
    #expect(try decoded.memory.isSalvaged && !MemoryBuilder().sealed().validated(salvaging: true).isSalvaged)
    #expect(decoded.memory.ageMinutes == 1_000)
    #expect(decoded.trend[0]?.raw.glucose == 1_218)
    #expect(decoded.problems.first == .salvaged)
  }

  @Test("a torn body keeps its samples and has the age that its checksum covers, which determines the minutes")
  func tornBody() throws {
    // Sealed at age 1000 with index 8, read as 1001: by the stored age the newest minute would be 1000 as well; at
    // age 1007 with index 0, read as 1008, it would be 1008 and not 992.
    var fixture = MemoryBuilder().sealed()
    fixture.setNumber(1_001, at: 316)
    #expect(try fixture.validated().timeline.newestTrendMinute?.value == 1_000)
    var edge = MemoryBuilder(age: 1_007, trendIndex: 0).sealed()
    edge.setNumber(1_008, at: 316)
    let decoded = try edge.decoded()
    #expect(decoded.memory.ageMinutes == 1_007)
    #expect(decoded.timeline.newestTrendMinute?.value == 992)
    #expect(decoded.problems == [.bodyTorn(storedAge: 1_008)])
  }

  @Test("the history of a torn body does not include the quarter of an hour that had not begun")
  func tornBodyHistory() throws {
    // Age 1004 is quarter 66, 1005 quarter 67; index 3 would be quarter 67, and 35 a ring before it.
    var fixture = MemoryBuilder(age: 1_004, trendIndex: 12, historyIndex: 3).sealed()
    #expect(try fixture.validated().timeline.newestHistoryMinute?.value == 525)
    fixture.setNumber(1_005, at: 316)
    #expect(try fixture.validated().timeline.newestHistoryMinute?.value == 525)
    fixture.seal()
    #expect(try fixture.validated().timeline.newestHistoryMinute?.value == 1_005)
  }

  @Test("salvage leaves out the records whose bytes are missing and keeps the others in their minutes")
  func salvageWithMissingBlocks() throws {
    var fixture = MemoryBuilder()
    for minute in 985...1_000 { fixture.setTrend(minute: minute, MemoryBuilder.record(glucose: minute)) }
    for quarter in 35...66 { fixture.setHistory(minute: 15 * quarter, MemoryBuilder.record(glucose: quarter)) }
    fixture.seal()
    // Block 10 is bytes 80…87: trend slots 8 (76…81) and 9 (82…87), which hold minutes 985 and 986.
    // Block 20 is bytes 160…167: history slots 6 (160…165) and 7 (166…171), quarters 39 and 40.
    fixture.missingBlocks = [10, 20]
    let decoded = try fixture.decoded(salvaging: true)
    #expect(decoded.trend.samples.map(\.minute.value) == Array((987...1_000).reversed()))
    #expect(decoded.trend.samples.map { Int($0.raw.glucose) } == Array((987...1_000).reversed()))
    let quarters = (35...66).reversed().filter { $0 != 39 && $0 != 40 }
    #expect(decoded.history.samples.map(\.minute.value) == quarters.map { 15 * $0 })
    #expect(decoded.history.samples.map { Int($0.raw.glucose) } == quarters)
    #expect(decoded.trend[14] == nil)
    #expect(decoded.memory.record(.trend, newest: 14) == nil)
    #expect(decoded.memory.record(.trend, newest: 13)?.glucose == 987)
    #expect(decoded.memory.isSalvaged)
  }

  @Test("missing blocks of the body are an error that lists them; without that of the age no sample can be dated")
  func missingAge() throws {
    var fixture = MemoryBuilder().sealed()
    for (blocks, ofBody) in [([1, 10, 20, 41], [10, 20]), ([39, 10], [39, 10])] {
      fixture.missingBlocks = blocks
      #expect(throws: MemoryError.blockMissing(region: .body, blocks: BlockSet(ofBody))) { try fixture.validated() }
    }
    #expect(throws: MemoryError.undatable(blocks: BlockSet([39]))) { try fixture.validated(salvaging: true) }
  }

  @Test(
    "without the block of the indices salvage dates the history by the age less 3 minutes, and omits the trend",
    arguments: [(1_000, 990), (1_007, 990), (1_008, 1_005), (1_019, 1_005), (17, 0), (18, 15), (2, 0)])
  func missingIndices(age: Int, newest: Int) throws {
    var fixture = MemoryBuilder(age: age, historyIndex: newest / 15 % 32)
    for minute in stride(from: newest, to: max(0, newest - 480), by: -15) {
      fixture.setHistory(minute: minute, MemoryBuilder.record(glucose: minute))
    }
    fixture.seal()
    fixture.missingBlocks = [3]
    #expect(throws: MemoryError.blockMissing(region: .body, blocks: BlockSet([3]))) { try fixture.validated() }
    let decoded = try fixture.decoded(salvaging: true)
    #expect(decoded.trend.samples.isEmpty)
    #expect(decoded.current == nil)
    #expect(decoded.timeline.newestTrendMinute == nil)
    #expect(decoded.memory.trendIndex == nil && decoded.memory.historyIndex == nil)
    #expect(decoded.timeline.newestHistoryMinute?.value == newest)
    #expect(decoded.history.samples.count == min(32, newest / 15))
    #expect(decoded.history.samples.allSatisfy { Int($0.raw.glucose) == $0.minute.value })
    #expect(decoded.problems.contains(.indicesMissing))
    #expect(decoded.memory.record(.trend, newest: 0) == nil)
  }
}

struct FRAMTests {
  @Test("fewer than 344 bytes are refused", arguments: [0, 1, 176, 343])
  func tooShort(count: Int) {
    #expect(throws: MemoryError.wrongLength(found: count, needed: 344)) {
      try FRAM([UInt8](repeating: 1, count: count).span)
    }
  }

  @Test("only the first 344 of more bytes are used", arguments: [344, 352, 360, 1_952])
  func longEnough(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let fram = try FRAM(bytes.span, missingBlocks: BlockSet([42, 3, 100]))
    #expect((0..<344).map(fram.byte) == Array(bytes.prefix(344)))
    #expect(fram[343] == UInt8(truncatingIfNeeded: 343 * 7) && fram[344] == nil && fram[-1] == nil)
    #expect(fram.missingBlocks.members == [3, 42])
  }
}
