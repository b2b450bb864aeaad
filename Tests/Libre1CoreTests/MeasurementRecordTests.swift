// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

struct MeasurementRecordTests {
  private func record(_ bytes: [UInt8]) -> MeasurementRecord {
    MeasurementRecord(bits: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
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

  @Test(
    "a sample carries every field of its record, with ring and minute; only six zero bytes are a slot never written")
  func sample() {
    let sample = record([0x83, 0x34, 0xC8, 0x7A, 0xDA, 0xFF]).sample(ring: .history, minute: SensorMinute(45))
    #expect(
      sample
        == RawSample(
          ring: .history, minute: SensorMinute(45), glucose: 13_443, temperature: 6_776, temperatureAdjustment: -2_044,
          hasError: true, errorField: 0x320, isNeverWritten: false))
    #expect(record([0, 0, 0, 0, 0, 0]).isNeverWritten && !record([0, 0, 0, 0, 0, 0x80]).isNeverWritten)
  }
}
