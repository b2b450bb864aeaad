// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import LibreKit
import Testing

struct CalibrationEntryTests {
  @Test("a calibration that the user names gives its model with the user's numbers")
  func models() throws {
    #expect(kind("factory") == "factory")
    #expect(kind("user") == "user")
    #expect(kind("reader") == "neighbours: reader")
    for (text, slope, offset) in [("linear:0.13,-20", 0.13, -20.0), ("linear:1e-1,+5", 0.1, 5)] {
      guard case .model(let model) = CalibrationChoice(text), let linear = model as? LinearCalibration else {
        Issue.record("\(text) is no straight line")
        continue
      }
      #expect(linear.slope == slope && linear.offset == offset)
    }
  }

  @Test(
    "unknown names, too few or too many numbers and non-finite numbers are refused",
    arguments: [
      "", ":", "Factory", "factory:1", "factory:", "users", "user:1,0", "reader:1", "linear", "linear:", "linear:0.1",
      "linear:0.1,", "linear:,0",
      "linear:0.1,0,0", "linear:0.1;0", "linear:a,0", "linear:nan,0", "linear:0.1,inf", "linear:-infinity,0",
      "linear:0.1,0 ",
      " linear:0.1,0", "linear:1e999,0", "linear:0,1:2", "oop",
    ])
  func refused(text: String) {
    #expect(CalibrationChoice(text) == nil)
  }

  private func kind(_ text: String) -> String? {
    switch CalibrationChoice(text) {
    case .factory: "factory"
    case .user: "user"
    case .model(let model): "one measurement: \(model.name)"
    case .series(let model): "neighbours: \(model.name)"
    case nil: nil
    }
  }
}
