// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import Libre1Core

// The decoder takes spans, which the test macros cannot carry into their closures; these take arrays.

extension CRC16 {
  static func checksum(of bytes: [UInt8]) -> UInt16 { checksum(bytes.span) }
}

extension MemoryKind {
  init(of bytes: [UInt8], missingBlocks: [Int] = []) {
    self = CheckedMemory(MemoryImage(bytes: bytes, missingBlocks: missingBlocks)).kind
  }
}

extension Libre1Decoder {
  static func decode(_ bytes: [UInt8]) throws(MemoryError) -> DecodedMemory { try decode(bytes.span) }
}

extension KeyWords {
  init?(ofZeros encrypted: some Collection<UInt8>, block: Int) {
    self.init(ofZeros: Array(encrypted).span, block: block)
  }
}

extension Thermistor {
  /// °C of each pair; NaN if a pair has none.
  func celsius(of counts: [Double], adjustments: [Double]) -> [Double] {
    var celsius = [Double](repeating: 0, count: counts.count)
    var output = celsius.mutableSpan
    self.celsius(of: counts.span, adjustments: adjustments.span, into: &output)
    return celsius
  }

  /// °C of one pair; NaN if it has none.
  func celsius(of counts: Double, adjustment: Double) -> Double {
    celsius(of: [counts], adjustments: [adjustment])[0]
  }
}

extension CalibrationModel {
  /// mg/dL of one pair; NaN if it has none.
  func concentration(of counts: Double, celsius: Double, parameters: CalibrationParameters?) -> Double {
    var concentration = [0.0]
    var output = concentration.mutableSpan
    concentrations(of: [counts].span, celsius: [celsius].span, parameters: parameters, into: &output)
    return concentration[0]
  }
}
