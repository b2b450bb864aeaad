// SPDX-License-Identifier: Apache-2.0

/// A frame from a Proxmark3.
struct ProxmarkReply: Hashable, Sendable {
  let command: UInt16
  /// 0 for success, else one of the firmware's negative numbers.
  let status: Int8
  /// The content, at most 512 bytes.
  let data: [UInt8]
}

/// Finds the frames in the bytes that a Proxmark3 sends, which come in pieces and between other bytes.
///
/// Frames of the form before 2020, without the bit that marks the newer one, are passed over.
struct ProxmarkReplies {
  private var bytes: [UInt8] = []
  /// The place from which the next frame is looked for.
  private var start = 0

  private static let magic = Array("PM3b".utf8)
  private static let end = Array("b3".utf8)
  private static let longestData = 512
  /// Magic, length, status, reason and command in front, the end behind.
  private static let overhead = 12

  mutating func add(_ more: [UInt8]) {
    bytes.removeFirst(start)
    start = 0
    bytes += more
  }

  /// The next whole frame; nil if more bytes are needed.
  ///
  /// `isFinal`: no more bytes will come, so that a frame that is not whole hides none behind it.
  mutating func next(isFinal: Bool = false) -> ProxmarkReply? {
    while start < bytes.count {
      let rest = bytes[start...]
      guard rest.starts(with: Self.magic.prefix(rest.count)) else {
        start += 1
        continue
      }
      guard rest.count >= Self.overhead else {
        if !isFinal { return nil }
        start += 1
        continue
      }
      let length = Int(number(at: 4) & 0x7FFF)
      guard length <= Self.longestData else {
        start += 1
        continue
      }
      guard rest.count >= length + Self.overhead else {
        if !isFinal { return nil }
        start += 1
        continue
      }
      guard rest[(start + length + 10)...].starts(with: Self.end) else {
        start += 1
        continue
      }
      let isNew = bytes[start + 5] & 0x80 != 0
      let reply = ProxmarkReply(
        command: number(at: 8), status: Int8(bitPattern: bytes[start + 6]),
        data: Array(bytes[start + 10..<start + 10 + length]))
      start += length + Self.overhead
      if isNew { return reply }
    }
    return nil
  }

  /// Sixteen bits, low byte first.
  private func number(at offset: Int) -> UInt16 {
    UInt16(bytes[start + offset]) | UInt16(bytes[start + offset + 1]) << 8
  }
}
