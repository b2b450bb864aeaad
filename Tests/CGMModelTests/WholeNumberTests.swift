// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct WholeNumberTests {
  @Test("the whole part of any number fits an Int, and NaN gives 0")
  func saturating() {
    let cases: [(Double, Int)] = [
      (0, 0), (-0.9, 0), (1.999, 1), (-2.5, -2), (0x1p63, .max), (0x1p63.nextDown, 9_223_372_036_854_774_784),
      (-0x1p63, .min), ((-0x1p63).nextDown, .min), (1e300, .max), (-1e300, .min), (.infinity, .max),
      (-.infinity, .min), (.nan, 0), (.signalingNaN, 0), (.leastNonzeroMagnitude, 0),
    ]
    for (number, whole) in cases { #expect(Int(saturating: number) == whole, "\(number)") }
  }
}
