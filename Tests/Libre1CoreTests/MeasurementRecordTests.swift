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
