// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import LibreKit
import Testing

struct CalibrationEntryTests {
  @Test("gives the model that a user names, with the user's numbers")
  func models() throws {
    #expect(CalibrationEntry.model("factory") is FactoryCalibration)
    let linear = try #require(CalibrationEntry.model("linear:0.13,-20") as? LinearCalibration)
    #expect(linear.slope == 0.13)
    #expect(linear.offset == -20)
    let exponent = try #require(CalibrationEntry.model("linear:1e-1,+5") as? LinearCalibration)
    #expect(exponent.slope == 0.1)
    #expect(exponent.offset == 5)
  }

  @Test(
    "refuses other names, too few or too many numbers, and what is no finite number",
    arguments: [
      "", ":", "Factory", "factory:1", "factory:", "linear", "linear:", "linear:0.1", "linear:0.1,", "linear:,0",
      "linear:0.1,0,0", "linear:0.1;0", "linear:a,0", "linear:nan,0", "linear:0.1,inf", "linear:-infinity,0",
      "linear:0.1,0 ",
      " linear:0.1,0", "linear:1e999,0", "linear:0,1:2", "oop",
    ])
  func refused(text: String) {
    #expect(CalibrationEntry.model(text) == nil)
  }
}
