// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Takes a packet apart from its beginning, least significant byte first. A field that is cut off is an error, surplus
/// bytes at the end are left alone: later versions of a specification may append fields.
struct PacketFields {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Number of bytes behind the last field that was taken.
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
    try need(MeterDate.byteCount)
    return MeterDate(
      year: Int(try short()), month: Int(try byte()), day: Int(try byte()), hour: Int(try byte()),
      minute: Int(try byte()), second: Int(try byte()))
  }

  private func need(_ count: Int) throws(PacketError) {
    guard surplus >= count else { throw .tooShort(expected: position + count, got: bytes.count) }
  }
}
