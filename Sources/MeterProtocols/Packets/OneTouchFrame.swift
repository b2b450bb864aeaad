// SPDX-License-Identifier: Apache-2.0

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
    let checksum = checksum(of: body)
    return [header[0]] + body + [UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8)]
  }

  /// The payload of a frame.
  ///
  /// - Throws: `tooShort`, `malformedFrame`, `wrongChecksum`.
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
