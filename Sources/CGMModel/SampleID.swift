// SPDX-License-Identifier: Apache-2.0

/// The 128 bits of a UUID, made by LibreKit, which has SHA-1.
public struct SampleID: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The UUID made of the first 16 bytes.
  ///
  /// If a version is given, its bits and those of RFC 9562's variant replace the bits at their place.
  package init(bytes: some Collection<UInt8>, version: UInt64? = nil) {
    let high = BigEndian.number(of: bytes.prefix(8))
    let low = BigEndian.number(of: bytes.dropFirst(8).prefix(8))
    self.high = version.map { high & 0xFFFF_FFFF_FFFF_0FFF | $0 << 12 } ?? high
    self.low = version == nil ? low : low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }

  /// Reads RFC 9562 text; nil for anything else.
  public init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map({ $0.utf8.count }) == [8, 4, 4, 4, 12], let bytes = HexText.bytes(of: parts.joined()),
      bytes.count == 16
    else { return nil }
    self.init(bytes: bytes)
  }

  package var bytes: [UInt8] { BigEndian.bytes(of: high) + BigEndian.bytes(of: low) }
}

extension SampleID: CustomStringConvertible {
  /// RFC 9562 text, lower case: `d1f5603b-c12a-549e-be27-e59866f73323`.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
