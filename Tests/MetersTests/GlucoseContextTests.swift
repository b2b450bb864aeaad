// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Meters

@Suite("Contexts of glucose measurements")
struct GlucoseContextTests {
  @Test("have their fields in the order of the specification, extended flags first")
  func allFields() throws {
    let packet = bytes("FF 07 00 00 02 0F 90 03 5F 10 0E 32 01 05 D0 40 F0")
    let context = try GlucoseMeasurementContext(packet)
    #expect(context.sequenceNumber == 7)
    #expect(context.meal == .fasting)
    for count in 0..<packet.count {
      #expect(throws: PacketError.self) { try GlucoseMeasurementContext(Array(packet.prefix(count))) }
    }
    #expect(try GlucoseMeasurementContext(packet + [1]) == context)
  }

  @Test("keep a reserved meal without a meaning, and meal 6 stands for a ketone test")
  func reservedMeal() throws {
    #expect(try GlucoseMeasurementContext(bytes("02 01 00 07")).meal == nil)
    #expect(try GlucoseMeasurementContext(bytes("02 01 00 07")).mealCode == 7)
    #expect(try GlucoseMeasurementContext(bytes("02 04 00 06")).marksKetone)
  }
}
