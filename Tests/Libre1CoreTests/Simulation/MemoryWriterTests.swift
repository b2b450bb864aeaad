// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

struct MemoryWriterTests {
  @Test("every field has the position given in the datasheet")
  func literalOffsets() {
    var writer = MemoryWriter()
    writer.state = 5
    writer.activity = 1
    writer.endOfLife = [
      EndOfLifeEntry(leftState: .active, minute: SensorMinute(20_777)),
      EndOfLifeEntry(leftState: .expired, minute: SensorMinute(21_497)),
    ]
    writer.trendIndex = 9
    writer.historyIndex = 30
    writer.trend[3] = RecordFields(
      glucose: 1218, temperature: 6776, temperatureAdjustment: -12, hasError: true, errorField: 0x220)
    writer.history[0] = RecordFields(glucose: 1218, temperature: 6776, temperatureAdjustment: -12)
    writer.history[31] = RecordFields(
      glucose: 16_383, temperature: 16_380, temperatureAdjustment: -2_044, hasError: true, errorField: 2047)
    writer.ageMinutes = 21_497
    writer.initializations = 1
    writer.familyByte = 0x30
    writer.region = 8
    writer.batch = 3001
    writer.maxLifeMinutes = 20_777
    writer.fingerprint = FooterFingerprint.libre2
    (writer.i1, writer.i2, writer.i3, writer.i4, writer.i5, writer.i6) = (5, 683, -17, 6699, 8700, 6612)

    var literal = MemoryBuilder(bytes: [UInt8](repeating: 0, count: 344))
    literal.set([0x5D, 0x55, 5, 1, 3, 0x29, 0x51, 4, 0xF9, 0x53], at: 2)
    literal.set([9, 30], at: 26)
    literal.set([0xC2, 0x04, 0x88, 0x7A, 0xDA, 0x80], at: 46)
    literal.set([0xC2, 0x04, 0xC8, 0x78, 0xDA, 0x80], at: 124)
    literal.set([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], at: 310)
    literal.set([0xF9, 0x53, 1], at: 316)
    literal.set([0x30, 8, 0xB9, 0x0B, 0x29, 0x51], at: 322)
    literal.set([0x14, 0x03, 0x96, 0x80, 0x5A, 0x00, 0xCD, 0xA6], at: 328)
    literal.set([0x11, 0x2B, 0x1A, 0xC8, 0x06, 0x7F, 0x58, 0x67], at: 336)
    literal.seal()
    #expect(writer.memory() == literal.bytes)
  }

  @Test("the checksum of these tests has the published check value")
  func literalChecksum() {
    #expect(BitwiseCRC.checksum("123456789".utf8) == 0x89F6)
  }

  @Test("an unused sensor has the same body checksum as all unused sensors")
  func newSensor() {
    let bytes = MemoryWriter().memory()
    #expect(bytes[24...25] == [0x62, 0xC2])
    #expect(bytes[26..<320].allSatisfy { $0 == 0 })
    #expect(bytes[4] == 1)
    #expect(bytes[328..<336] == [0x14, 0x07, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6])
  }

  @Test("in state failure the log has code and minute of the failure")
  func failure() {
    var writer = MemoryWriter()
    writer.state = 6
    writer.failure = SensorFailure(code: 0x0A, minute: SensorMinute(0x1234))
    #expect(writer.memory()[6...8] == [0x0A, 0x34, 0x12])
  }

  @Test("in a ring filled by minute the newest record is before the index")
  func ringsByMinute() {
    var writer = MemoryWriter()
    writer.setTrend(newestMinute: 21) { RecordFields(glucose: $0, temperature: 0) }
    writer.setHistory(newestMinute: 15 * 34) { RecordFields(glucose: $0, temperature: 0) }
    let bytes = writer.memory()
    #expect(bytes[26] == 5)
    #expect(bytes[27] == 2)
    // Low bytes of the glucose in trend slots 4 (newest), 5 (oldest) and in history slots 1 (newest), 2 (oldest).
    #expect([bytes[28 + 24], bytes[28 + 30]] == [21, 6])
    #expect([bytes[124 + 6], bytes[124 + 12]] == [UInt8(510 & 0xFF), 45])
  }

  @Test("a young ring leaves the slots of minutes before the first one empty")
  func youngRings() {
    var writer = MemoryWriter()
    writer.setTrend(newestMinute: 2) { RecordFields(glucose: $0, temperature: 0) }
    writer.setHistory(newestMinute: 0) { RecordFields(glucose: $0, temperature: 0) }
    #expect(writer.trend.map(\.glucose) == [1, 2] + [Int](repeating: 0, count: 14))
    #expect(writer.history.allSatisfy { $0 == .neverWritten })
    #expect(writer.trendIndex == 2)
    #expect(writer.historyIndex == 0)
  }

  @Test("bits that do not fit into a record's field are cut off and change no other field")
  func cutting() {
    let wide = RecordFields(
      glucose: 0x1_4001, temperature: 4 * 0x1005 + 3, temperatureAdjustment: -4 * 0x203, errorField: 0x802)
    let cut = RecordFields(glucose: 1, temperature: 20, temperatureAdjustment: -12, errorField: 2)
    #expect(wide.bits == cut.bits)
  }

