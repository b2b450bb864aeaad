// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// One measurement of a cuff as sent: the value of `2A35` (Bluetooth SIG, Blood Pressure Service 1.0, 3.1).
///
/// Any bytes give a value or an error. Reserved flags and surplus bytes are tolerated.
package struct BloodPressureMeasurement: Hashable, Sendable {
  package let unit: BloodPressure.Unit
  package let systolic: ShortFloat
  package let diastolic: ShortFloat
  /// Mean arterial pressure; NaN or 0 if the cuff does not measure it.
  package let mean: ShortFloat
  /// Time by the cuff's clock; its date may be unknown. nil if it was not sent.
  package let date: MeterDate?
  /// Pulse per minute.
  package let pulse: ShortFloat?
  /// Number of the user, from 0; nil if not sent or unknown (255).
  package let user: UInt8?
  package let status: BloodPressureStatus?
  /// True for the layout of some Beurer cuffs: pulse and status most significant byte first, the user always there.
  package let isBeurerLayout: Bool

  package init(_ bytes: [UInt8]) throws(PacketError) {
    var fields = PacketFields(bytes)
    let flags = try fields.byte()
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    unit = has(0x01) ? .kilopascals : .millimetresOfMercury
    systolic = try fields.shortFloat()
    diastolic = try fields.shortFloat()
    mean = try fields.shortFloat()
    date = has(0x02) ? try fields.date() : nil
    var behindDate = fields
    let pulse = has(0x04) ? try fields.shortFloat() : nil
    let user = has(0x08) ? try fields.byte() : nil
    let status = has(0x10) ? try fields.short() : nil
    isBeurerLayout = Self.isBeurer(flags, surplus: fields.surplus, pulse: pulse)
    if isBeurerLayout {
      self.pulse = ShortFloat(word: try behindDate.short().byteSwapped)
      self.user = Self.known(try behindDate.byte())
      self.status = BloodPressureStatus(rawValue: try behindDate.short().byteSwapped)
    } else {
      self.pulse = pulse
      self.user = Self.known(user)
      self.status = status.map(BloodPressureStatus.init)
    }
  }

  private static func known(_ user: UInt8?) -> UInt8? { user == 255 ? nil : user }

  /// The layout of Beurer's BM85 and its relatives (captures in public scripts, derdilla/blood-pressure-monitor-fl): date,
  /// pulse and status announced, no user, and yet one byte more than that. A pulse that a person can have, read by the
  /// specification, speaks against it.
  private static func isBeurer(_ flags: UInt8, surplus: Int, pulse: ShortFloat?) -> Bool {
    guard flags & 0x1E == 0x16, surplus == 1, let pulse else { return false }
    return !BloodPressureVerdict.isPossiblePulse(pulse)
      && BloodPressureVerdict.isPossiblePulse(ShortFloat(word: pulse.word.byteSwapped))
  }
}

/// Conditions during a measurement (Bluetooth SIG, Blood Pressure Service 1.0, 3.1.1.6). Real cuffs set reserved bits, too.
package struct BloodPressureStatus: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  static let irregularPulse = BloodPressureStatus(rawValue: 1 << 2)
  /// Two bits that are one number: the pulse is above (1) or below (2) the range that the cuff can count; 3 is reserved.
  private static let pulseRange = BloodPressureStatus(rawValue: 3 << 3)

  /// Stable names of the conditions, such as `irregular_pulse`, in the order of their bits.
  package var names: [String] { words.map { $0.replacing(" ", with: "_") } }

  /// The conditions in words, in the order of their bits.
  package var words: [String] {
    (contains(Self.pulseRange) ? subtracting(Self.pulseRange) : self).texts(byBit: Self.texts)
  }

  /// A name is made of these words: letters and spaces only.
  private static let texts = [
    "body moved", "cuff loose", "irregular pulse", "pulse above range", "pulse below range", "wrong position",
  ]
}

/// A measurement of a cuff. Whether its pressures can be used is decided by `BloodPressureVerdict`.
///
/// A cuff does not number its measurements: meter, time, pressures, pulse and user are the identity.
package struct BloodPressureRecord: Hashable, Sendable {
  package let measurement: BloodPressureMeasurement
  /// The measurement as sent: the value of `2A35`.
  package let packet: [UInt8]

  package init(_ packet: [UInt8]) throws(PacketError) {
    measurement = try BloodPressureMeasurement(packet)
    self.packet = packet
  }

  /// The time that the cuff's display showed, to be read in the user's zone; nil if the cuff did not send a whole date.
  package var wallTime: CivilTime? { measurement.date?.civil }
}
