// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

extension MeterProcedure {
  /// Feeds events one after the other; returns the step before each event, and the step after the last.
  mutating func play(_ events: [MeterEvent]) -> [MeterStep] {
    events.map { event in
      defer { feed(event) }
      return next()
    } + [next()]
  }
}

/// A glucose meter's side of the conversation, as arrays.
enum GlucoseScript {
  static let identity = MeterIdentity(address: "AA:BB:CC:DD:EE:FF", name: "Test meter")
  static let characteristics: Set<MeterCharacteristic> = [.glucoseMeasurement, .glucoseContext, .recordAccess]

  static func procedure(
    name: String = "Test meter", characteristics: Set<MeterCharacteristic> = characteristics,
    bookmark: MeterBookmark? = nil
  ) -> GlucoseProcedure {
    let identity = MeterIdentity(address: "AA:BB:CC:DD:EE:FF", name: name)
    return GlucoseProcedure(
      MeterDescription(identity: identity, services: [.glucose]), characteristics: characteristics, bookmark: bookmark)
  }

  /// The three subscriptions and the write of the first request are accepted.
  static let start: [MeterEvent] = [.accepted, .accepted, .accepted, .accepted]

  static func packet(_ number: Int, milligrams: Int = 100, hasContext: Bool = false, day: Int = 1) -> [UInt8] {
    let time: [UInt8] = [
      0xEA, 0x07, 0x01, UInt8(day), UInt8(number / 3_600 % 24), UInt8(number / 60 % 60), UInt8(number % 60),
    ]
    return [hasContext ? 0x12 : 0x02] + short(number) + time + short(milligrams | 0xB000) + [0x11]
  }

  static func record(_ number: Int, milligrams: Int = 100, hasContext: Bool = false, day: Int = 1) -> MeterEvent {
    .value(.glucoseMeasurement, packet(number, milligrams: milligrams, hasContext: hasContext, day: day))
  }

  static func context(_ number: Int, meal: UInt8 = 1) -> MeterEvent {
    .value(.glucoseContext, [2] + short(number) + [meal])
  }

  static func count(_ number: Int) -> MeterEvent { .value(.recordAccess, [5, 0] + short(number)) }

  static func end(_ code: UInt8 = 1, of opCode: UInt8 = 1) -> MeterEvent {
    .value(.recordAccess, [6, 0, opCode, code])
  }

  static func bookmark(_ number: Int, milligrams: Int = 100) -> MeterBookmark {
    MeterBookmark(sequenceNumber: number, packet: packet(number, milligrams: milligrams))
  }

  static func short(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)] }
}

extension [MeterRecord] {
  var numbers: [Int] { compactMap { $0.glucose?.sequenceNumber } }
}

extension CivilTime {
  /// A present that is after every record of the tests.
  static let late = CivilTime(Instant(secondsSince1970: 1_900_000_000))
}
