// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Reason why a packet of a meter cannot be decoded.
package enum PacketError: Error, Hashable, Sendable {
  /// The flags announce more bytes than there are, or the fields that are always there are cut off.
  case tooShort(expected: Int, got: Int)
  /// A date that the calendar does not have, or a time of day that the clock does not have, as sent.
  case invalidDate(MeterDate)
  /// The frame of a OneTouch meter does not begin, end or measure as it should.
  case malformedFrame
  /// The checksum of a OneTouch frame is wrong.
  case wrongChecksum(stored: UInt16, computed: UInt16)
  /// An answer to a request that was not made, or of an unknown kind, with its first bytes.
  case unexpectedAnswer([UInt8])

  /// The reason in words, lower case, without a full stop.
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
