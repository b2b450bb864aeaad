// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Takes a packet apart from its beginning, least significant byte first. A field that is cut off is an error, surplus
/// bytes at the end are left alone: later versions of a specification may append fields.
struct PacketFields {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Number of bytes after the last field that was taken.
  var surplus: Int { bytes.count - position }

  mutating func byte() throws(PacketError) -> UInt8 {
    try need(1)
    defer { position += 1 }
    return bytes[position]
  }

  mutating func short() throws(PacketError) -> UInt16 {
    try need(2)
    defer { position += 2 }
    return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
  }

  mutating func long() throws(PacketError) -> UInt32 {
    try need(4)
    return UInt32(try short()) | UInt32(try short()) << 16
  }

  mutating func shortFloat() throws(PacketError) -> ShortFloat { ShortFloat(word: try short()) }

  /// The seven bytes of a date and a time of day: year, month, day, hour, minute, second.
  mutating func date() throws(PacketError) -> MeterDate {
    try need(7)
    return MeterDate(
      year: Int(try short()), month: Int(try byte()), day: Int(try byte()), hour: Int(try byte()),
      minute: Int(try byte()), second: Int(try byte()))
  }

  /// Passes over fields of these widths.
  mutating func skip(_ widths: Int...) throws(PacketError) {
    for width in widths {
      try need(width)
      position += width
    }
  }

  private func need(_ count: Int) throws(PacketError) {
    guard surplus >= count else { throw .tooShort(expected: position + count, got: bytes.count) }
  }
}

extension FixedWidthInteger {
  /// The bytes as meters send a number: the least significant one first.
  var littleEndianBytes: [UInt8] { (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}

/// Reason why a packet of a meter cannot be decoded.
package enum PacketError: Error, Hashable, Sendable {
  case tooShort(expected: Int, got: Int)
  /// A date that the calendar does not have, or a time of day that the clock does not have.
  case invalidDate(MeterDate)
  /// The frame of a OneTouch meter does not begin, end or measure as it should.
  case malformedFrame
  case wrongChecksum(stored: UInt16, computed: UInt16)
  /// An answer to a request that was not made, or of an unknown kind.
  case unexpectedAnswer([UInt8])

  /// Lower case, without a full stop.
  package var message: String {
    switch self {
    case .tooShort(let expected, let got): "the packet is too short: expected at least \(expected) bytes, got \(got)"
    case .invalidDate(let date):
      "the packet has an invalid date: year \(date.year), month \(date.month), day \(date.day), \(date.hour):\(date.minute):\(date.second)"
    case .malformedFrame: "the packet does not have the form of a OneTouch frame"
    case .wrongChecksum(let stored, let computed):
      "wrong checksum: stored \(HexText.string(of: stored)), computed \(HexText.string(of: computed))"
    case .unexpectedAnswer(let bytes): "unexpected answer \(HexText.string(of: bytes.prefix(4), separator: " "))"
    }
  }
}

/// SFLOAT: a decimal number in 16 bits, or one of five special values (IEEE 11073-20601; Bluetooth SIG, Personal Health
/// Devices Transcoding White Paper, 2.2.2).
///
/// The lower 12 bits are the mantissa, the upper 4 the exponent, both in two's complement. A special value is a **whole
/// word**: `07FF` is not a number, but `17FF` is 20470.
package struct ShortFloat: Hashable, Sendable {
  let word: UInt16

  package enum Special: UInt16, Hashable, Sendable, CaseIterable {
    case notANumber = 0x07FF
    case notAtThisResolution = 0x0800
    case positiveInfinity = 0x07FE
    case negativeInfinity = 0x0802
    case reserved = 0x0801
  }

  /// nil for a number.
  package var special: Special? { Special(rawValue: word) }

  /// nil for a special value.
  package var number: DecimalNumber? {
    guard special == nil else { return nil }
    let mantissa = Int(Int16(bitPattern: word << 4) >> 4)
    let exponent = Int(Int16(bitPattern: word) >> 12)
    return DecimalNumber(mantissa: mantissa, exponent: exponent)
  }
}

/// A decimal number as a meter sends it: an integer times a power of ten. It stays exact until its unit is known.
package struct DecimalNumber: Hashable, Sendable, CustomStringConvertible {
  /// −2048…2047 in packets.
  package let mantissa: Int
  /// −8…7 in packets.
  package let exponent: Int

  /// The same digits times ten to the power of `places`, without rounding: `59·10⁻⁴` by 3 places is 5.9.
  package func shifted(by places: Int) -> DecimalNumber {
    DecimalNumber(mantissa: mantissa, exponent: exponent + places)
  }

  /// The nearest `Double`. One multiplication or division by an exact power of ten, so that 5.9 is the literal 5.9.
  /// Powers up to 22 are exact in a `Double`.
  package var value: Double {
    let power = (0..<abs(places)).reduce(1.0) { power, _ in power * 10 }
    return places < 0 ? Double(mantissa) / power : Double(mantissa) * power
  }

  /// All digits as sent, without an exponent: `5.9`, `-0.1`, `20470`, `120.0`.
  package var description: String {
    let sign = mantissa < 0 ? "-" : ""
    let digits = String(mantissa.magnitude)
    if places >= 0 { return sign + digits + (mantissa == 0 ? "" : String(repeating: "0", count: places)) }
    let padded = String(repeating: "0", count: max(0, 1 - places - digits.count)) + digits
    return "\(sign)\(padded.dropLast(-places)).\(padded.suffix(-places))"
  }

  /// Exponents far outside those of a packet do not occur; they must not build endless text either.
  private var places: Int { min(max(exponent, -30), 30) }
}

/// A date and a time of day as a meter sends it (`2A08`, Date Time): possibly unknown, possibly invalid.
package struct MeterDate: Hashable, Sendable {
  /// 1582…9999; of these three, 0 if unknown.
  let year: Int
  var month: Int
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int

  /// nil if a part of the date is unknown, or the calendar or the clock does not have it.
  var civil: CivilTime? {
    guard year > 0 else { return nil }
    return CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }
}
