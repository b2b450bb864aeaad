// SPDX-License-Identifier: Apache-2.0
import Testing
import TextFormats

struct PercentTextTests {
  @Test(
    "percentages are whole, but 0 only for nothing and 100 only for everything",
    arguments: [
      (0.0, "0 %"), (0.01, "<1 %"), (0.99, "<1 %"), (1, "1 %"), (1.5, "2 %"), (70.4, "70 %"), (99, "99 %"),
      (99.01, ">99 %"), (100, "100 %"),
    ])
  func whole(value: Double, expected: String) { #expect(PercentText.whole(value) == expected) }
}
