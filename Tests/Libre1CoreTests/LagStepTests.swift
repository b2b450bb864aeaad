// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Libre1Core

struct LagStepTests {
  @Test(
    "a step is limited to 40 mg/dL up and 20 down, scaled by the glucose level",
    arguments: [
      (glucose: -10.0, share: 0.0), (55, 0), (65, 0.25), (94, 0.975), (95, 1), (130, 1), (160, 1), (330, 0.5), (500, 0),
      (501, 0), (9_000, 0),
    ])
  func limits(glucose: Double, share: Double) {
    #expect(abs(LagStep.limited(1_000, at: glucose) - 40 * share) < 1e-12)
    #expect(abs(LagStep.limited(-1_000, at: glucose) + 20 * share) < 1e-12)
  }

  @Test("limits that are not lowered are whole from 55 to 95 mg/dL, and the same elsewhere")
  func full() {
    for glucose in [56.0, 65, 94.9] {
      #expect(LagStep.limited(1_000, at: glucose, isLowered: false) == 40)
      #expect(LagStep.limited(-1_000, at: glucose, isLowered: false) == -20)
    }
    for glucose in [50.0, 55, 95, 130, 330, 501] {
      #expect(LagStep.limited(1_000, at: glucose, isLowered: false) == LagStep.limited(1_000, at: glucose))
    }
  }

  @Test("a step within its limit is unchanged, and each sign has its own limit")
  func inside() {
    #expect(LagStep.limited(30, at: 120) == 30)
    #expect(LagStep.limited(-30, at: 120) == -20)
    #expect(LagStep.limited(-15, at: 120) == -15)
    #expect(LagStep.limited(0, at: 120) == 0)
    #expect(LagStep.limited(15, at: 75) == 15)
    #expect(LagStep.limited(-15, at: 75) == -10)
  }
}
