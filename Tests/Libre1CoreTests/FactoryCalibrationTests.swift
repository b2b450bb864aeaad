// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct FactoryCalibrationTests {
  private static let lmTest = CalibrationParameters(i1: 0, i2: 803, i3: 18, i4: 6_931, i5: 8_804, i6: 6_536)
  private static let always63 = CalibrationParameters(i1: 0, i2: 706, i3: 14, i4: 6_766, i5: 9_076, i6: 6_996)

  private func value(_ glucose: Int, _ temperature: Int, _ adjustment: Int, _ parameters: CalibrationParameters)
    -> Double
  {
    let celsius = Thermistor(i6: parameters.i6).celsius(of: Double(temperature), adjustment: Double(adjustment))
    return FactoryCalibration().concentration(of: Double(glucose), celsius: celsius, parameters: parameters)
  }

  @Test("the worked examples of Libre1Core/Calibration are reproduced to the last printed decimal")
  func workedExamples() {
    #expect(abs(value(1_218, 6_776, -12, Self.lmTest) - 102.480_832) < 0.000_000_6, "A")
    #expect(abs(value(1_319, 6_552, -8, Self.lmTest) - 108.371_920) < 0.000_000_6, "B")
    #expect(abs(value(696, 7_520, -8, Self.always63) - 61.596_634) < 0.000_000_6, "C")
    #expect(abs(value(682, 7_160, 4, Self.always63) - 56.130_713) < 0.000_000_6, "E")
  }

  @Test(
    "the rounded value equals that of Abbott's library where its filters have no effect",
    arguments: [
      (glucose: 700, temperature: 7_124, official: 57), (3_000, 7_124, 313), (700, 5_816, 43), (3_000, 5_816, 253),
    ])
  func official(glucose: Int, temperature: Int, official: Int) {
    let parameters = CalibrationParameters(i1: 0, i2: 697, i3: 10, i4: 6_785, i5: 0, i6: 7_176)
    #expect(Int(value(glucose, temperature, 0, parameters).rounded()) == official)
  }

  @Test("parameters without a solution give no values, and the faulty parameter is reported")
  func faults() {
    let model = FactoryCalibration()
    for (i2, i3, i4, fault) in [
      (0, 18, 6_931, .i2IsZero), (803, 18, 18, .i3EqualsI4), (0, 0, 0, .i2IsZero), (803, 18, 6_931, nil),
    ] as [(Int, Int, Int, CalibrationFault?)] {
      let parameters = CalibrationParameters(i1: 0, i2: i2, i3: i3, i4: i4, i5: 0, i6: 6_536)
      #expect(model.fault(in: parameters) == fault)
      #expect(model.concentration(of: 1_000, celsius: 32, parameters: parameters).isNaN == (fault != nil))
    }
    #expect(model.concentration(of: 1_000, celsius: 32, parameters: nil).isNaN)
    #expect(model.concentration(of: 1_000, celsius: .nan, parameters: Self.lmTest).isNaN)
    let outside = CalibrationParameters(i1: 0, i2: 1_024, i3: 18, i4: 6_931, i5: 0, i6: 6_536)
    #expect(model.concentration(of: 1_000, celsius: 32, parameters: outside).isNaN)
  }

  @Test("the results agree with platform arithmetic over parameters, counts and temperatures")
  func formula() throws {
    var random = SplitMix64(seed: 0xFAC7)
    var worst = 0.0
    for _ in 0..<20_000 {
      let parameters = CalibrationParameters(
        i1: 0, i2: .random(in: 1...1_023, using: &random), i3: .random(in: -255...255, using: &random),
        i4: .random(in: 256...16_383, using: &random), i5: 0, i6: 0)
      let counts = Int.random(in: 1...16_383, using: &random)
      let celsius = Double.random(in: 0...50, using: &random)
      let row = try #require(SensitivityTable.entry(parameters.i2))
      let expected = ReferenceFormula.milligrams(
        glucose: counts, celsius: celsius, i3: parameters.i3, i4: parameters.i4, offset: row.offset,
        sensitivity: row.sensitivity)
      let value = FactoryCalibration().concentration(of: Double(counts), celsius: celsius, parameters: parameters)
      // Subtracting the offset cancels digits near zero, so the scale of what was subtracted counts too.
      worst = max(worst, abs(value - expected) / (abs(expected) + row.offset / row.sensitivity))
    }
    #expect(worst <= 1e-13, "worst relative difference \(worst)")
  }
}

struct CalibrationParametersTests {
  @Test(
    "each field has its own bits, i5 and i6 without their two lowest, and bit 33 is the sign of i3",
    arguments: [
      ([0x18, 0x19], [0x12, 0x13, 0x1B, 0xC8, 0x04, 0x99, 0x28, 0x66], [0, 803, 18, 6_931, 8_804, 6_536]),
      ([0x18, 0x19], [0x12, 0x13, 0x1B, 0xC8, 0x06, 0x99, 0x28, 0x66], [0, 803, -18, 6_931, 8_804, 6_536]),
      ([0xFF, 0x1F], [0xFF, 0xFF, 0x3F, 0x00, 0x02, 0xFF, 0xFF, 0xFF], [7, 1_023, -255, 16_383, 16_380, 16_380]),
      // All bits that belong to no field.
      ([0x00, 0xE0], [0x00, 0x00, 0xC0, 0xFF, 0xFD, 0x00, 0x00, 0x00], [0, 0, 0, 0, 0, 0]),
    ] as [([UInt8], [UInt8], [Int])])
  func fields(header: [UInt8], footer: [UInt8], expected: [Int]) throws {
    var fixture = MemoryBuilder()
    fixture.set(header, at: 2)
    fixture.set(footer, at: 336)
    let found = try #require(try fixture.sealed().validated().calibrationParameters)
    #expect([found.i1, found.i2, found.i3, found.i4, found.i5, found.i6] == expected)
  }
}

struct LinearCalibrationTests {
  private func fixture() -> MemoryBuilder {
    var fixture = MemoryBuilder()
    fixture.setTrend(minute: 1_000, MemoryBuilder.record(glucose: 1_218, temperature: 6_776, adjustment: -12))
    fixture.setHistory(minute: 990, MemoryBuilder.record(glucose: 1_319))
    return fixture.sealed()
  }

  @Test("0.13 of the counts less 20 is the value that LibreMonitor suggests")
  func suggested() throws {
    let decoded = try fixture().decoded(calibration: LinearCalibration(slope: 0.13, offset: -20))
    #expect(abs(try #require(decoded.trend[0]?.concentration?.milligramsPerDecilitre) - 138.34) < 1e-9)
    #expect(abs(try #require(decoded.history[0]?.concentration?.milligramsPerDecilitre) - 151.47) < 1e-9)
    #expect(
      decoded.calibration
        == CalibrationDescription(
          model: "linear", version: 1, parameters: [.init("slope", 0.13), .init("offset", -20)]))
  }

  @Test("header and footer are not needed: without them the temperature is unknown and the value is kept")
  func withoutHeaderAndFooter() throws {
    var fixture = fixture()
    fixture.breakChecksum(of: .header)
    fixture.breakChecksum(of: .footer)
    let decoded = try fixture.decoded(calibration: LinearCalibration(slope: 0.1, offset: 0))
    let sample = try #require(decoded.trend[0])
    #expect(sample.temperatureCelsius == nil)
    #expect(abs(try #require(sample.concentration).milligramsPerDecilitre - 121.8) < 1e-9)
    #expect(sample.quality == .ok)
  }
}
