// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Libre1Core

struct LagStepTests {
  @Test(
    "up to 40 mg/dL up and 20 down, scaled by where glucose is",
    arguments: [
      (glucose: -10.0, share: 0.0), (55, 0), (65, 0.25), (94, 0.975), (95, 1), (130, 1), (160, 1), (330, 0.5), (500, 0),
      (501, 0), (9_000, 0),
    ])
  func limits(glucose: Double, share: Double) {
    #expect(abs(LagStep.limited(1_000, at: glucose) - 40 * share) < 1e-12)
    #expect(abs(LagStep.limited(-1_000, at: glucose) + 20 * share) < 1e-12)
  }

  @Test("a step inside its limit stays as it is, each sign by its own limit")
  func inside() {
    #expect(LagStep.limited(30, at: 120) == 30)
    #expect(LagStep.limited(-30, at: 120) == -20)
    #expect(LagStep.limited(-15, at: 120) == -15)
    #expect(LagStep.limited(0, at: 120) == 0)
    #expect(LagStep.limited(15, at: 75) == 15)
    #expect(LagStep.limited(-15, at: 75) == -10)
  }
}
