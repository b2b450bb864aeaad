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

  @Test("a record needs 0…50 °C to have its own value")
  func possible() {
    for (celsius, may) in [(-0.01, false), (0, true), (45, true), (50, true), (50.01, false), (Double.nan, false)] {
      #expect(record(celsius: celsius).mayHaveValue == may)
    }
  }

  @Test("thermistor signal 128 counts as 0 °C in means, and gives no value")
  func noTemperature() {
    let thermistor = Thermistor(i6: ReaderSeries.parameters.i6)
    let sample = ReaderSeries.sample(.history, 6_000, 1_000, temperature: 128)
    let record = ReaderRecord.inOrder([sample], thermistor: thermistor)[0]
    #expect(record.celsius == 0)
    #expect(!record.isUsable && !record.mayHaveValue)
  }

  @Test("records are sorted, the first of two for one minute is kept, and impossible minutes are removed")
  func order() {
    let minutes = [30, 15, 30, 0, -15, 65_535, 65_536, Int.max, Int.min, 15, 45]
    let samples = minutes.enumerated().map { ReaderSeries.sample(.history, $1, 100 + $0) }
    let records = ReaderRecord.inOrder(samples, thermistor: Thermistor(i6: 6_536))
    #expect(records.map(\.minute) == [15, 30, 45, 65_535])
    #expect(records.map(\.counts) == [101, 100, 110, 105])
    #expect(ReaderRecord.inOrder([], thermistor: Thermistor(i6: 6_536)).isEmpty)
  }
}
