// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A notification of a OneTouch meter: a confirmation, or the answer to a command.
///
/// Sources: NightscoutFoundation/xDrip, tidepool-org/uploader. Untested on hardware.
package enum OneTouchAnswer: Hashable, Sendable {
  /// The meter received the command; its answer follows.
  case acknowledgement
  /// The content of a successful answer, behind its first byte 06.
  case content([UInt8])
  /// The meter refuses the command.
  case refused(Refusal)

  package enum Refusal: Hashable, Sendable {
    /// 07: the meter does not allow it, usually because the pairing is incomplete.
    case notAllowed
    /// 08
    case notSupported
    /// 09
    case notUnderstood
    case unknown(UInt8)
  }

  /// Decodes a notification. The confirmation comes bare or in a frame; both occur.
  ///
  /// - Throws: `tooShort`, `malformedFrame`, `wrongChecksum`.
  package init(_ bytes: [UInt8]) throws(PacketError) {
    if bytes == [OneTouchFrame.acknowledgement] {
      self = .acknowledgement
      return
    }
    let payload = try OneTouchFrame.payload(of: bytes)
    guard let kind = payload.first else { throw .malformedFrame }
    self =
      switch kind {
      case 0x06: .content(Array(payload.dropFirst()))
      case 0x07: .refused(.notAllowed)
      case 0x08: .refused(.notSupported)
      case 0x09: .refused(.notUnderstood)
      case OneTouchFrame.acknowledgement: .acknowledgement
      default: .refused(.unknown(kind))
      }
  }
}

/// A record of a OneTouch meter: 11 bytes.
package struct OneTouchRecord: Hashable, Sendable {
  /// Wall time by the meter.
  package let time: CivilTime
  /// Concentration in mg/dL, on meters that show mmol/L too.
  package let milligramsPerDecilitre: UInt16
  /// Byte 6: 0 for blood; else control solution or an error, which the sources do not tell apart.
  package let flag: UInt8

  /// Bytes of a record.
  static let byteCount = 11
  /// The meter counts seconds of its wall time; its zero is this many seconds after 1970-01-01 00:00:00 by the same clock.
  static let epoch: Int64 = 946_684_799

  /// Decodes the content of an answer to `OneTouchRequest.record`.
  ///
  /// - Throws: `tooShort` for fewer than 11 bytes.
  package init(_ content: [UInt8]) throws(PacketError) {
    guard content.count >= Self.byteCount else { throw .tooShort(expected: Self.byteCount, got: content.count) }
    var fields = PacketFields(content)
    time = Self.time(try fields.long())
    milligramsPerDecilitre = try fields.short()
    flag = try fields.byte()
  }

  /// The wall time that a meter's number of seconds stands for.
  static func time(_ seconds: UInt32) -> CivilTime {
    CivilTime(Instant(secondsSince1970: Int64(seconds) + epoch))
  }
}
