// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Libre1Core

struct LeastSquaresTests {
  @Test("the height of the line is right between, beyond and far from its points")
  func height() throws {
    // Through (0, 1), (1, 1), (2, 4): mean 2 at 1, slope 3/2.
    var line = LeastSquares()
    for (x, y) in [(0.0, 1.0), (1, 1), (2, 4)] { line.add(x: x, y: y) }
    for (x, y) in [(0.0, 0.5), (1, 2), (2, 3.5), (-10, -14.5)] {
      #expect(abs(try #require(line.value(at: x)) - y) < 1e-12)
    }
    var far = LeastSquares()
    for x in [1e6, 1e6 + 1] { far.add(x: x, y: 2 * x) }
    #expect(abs(try #require(far.value(at: 1e6 + 3)) - 2_000_006) < 1e-6)
  }

  @Test("fewer than two different x give no line")
  func none() {
    var line = LeastSquares()
    #expect(line.value(at: 0) == nil)
    line.add(x: 1, y: 5)
    #expect(line.value(at: 1) == nil)
    line.add(x: 1, y: 7)
    #expect(line.value(at: 1) == nil && line.slope == nil)
  }
}
