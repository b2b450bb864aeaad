// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

struct ReaderRecordTests {
  private func record(minute: Int = 6_000, counts: Int = 1_000, celsius: Double = 32, error: UInt16? = nil)
    -> ReaderRecord
  {
    ReaderRecord(ReaderSeries.sample(.history, minute, counts, error: error), celsius: celsius)
  }

  @Test(
    "records are usable at 20…40 °C from minute 45 on",
    arguments: [
      (6_000, 19.99, false), (6_000, 20, true), (6_000, 40, true), (6_000, 40.01, false), (6_000, -1, false),
      (6_000, 50.01, false), (6_000, .nan, false), (44, 32, false), (45, 32, true),
    ])
  func usable(minute: Int, celsius: Double, isUsable: Bool) {
    #expect(record(minute: minute, celsius: celsius).isUsable == isUsable)
  }

  @Test("a record is unusable if RF is its only error reason, or if it has 0 counts; other reasons do not matter")
  func errors() {
    for (error, isUsable) in [(0x20, false), (0x220, false), (0x120, true), (0x22, true), (0x300, true), (0x02, true)] {
      #expect(record(error: UInt16(error)).isUsable == isUsable)
      #expect(!record(error: UInt16(error)).mayHaveValue)
    }
    #expect(!record(counts: 0).isUsable)
    #expect(!record(counts: 0).mayHaveValue)
    // Without the error flag the field is something else: every good record of today's sensors has these bits.
    #expect(record().isUsable && record().mayHaveValue && !record().isDisturbed)
  }
}
