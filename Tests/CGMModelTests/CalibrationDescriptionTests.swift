// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CGMModel

@Suite("The description of a calibration")
struct CalibrationDescriptionTests {
  private static let known = CalibrationParameters(i1: 0, i2: 803, i3: -18, i4: 6_931, i5: 8_804, i6: 6_536)

  private func read(_ parameters: [CalibrationDescription.Parameter]) -> CalibrationDescription {
    CalibrationDescription(model: "factory", version: 1, parameters: parameters)
  }

  @Test("a sensor's numbers are shown by name in their order, and read back in any order")
  func sensor() {
    let description = CalibrationDescription(model: "factory", version: 1, of: Self.known)
    #expect(description.parameters.map(\.name) == ["i1", "i2", "i3", "i4", "i5", "i6"])
    #expect(description.parameters.map(\.value) == [0, 803, -18, 6_931, 8_804, 6_536])
    #expect(description.sensorParameters == Self.known)
    #expect(read(description.parameters) == description)
    #expect(read(description.parameters.reversed()) == description)
  }

  @Test(
    "numbers that no footer can hold are shown as they are, and give no values",
    arguments: [0.5, 32_768, -1e300, .infinity])
  func impossible(number: Double) {
    let numbers = CalibrationDescription(model: "factory", version: 1, of: Self.known).parameters
    for index in numbers.indices {
      var broken = numbers
      broken[index] = .init(numbers[index].name, number)
      #expect(read(broken).sensorParameters == nil)
      #expect(read(broken).parameters == broken)
      broken.remove(at: index)
      #expect(read(broken).sensorParameters == nil)
    }
    #expect(read(numbers + [.init("i7", 0)]).sensorParameters == nil)
    #expect(read([.init("slope", 0.1), .init("offset", 0)]).sensorParameters == nil)
  }
}