  @Test("written values of any kind are read back unchanged", arguments: UInt64(0)..<8)
  func mirror(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<TestTier.rounds(50, full: 500) {
      let writer = Self.anyWriter(&random)
      let bytes = writer.memory()
      let decoded = try Libre1Decoder.decode(bytes.span)
      let memory = decoded.memory
      #expect(memory.integrity == MemoryIntegrity(header: .ok, body: .ok, footer: .ok))
      #expect(memory.state.raw == writer.state)
      #expect(bytes[5] == writer.activity)
      #expect(memory.endOfLife == writer.endOfLife)
      #expect(memory.failure == writer.failure)
      #expect(memory.trendIndex == Int(writer.trendIndex))
      #expect(memory.historyIndex == Int(writer.historyIndex))
      #expect(memory.ageMinutes == writer.ageMinutes)
      #expect(memory.initializations == Int(writer.initializations))
      #expect(memory.region == SensorRegion(writer.region))
      #expect(memory.maxLifeMinutes == writer.maxLifeMinutes)
      #expect(memory.minimumRawGlucose == Int(writer.minimumRawGlucose))
      #expect(memory.calibrationParameters == writer.calibration)
      #expect(Array(bytes[328..<336]) == writer.fingerprint)
      #expect(Self.slots(of: .trend, count: 16, next: try #require(memory.trendIndex), in: memory) == writer.trend)
      #expect(
        Self.slots(of: .history, count: 32, next: try #require(memory.historyIndex), in: memory) == writer.history)
    }
  }

  @Test("a single flipped bit is detected in its own region and in no other", arguments: UInt64(0)..<4)
  func flippedBit(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let sound = Self.anyWriter(&random).memory()
    for bit in 0..<344 * 8 {
      var bytes = sound
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let integrity = try FRAM(bytes.span).integrity
      let harmed = bit < 24 * 8 ? 0 : bit < 320 * 8 ? 1 : 2
      // A flip that adds one to the age looks like a change of the minute: it is still detected, as torn.
      for (region, verdict) in [integrity.header, integrity.body, integrity.footer].enumerated() {
        #expect((verdict == .ok) == (region != harmed), "bit \(bit), region \(region)")
      }
    }
  }

  @Test("a full memory begins with the memory and has a code section with a valid checksum")
  func fullMemory() {
    let bytes = MemoryWriter().fullMemory()
    #expect(bytes.count == 1952)
    #expect(Array(bytes[..<344]) == MemoryWriter().memory())
    #expect(UInt16(bytes[344]) | UInt16(bytes[345]) << 8 == BitwiseCRC.checksum(bytes[346..<1904]))
    #expect(Set(bytes[346..<1904]).count == 256)
  }

  /// Random values that a memory can store, with both ring indices in range.
  static func anyWriter(_ random: inout SplitMix64) -> MemoryWriter {
    func any<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
      Number.random(in: range, using: &random)
    }
    func anyRecord() -> RecordFields {
      RecordFields(
        glucose: any(0...0x3FFF), temperature: 4 * any(0...0xFFF), temperatureAdjustment: 4 * any(-0x1FF...0x1FF),
        hasError: any(0...1) == 1, errorField: any(0...0x7FF))
    }
    var writer = MemoryWriter()
    writer.state = any(0...8)
    writer.activity = any(0...0xFF)
    if writer.state == 6 {
      writer.failure = SensorFailure(code: any(0...0xFF), minute: SensorMinute(any(0...0xFFFF)))
    } else {
      writer.endOfLife = (0..<any(0...6)).map { _ in
        EndOfLifeEntry(leftState: SensorState(any(0...0xFF)), minute: SensorMinute(any(0...0xFFFF)))
      }
    }
    writer.trendIndex = any(0...15)
    writer.historyIndex = any(0...31)
    writer.trend = (0..<16).map { _ in anyRecord() }
    writer.history = (0..<32).map { _ in anyRecord() }
    writer.ageMinutes = any(0...0xFFFF)
    writer.initializations = any(0...0xFF)
    writer.familyByte = any(0...0xFF)
    writer.region = any(0...0xFF)
    writer.batch = any(0...0xFFFF)
    writer.maxLifeMinutes = any(0...0xFFFF)
    writer.fingerprint = (0..<8).map { _ in any(0...0xFF) }
    writer.unexplainedCalibrationBits = random.next()
    writer.calibration = CalibrationParameters(
      i1: any(0...7), i2: any(0...1023), i3: any(-255...255), i4: any(0...0x3FFF), i5: 4 * any(0...0xFFF),
      i6: 4 * any(0...0xFFF))
    return writer
  }

  /// The records of a ring in slot order.
  static func slots(of ring: SampleRing, count: Int, next: Int, in memory: ValidatedFRAM) -> [RecordFields] {
    (0..<count).compactMap { slot in
      memory.record(ring, newest: (next - 1 - slot + 2 * count) % count).map(RecordFields.init)
    }
  }
}
