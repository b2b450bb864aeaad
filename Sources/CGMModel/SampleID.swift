// SPDX-License-Identifier: Apache-2.0

/// The 128 bits of a UUID. Made where SHA-1 is at hand (LibreKit); carried everywhere.
public struct SampleID: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

extension SampleID: CustomStringConvertible {
  /// RFC 9562 text, lower case: `d1f5603b-c12a-549e-be27-e59866f73323`.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in (BigEndian.bytes(of: high) + BigEndian.bytes(of: low)).enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
