// SPDX-License-Identifier: Apache-2.0

/// Conditions during a glucose measurement: the sensor status annunciation of `2A18` (Bluetooth SIG, Glucose Service 1.0,
/// 3.1.1.8), least significant byte first. Bits 12 to 15 are reserved.
package struct GlucoseStatus: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let batteryLow = GlucoseStatus(rawValue: 1 << 0)
  package static let sensorMalfunction = GlucoseStatus(rawValue: 1 << 1)
  package static let sampleTooSmall = GlucoseStatus(rawValue: 1 << 2)
  package static let stripInsertedWrongly = GlucoseStatus(rawValue: 1 << 3)
  package static let wrongStrip = GlucoseStatus(rawValue: 1 << 4)
  /// The result is above what the meter can show.
  package static let aboveRange = GlucoseStatus(rawValue: 1 << 5)
  /// The result is below what the meter can show.
  package static let belowRange = GlucoseStatus(rawValue: 1 << 6)
  package static let tooHot = GlucoseStatus(rawValue: 1 << 7)
  package static let tooCold = GlucoseStatus(rawValue: 1 << 8)
  package static let stripPulledTooSoon = GlucoseStatus(rawValue: 1 << 9)
  package static let generalFault = GlucoseStatus(rawValue: 1 << 10)
  /// The meter's clock had a fault; the time of the record may be wrong.
  package static let timeFault = GlucoseStatus(rawValue: 1 << 11)

  /// The conditions under which the value must not be used.
  package static let spoilsValue: GlucoseStatus = [
    .sensorMalfunction, .sampleTooSmall, .stripInsertedWrongly, .wrongStrip, .tooHot, .tooCold, .stripPulledTooSoon,
    .generalFault,
  ]

  /// Stable names of the conditions, such as `strip_pulled_too_soon`, in the order of their bits.
  package var names: [String] { words.map { $0.replacing(" ", with: "_") } }

  /// The conditions in words, in the order of their bits.
  package var words: [String] { Self.texts.filter { contains($0.status) }.map(\.text) }

  /// A name is made of these words: letters and spaces only.
  private static let texts: [(status: GlucoseStatus, text: String)] = [
    (.batteryLow, "battery low"), (.sensorMalfunction, "sensor malfunction"), (.sampleTooSmall, "sample too small"),
    (.stripInsertedWrongly, "strip inserted wrongly"), (.wrongStrip, "wrong type of strip"),
    (.aboveRange, "above range"), (.belowRange, "below range"), (.tooHot, "too hot"),
    (.tooCold, "too cold"), (.stripPulledTooSoon, "strip pulled too soon"), (.generalFault, "general fault"),
    (.timeFault, "time may be wrong"),
  ]
}

/// The abilities of a glucose meter: the value of `2A51` (Bluetooth SIG, Glucose Service 1.0, 3.3).
package struct GlucoseFeatures: Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Decodes the value of `2A51`.
  ///
  /// - Throws: `tooShort` for fewer than two bytes.
  package init(_ bytes: [UInt8]) throws(PacketError) {
    var fields = PacketFields(bytes)
    rawValue = try fields.short()
  }

  /// The conditions that the meter can detect. A condition that it cannot detect is to be ignored in its records
  /// (Bluetooth SIG, Glucose Profile 1.0, 4.7).
  package var detected: GlucoseStatus {
    Self.statuses.enumerated().reduce(into: GlucoseStatus()) { detected, feature in
      if rawValue >> UInt16(feature.offset) & 1 == 1 { detected.formUnion(feature.element) }
    }
  }

  /// The conditions by feature bit, 0 to 9. Bit 10 says that the meter can be paired with several devices.
  private static let statuses: [GlucoseStatus] = [
    .batteryLow, .sensorMalfunction, .sampleTooSmall, .stripInsertedWrongly, .wrongStrip, [.aboveRange, .belowRange],
    [.tooHot, .tooCold], .stripPulledTooSoon, .generalFault, .timeFault,
  ]
}
