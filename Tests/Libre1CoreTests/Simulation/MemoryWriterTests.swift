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

  @Test("in a ring filled by minute the newest record is before the index, and slots before the first minute are empty")
  func ringsByMinute() {
    var writer = MemoryWriter()
    writer.setTrend(newestMinute: 21) { RecordFields(glucose: $0, temperature: 0) }
    writer.setHistory(newestMinute: 15 * 34) { RecordFields(glucose: $0, temperature: 0) }
    let bytes = writer.memory()
    #expect(bytes[26...27] == [5, 2])
    // Low bytes of the glucose in trend slots 4 (newest), 5 (oldest) and in history slots 1 (newest), 2 (oldest).
    #expect([bytes[28 + 24], bytes[28 + 30], bytes[124 + 6], bytes[124 + 12]] == [21, 6, 0xFE, 45])
    writer = MemoryWriter()
    writer.setTrend(newestMinute: 2) { RecordFields(glucose: $0, temperature: 0) }
    writer.setHistory(newestMinute: 0) { RecordFields(glucose: $0, temperature: 0) }
    #expect(writer.trend.map(\.glucose) == [1, 2] + [Int](repeating: 0, count: 14))
    #expect(writer.history.allSatisfy { $0 == .neverWritten })
    #expect(writer.trendIndex == 2 && writer.historyIndex == 0)
  }

  @Test("bits that do not fit into a record's field are cut off and change no other field")
  func cutting() {
    let wide = RecordFields(
      glucose: 0x1_4001, temperature: 4 * 0x1005 + 3, temperatureAdjustment: -4 * 0x203, errorField: 0x802)
    let cut = RecordFields(glucose: 1, temperature: 20, temperatureAdjustment: -12, errorField: 2)
    #expect(wide.bits == cut.bits)
  }

  @Test("a full memory begins with the memory and has a code section with a valid checksum")
  func fullMemory() {
    let bytes = MemoryWriter().fullMemory()
    #expect(bytes.count == 1952)
    #expect(Array(bytes[..<344]) == MemoryWriter().memory())
    #expect(UInt16(bytes[344]) | UInt16(bytes[345]) << 8 == BitwiseCRC.checksum(bytes[346..<1904]))
    #expect(Set(bytes[346..<1904]).count == 256)
  }
}
