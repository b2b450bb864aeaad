// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import TestSupport
import Testing

struct GlucoseCurveTests {
  @Test(
    "simulated glucose stays between 60 and 250 mg/dL and never jumps",
    arguments: UInt64(0)..<UInt64(TestTier.rounds(4, full: 20)))
  func believable(seed: UInt64) {
    let curve = GlucoseCurve(seed: seed)
    let values = (0...20_000).map(curve.milligramsPerDecilitre(atMinute:))
    #expect(values.allSatisfy { (60...250).contains($0) })
    let steepest = zip(values, values.dropFirst()).map { ($1 - $0).magnitude }.max() ?? 0
    #expect(steepest < 6, "\(steepest) mg/dL in a minute")
    #expect((values.max() ?? 0) - (values.min() ?? 0) > 50, "a day of meals is not flat")
  }
}
