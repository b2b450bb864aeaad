// SPDX-License-Identifier: Apache-2.0

/// Checksum at the end of every frame on air, in both directions, for a reader that leaves it to the host.
///
/// CRC-16 of ISO 13239: polynomial 1021 reflected, initial value FFFF, result inverted, sent low byte first. `123456789`
/// gives 906E (read: ISO 15693-3; verified on frames of Abbott's reader and of the PN532Killer's maker).
enum FrameChecksum {
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var register: UInt16 = 0xFFFF
    for byte in bytes {
      register ^= UInt16(byte)
      for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0x8408 : register >> 1 }
    }
    return ~register
  }

  /// Returns the frame with its checksum appended.
  static func sealed(_ frame: [UInt8]) -> [UInt8] {
    let checksum = checksum(frame)
    return frame + [UInt8(checksum & 0xFF), UInt8(checksum >> 8)]
  }

  /// Returns the frame without its checksum; nil if the checksum is wrong, or the frame is empty.
  static func opened(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    let frame = Array(bytes.dropLast(2))
    return frame.isEmpty || !sealed(frame).elementsEqual(bytes) ? nil : frame
  }
}
