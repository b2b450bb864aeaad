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
    #expect(meter.services == [.glucose] && meter.maker == "Ascensia" && meter.batteryPercent == 55)
    #expect(meter.features?.rawValue == 0x03FF && meter.clock == CivilTime(year: 2026, month: 1, day: 20, hour: 8))
  }

  @Test("does without values that are refused or invalid, and passes over a record that comes meanwhile")
  func refused() {
    var procedure = Self.procedure([.glucoseMeasurement, .maker, .battery, .glucoseFeature, .currentTime])
    let steps = procedure.play([
      .value(.glucoseMeasurement, [1]), .refused(.notPaired), .value(.battery, [200]), .value(.glucoseFeature, [1]),
      .value(.currentTime, [0, 0, 0, 0, 0, 0, 0]),
    ])
    #expect(steps[0] == steps[1] && procedure.next() == .finished)
    let meter = procedure.description
    #expect(meter.maker == nil && meter.batteryPercent == nil && meter.features == nil && meter.clock == nil)
    // The clock of Roche meters is in the glucose service.
    var roche = Self.procedure([.glucoseMeasurement, .dateTime, .currentTime])
    #expect(
      roche.play([.value(.dateTime, [0xEA, 0x07, 0x01, 0x14, 0x08, 0x00, 0x00])])
        == [.perform(.read(.dateTime), within: .seconds(10)), .finished])
    #expect(roche.description.clock == CivilTime(year: 2026, month: 1, day: 20, hour: 8))
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

  @Test(
    "keeps a serial number or that in the name of a Roche meter, and drops a placeholder that many meters would share")
  func serialNumbers() {
    for (text, name, number) in [
      (" 12345678 \0", nil, "12345678"), ("00000000", nil, nil), ("Serial Number", nil, nil),
      ("12\u{1B}[31m34", nil, nil), ("\u{0}\u{1}\u{2}", nil, nil), ("4283713192500000", "TNG VOICE", nil),
      (String(repeating: "1", count: 300) + "2", nil, nil),
    ] as [(String, String?, String?)] {
      #expect(Self.serial(Array(text.utf8), name: name) == number, "\(text)")
    }
    for (text, name, number) in [
      ("", "meter+01234567", "01234567"), ("0987", "meter+01234567", "0987"), ("", "meter+", nil),
    ] {
      #expect(Self.serial(Array(text.utf8), name: name, maker: "Roche") == number)
    }
  }

  @Test("is read for each kind of meter, and not at all for another device")
  func kinds() {
    for (characteristics, services) in [
      ([.bloodPressureMeasurement], [.bloodPressure]), ([.oneTouchAnswer, .oneTouchCommand], [.oneTouch]),
      ([.glucoseMeasurement, .bloodPressureMeasurement], [.glucose, .bloodPressure]),
    ] as [(Set<MeterCharacteristic>, Set<MeterService>)] {
      #expect(Set(Self.procedure(characteristics).description.services) == services)
    }
    #expect(Self.procedure([.maker, .battery]).next() == .finished)
    #expect(Self.procedure(name: nil, [.maker]).description.displayName == "AA:BB:CC:DD:EE:FF")
  }
}
