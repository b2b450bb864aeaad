// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The frame around every command and answer of a OneTouch meter:
///
/// | byte | content |
/// |---|---|
/// | 0 | 01: one link packet, because no frame here is longer than 20 bytes |
/// | 1 | 02 |
/// | 2 | number of bytes from byte 1 to the end: those of the payload plus 7 |
/// | 3, 4 | 00 03 |
/// | 5 … | payload |
/// | then | 03, and the checksum of bytes 1 to here, least significant byte first |
///
/// The checksum is CRC-16/CCITT-FALSE (polynomial 1021, initial value FFFF, not reflected). Sources: NightscoutFoundation/xDrip,
/// tidepool-org/uploader.
package enum OneTouchFrame {
  /// The single byte by which each side confirms a frame.
  static let acknowledgement: UInt8 = 0x81

  private static let header: [UInt8] = [0x01, 0x02]
  private static let separator: [UInt8] = [0x00, 0x03]
  private static let end: UInt8 = 0x03
  /// Number of bytes that the length counts besides the payload.
  private static let overhead = 7
  /// A notification carries 20 bytes, so that is the longest frame.
  private static let longestPayload = 12

  static func bytes(carrying payload: [UInt8]) -> [UInt8] {
    let payload = payload.prefix(longestPayload)
    let body = [header[1], UInt8(payload.count + overhead)] + separator + payload + [end]
    return [header[0]] + body + checksum(of: body).littleEndianBytes
  }

  package static func payload(of frame: [UInt8]) throws(PacketError) -> [UInt8] {
    let shortest = header.count - 1 + overhead
    guard frame.count >= shortest else { throw .tooShort(expected: shortest, got: frame.count) }
    let count = Int(frame[2]) - overhead
    guard Array(frame[..<2]) == header, Array(frame[3..<5]) == separator, count >= 0 else { throw .malformedFrame }
    guard frame.count >= count + shortest else { throw .tooShort(expected: count + shortest, got: frame.count) }
    let payload = frame[5..<5 + count]
    guard frame.count == count + shortest, frame[payload.endIndex] == end else { throw .malformedFrame }
    let stored = UInt16(frame[payload.endIndex + 1]) | UInt16(frame[payload.endIndex + 2]) << 8
    let computed = checksum(of: frame[1...payload.endIndex])
    guard stored == computed else { throw .wrongChecksum(stored: stored, computed: computed) }
    return Array(payload)
  }

  static func checksum(of bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.reduce(0xFFFF) { checksum, byte in
      (0..<8).reduce(checksum ^ UInt16(byte) << 8) { value, _ in
        value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021
      }
    }
  }
}

/// The commands that are written to a OneTouch meter. Setting its clock cannot be expressed.
///
/// Sources: NightscoutFoundation/xDrip (`VerioHelper`), tidepool-org/uploader (`oneTouchVerioBLE`); two independent programs that
/// agree. Untested on hardware.
package enum OneTouchRequest: Hashable, Sendable {
  case time
  case newestNumber
  case recordCount
  case record(UInt16)
  /// Confirms an answer, which the meter waits for.
  case acknowledgement

  /// The bytes that are written, at most 11.
  package var bytes: [UInt8] {
    switch self {
    case .time: OneTouchFrame.bytes(carrying: [0x20, 0x02])
    case .newestNumber: OneTouchFrame.bytes(carrying: [0x0A, 0x02, 0x06])
    case .recordCount: OneTouchFrame.bytes(carrying: [0x27, 0x00])
    case .record(let number): OneTouchFrame.bytes(carrying: [0xB3] + number.littleEndianBytes)
    case .acknowledgement: [OneTouchFrame.acknowledgement]
    }
  }
}

/// A notification of a OneTouch meter: a confirmation, or the answer to a command. Sources as for `OneTouchRequest`.
package enum OneTouchAnswer: Hashable, Sendable {
  /// The meter received the command; its answer follows.
  case acknowledgement
  /// The content of a successful answer, behind its first byte 06.
  case content([UInt8])
  case refused(Refusal)

  package enum Refusal: Hashable, Sendable {
    /// 07: the meter does not allow it, usually because the pairing is incomplete.
    case notAllowed
    /// 08
    case notSupported
    /// 09
    case notUnderstood
    case unknown(UInt8)

    var text: String {
      switch self {
      case .notAllowed: "not allowed"
      case .notSupported: "not supported"
      case .notUnderstood: "not understood"
      case .unknown(let code): "unknown answer 0x" + HexText.string(of: code)
      }
    }
  }

  /// Decodes a notification. The confirmation comes bare or in a frame; both occur.
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
  /// Wall time.
  package let time: CivilTime
  /// The concentration, on meters that show mmol/L too.
  package let milligramsPerDecilitre: UInt16
  /// Byte 6: 0 for blood; else control solution or an error, which the sources do not tell apart.
  package let flag: UInt8

  static let byteCount = 11
  /// The meter counts seconds of its wall time; its zero is this many seconds after 1970-01-01 00:00:00 by the same clock.
  static let epoch: Int64 = 946_684_799

  package init(_ content: [UInt8]) throws(PacketError) {
    guard content.count >= Self.byteCount else { throw .tooShort(expected: Self.byteCount, got: content.count) }
    var fields = PacketFields(content)
    time = Self.time(try fields.long())
    milligramsPerDecilitre = try fields.short()
    flag = try fields.byte()
  }

  static func time(_ seconds: UInt32) -> CivilTime {
    CivilTime(Instant(secondsSince1970: Int64(seconds) + epoch))
  }
}
