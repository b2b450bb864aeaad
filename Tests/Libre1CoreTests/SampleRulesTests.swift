// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct SampleRulesTests {
  private func sample(
    glucose: UInt16 = 1_000, hasError: Bool = false, neverWritten: Bool = false, minute: Int = 1_000,
    celsius: Double = 32, value: Double = 100, minimum: Int = 150, hasThermistor: Bool = true
  ) -> GlucoseSample {
    SampleRules(minimumRawGlucose: minimum, hasThermistor: hasThermistor).sample(
      RawSample(
        ring: .trend, minute: SensorMinute(minute), glucose: glucose, temperature: 6_552, temperatureAdjustment: -8,
        hasError: hasError, errorField: 0x320, isNeverWritten: neverWritten),
      celsius: celsius, milligramsPerDecilitre: value)
  }

  @Test("if there are several reasons, the first one in the contract's order is the quality")
  func order() {
    #expect(
      sample(glucose: 0, hasError: true, neverWritten: true, minute: 5, celsius: 60).quality == .neverWritten)
    #expect(sample(glucose: 10, hasError: true, minute: 5, celsius: 60).quality == .error)
    #expect(sample(glucose: 10, minute: 5, celsius: 60).quality == .lowSignal)
    #expect(sample(minute: 5, celsius: 60).quality == .temperature)
    #expect(sample(minute: 5).quality == .warmUp)
    #expect(sample().quality == .ok)
  }

  @Test(
    "20 and 40 °C are still good, 0 and 50 °C still have a value",
    arguments: [
      (celsius: 20.0, quality: SampleQuality.ok, hasValue: true), (40, .ok, true),
      (19.999_999, .temperature, true), (40.000_001, .temperature, true),
      (0, .temperature, true), (50, .temperature, true),
      (-0.000_001, .temperature, false), (50.000_001, .temperature, false),
      (.nan, .temperature, false), (.infinity, .temperature, false),
    ])
  func temperature(celsius: Double, quality: SampleQuality, hasValue: Bool) {
    let sample = sample(celsius: celsius)
    #expect(sample.quality == quality)
    #expect((sample.concentration != nil) == hasValue)
    #expect(sample.temperatureCelsius == (celsius.isFinite ? celsius : nil))
  }

  @Test("warm-up ends with minute 60", arguments: [(1, SampleQuality.warmUp), (59, .warmUp), (60, .ok), (61, .ok)])
  func warmUp(minute: Int, quality: SampleQuality) {
    #expect(sample(minute: minute).quality == quality)
    #expect(sample(minute: minute).concentration?.milligramsPerDecilitre == 100)
  }

  @Test(
    "counts under the sensor's threshold are a low signal with its value, even below zero, the threshold itself not")
  func lowSignal() {
    for (glucose, minimum, quality) in [
      (149, 150, .lowSignal), (150, 150, .ok), (199, 200, .lowSignal), (200, 200, .ok),
    ] as [(UInt16, Int, SampleQuality)] {
      let sample = sample(glucose: glucose, value: -19.5, minimum: minimum)
      #expect(sample.quality == quality && sample.concentration?.milligramsPerDecilitre == -19.5)
    }
  }

  @Test("flagged, empty, zero and uncalibrated samples have no value; an unknown thermistor does not take it away")
  func withoutValue() {
    let withoutValue = [
      sample(hasError: true), sample(glucose: 0, neverWritten: true), sample(glucose: 0), sample(value: .nan),
      sample(value: .infinity), sample(value: -.infinity),
    ]
    #expect(withoutValue.allSatisfy { $0.concentration == nil })
    let unknown = sample(celsius: .nan, hasThermistor: false)
    #expect(unknown.quality == .ok && unknown.temperatureCelsius == nil)
    #expect(unknown.concentration?.milligramsPerDecilitre == 100)
  }

  @Test("the threshold is byte 330 of the footer, and 150 if the footer is not trusted")
  func thresholdFromMemory() throws {
    var fixture = MemoryBuilder()
    fixture.bytes[330] = 200
    fixture.setTrend(minute: 1_000, MemoryBuilder.record(glucose: 199))
    fixture.setTrend(minute: 999, MemoryBuilder.record(glucose: 200))
    fixture.setTrend(minute: 998, MemoryBuilder.record(glucose: 150))
    fixture.setTrend(minute: 997, MemoryBuilder.record(glucose: 149))
    fixture.seal()
    #expect(try fixture.decoded().trend.samples.prefix(4).map(\.quality) == [.lowSignal, .ok, .lowSignal, .lowSignal])
    fixture.breakChecksum(of: .footer)
    #expect(try fixture.decoded().trend.samples.prefix(4).map(\.quality) == [.ok, .ok, .ok, .lowSignal])
  }
}

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
