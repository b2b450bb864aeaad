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
    let digits = (HexText.string(of: high) + HexText.string(of: low)).lowercased()
    var text = ""
    for (position, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(position) { text += "-" }
      text.append(digit)
    }
    return text
  }
}
