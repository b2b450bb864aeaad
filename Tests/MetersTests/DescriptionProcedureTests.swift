// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

@Suite("The description of a meter")
struct DescriptionProcedureTests {
  private static func procedure(
    name: String? = "Test meter", _ characteristics: Set<MeterCharacteristic>
  ) -> DescriptionProcedure {
    DescriptionProcedure(MeterIdentity(address: "AA:BB:CC:DD:EE:FF", name: name), characteristics: characteristics)
  }

  private static func serial(_ bytes: [UInt8], name: String? = nil, maker: String? = nil) -> String? {
    var procedure = procedure(name: name, [.glucoseMeasurement, .maker, .serialNumber])
    procedure.feed(maker.map { .value(.maker, Array($0.utf8)) } ?? .refused(.absent))
    procedure.feed(.value(.serialNumber, bytes))
    return procedure.description.serialNumber
  }

  @Test("reads what is there, in this order, within 10 s each")
  func order() {
    var procedure = Self.procedure([
      .currentTime, .glucoseFeature, .glucoseMeasurement, .maker, .battery, .recordAccess,
    ])
    let steps = procedure.play([
      .value(.maker, Array("Ascensia\0\0".utf8)), .value(.battery, [55]), .value(.glucoseFeature, [0xFF, 0x03]),
      .value(.currentTime, [0xEA, 0x07, 0x01, 0x14, 0x08, 0x00, 0x00, 0x02, 0x00, 0x00]),
    ])
    #expect(
      steps == [.maker, .battery, .glucoseFeature, .currentTime].map { .perform(.read($0), within: .seconds(10)) } + [
        .finished
      ])
    let meter = procedure.description
    #expect(meter.services == [.glucose])
    #expect(meter.maker == "Ascensia")
    #expect(meter.batteryPercent == 55)
    #expect(meter.features?.rawValue == 0x03FF)
    #expect(meter.clock == CivilTime(year: 2026, month: 1, day: 20, hour: 8))
  }

  @Test("takes the clock of Roche meters from the glucose service")
  func rocheClock() {
    var procedure = Self.procedure([.glucoseMeasurement, .dateTime, .currentTime])
    let steps = procedure.play([.value(.dateTime, [0xEA, 0x07, 0x01, 0x14, 0x08, 0x00, 0x00])])
    #expect(steps == [.perform(.read(.dateTime), within: .seconds(10)), .finished])
    #expect(procedure.description.clock == CivilTime(year: 2026, month: 1, day: 20, hour: 8))
  }

  @Test("does without values that are refused or invalid")
  func refused() {
    var procedure = Self.procedure([.glucoseMeasurement, .maker, .battery, .glucoseFeature, .currentTime])
    _ = procedure.play([
      .refused(.notPaired), .value(.battery, [200]), .value(.glucoseFeature, [1]),
      .value(.currentTime, [0, 0, 0, 0, 0, 0, 0]),
    ])
    #expect(procedure.next() == .finished)
    let meter = procedure.description
    #expect(meter.maker == nil && meter.batteryPercent == nil && meter.features == nil && meter.clock == nil)
  }

  @Test("passes over a record that comes meanwhile")
  func unasked() {
    var procedure = Self.procedure([.glucoseMeasurement, .maker])
    let steps = procedure.play([.value(.glucoseMeasurement, [1]), .value(.maker, Array("Roche".utf8))])
    #expect(steps[0] == steps[1])
    #expect(procedure.description.maker == "Roche")
  }

  @Test(
    "fails if the link does",
    arguments: [
      (.quiet, .silent(meter: "Test meter", received: 0)),
      (.disconnected, .disconnected(meter: "Test meter", received: 0)),
      (.cancelled, .cancelled(meter: "Test meter", received: 0)),
    ] as [(MeterEvent, MeterError)])
  func failures(event: MeterEvent, error: MeterError) {
    var procedure = Self.procedure([.glucoseMeasurement, .maker])
    #expect(procedure.play([event, .accepted]).last == .failed(error))
  }

  @Test("keeps a serial number, and drops a placeholder that many meters would share")
  func serialNumbers() {
    #expect(Self.serial(Array(" 12345678 \0".utf8)) == "12345678")
    #expect(Self.serial(Array("00000000".utf8)) == nil)
    #expect(Self.serial(Array("Serial Number".utf8)) == nil)
    #expect(Self.serial(Array("12\u{1B}[31m34".utf8)) == nil)
    #expect(Self.serial([0, 1, 2]) == nil)
    #expect(Self.serial(Array("4283713192500000".utf8), name: "TNG VOICE") == nil)
    #expect(Self.serial([UInt8](repeating: 0x31, count: 300) + [0x32]) == nil)
  }

  @Test("takes a Roche meter's serial number from its name, if it does not state one")
  func serialInName() {
    #expect(Self.serial([], name: "meter+01234567", maker: "Roche") == "01234567")
    #expect(Self.serial(Array("0987".utf8), name: "meter+01234567", maker: "Roche") == "0987")
    #expect(Self.serial([], name: "meter+", maker: "Roche") == nil)
  }

  @Test("is read for each kind of meter, and not at all for another device")
  func kinds() {
    #expect(Self.procedure([.bloodPressureMeasurement]).description.services == [.bloodPressure])
    #expect(Self.procedure([.oneTouchAnswer, .oneTouchCommand]).description.services == [.oneTouch])
    #expect(
      Self.procedure([.glucoseMeasurement, .bloodPressureMeasurement]).description.services == [
        .glucose, .bloodPressure,
      ])
    #expect(Self.procedure([.maker, .battery]).next() == .finished)
    #expect(Self.procedure(name: nil, [.maker]).description.displayName == "AA:BB:CC:DD:EE:FF")
  }
}
