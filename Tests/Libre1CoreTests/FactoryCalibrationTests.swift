// SPDX-License-Identifier: Apache-2.0
import CGMModel
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
    let withoutRow = CalibrationParameters(i1: 0, i2: 0, i3: 18, i4: 6_931, i5: 0, i6: 6_536)
    let withoutSlope = CalibrationParameters(i1: 0, i2: 803, i3: 18, i4: 18, i5: 0, i6: 6_536)
    let withoutBoth = CalibrationParameters(i1: 0, i2: 0, i3: 0, i4: 0, i5: 0, i6: 0)
    #expect(model.fault(in: withoutRow) == .i2IsZero)
    #expect(model.fault(in: withoutSlope) == .i3EqualsI4)
    #expect(model.fault(in: withoutBoth) == .i2IsZero)
    #expect(model.fault(in: Self.lmTest) == nil)
    for parameters in [withoutRow, withoutSlope, withoutBoth] {
      #expect(model.concentration(of: 1_000, celsius: 32, parameters: parameters).isNaN)
    }
    #expect(model.concentration(of: 1_000, celsius: 32, parameters: nil).isNaN)
    #expect(model.concentration(of: 1_000, celsius: .nan, parameters: Self.lmTest).isNaN)
    let outside = CalibrationParameters(i1: 0, i2: 1_024, i3: 18, i4: 6_931, i5: 0, i6: 6_536)
    #expect(model.concentration(of: 1_000, celsius: 32, parameters: outside).isNaN)
  }

  @Test("the description names the model, and there is none without parameters")
  func description() throws {
    let description = try #require(FactoryCalibration().description(for: Self.lmTest))
    #expect(description.model == "factory" && description.version == 1 && description.sensorParameters == Self.lmTest)
    #expect(FactoryCalibration().description(for: nil) == nil)
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
