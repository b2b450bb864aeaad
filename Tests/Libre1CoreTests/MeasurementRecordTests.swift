// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

struct MeasurementRecordTests {
  private func record(_ bytes: [UInt8]) -> MeasurementRecord {
    MeasurementRecord(bits: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  @Test("C2 04 C8 78 DA 80 gives 1218 counts at temperature 6776 with adjustment −12")
  func workedExample() {
    let record = record([0xC2, 0x04, 0xC8, 0x78, 0xDA, 0x80])
    #expect(record.glucose == 1_218)
    #expect(record.errorField == 0x320)
    #expect(!record.hasError)
    #expect(record.temperature == 6_776)
    #expect(record.temperatureAdjustment == -12)
    #expect(!record.isNeverWritten)
  }

  /// One field full of ones, all others zero: bits 0–13, 14–24, 25, 26–37, 38–46, 47, from the lowest bit of the first
  /// byte on.
  static let patterns: [([UInt8], glucose: Int, error: Int, flag: Bool, temperature: Int, adjustment: Int)] = [
    ([0xFF, 0x3F, 0x00, 0x00, 0x00, 0x00], 16_383, 0, false, 0, 0),
    ([0x00, 0xC0, 0xFF, 0x01, 0x00, 0x00], 0, 2_047, false, 0, 0),
    ([0x00, 0x00, 0x00, 0x02, 0x00, 0x00], 0, 0, true, 0, 0),
    ([0x00, 0x00, 0x00, 0xFC, 0x3F, 0x00], 0, 0, false, 16_380, 0),
    ([0x00, 0x00, 0x00, 0x00, 0xC0, 0x7F], 0, 0, false, 0, 2_044),
    ([0x00, 0x00, 0x00, 0x00, 0x00, 0x80], 0, 0, false, 0, 0),
    ([0x00, 0x00, 0x00, 0x00, 0xC0, 0xFF], 0, 0, false, 0, -2_044),
    ([0x01, 0x40, 0x00, 0x04, 0x40, 0x80], 1, 1, false, 4, -4),
    ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 16_383, 2_047, true, 16_380, -2_044),
  ]

  @Test("each field has its own bits and no others", arguments: patterns)
  func fields(bytes: [UInt8], glucose: Int, error: Int, flag: Bool, temperature: Int, adjustment: Int) {
    let record = record(bytes)
    #expect(record.glucose == glucose)
    #expect(record.errorField == error)
    #expect(record.hasError == flag)
    #expect(record.temperature == temperature)
    #expect(record.temperatureAdjustment == adjustment)
  }

  @Test("each of the 48 bits belongs to exactly one field, with its weight")
  func singleBits() {
    for bit in 0..<48 {
      let record = MeasurementRecord(bits: 1 << UInt64(bit))
      #expect(record.glucose == (bit < 14 ? 1 << bit : 0), "bit \(bit)")
      #expect(record.errorField == ((14..<25).contains(bit) ? 1 << (bit - 14) : 0), "bit \(bit)")
      #expect(record.hasError == (bit == 25), "bit \(bit)")
      #expect(record.temperature == ((26..<38).contains(bit) ? 4 << (bit - 26) : 0), "bit \(bit)")
      #expect(record.temperatureAdjustment == ((38..<47).contains(bit) ? 4 << (bit - 38) : 0), "bit \(bit)")
      #expect(!record.isNeverWritten, "bit \(bit)")
    }
  }

  @Test("all 14 bits of glucose are kept, though other programs keep 12 or 13: an error record of minute 1 held 13443")
  func fourteenBits() {
    #expect(record([0x83, 0x34, 0x00, 0x00, 0x00, 0x00]).glucose == 13_443)
  }

  @Test("only six zero bytes mean a slot that was never written")
  func neverWritten() {
    #expect(record([0, 0, 0, 0, 0, 0]).isNeverWritten)
    #expect(!record([0, 0, 0, 0, 0, 0x80]).isNeverWritten)
  }

  @Test("a sample carries every field of its record, with ring and minute")
  func sample() {
    let sample = record([0x83, 0x34, 0xC8, 0x7A, 0xDA, 0xFF]).sample(ring: .history, minute: SensorMinute(45))
    #expect(sample.ring == .history)
    #expect(sample.minute == SensorMinute(45))
    #expect(sample.glucose == 13_443)
    #expect(sample.errorField == 0x320)
    #expect(sample.hasError)
    #expect(sample.errors.names == ["rf_interference", "signal_low"])
    #expect(sample.temperature == 6_776)
    #expect(sample.temperatureAdjustment == -2_044)
    #expect(!sample.isNeverWritten)
  }
}
