// SPDX-License-Identifier: Apache-2.0

/// A fault of one exchange, of a reader that is made to fail.
package enum ExchangeFault: Hashable, Sendable {
  case silence
  case refusal(TagError)
  /// All bits of one byte of the answer are inverted, byte 0 being the response flags.
  case inversion(byte: Int)
  case short(bytes: Int)
  case long(bytes: Int)
  /// The tag is taken away, and returns at the next wait, or never.
  case removal(returns: Bool)

  /// Returns the faulty form of a valid answer; nil if nothing arrives.
  package func corrupted(_ answer: [UInt8]) -> [UInt8]? {
    switch self {
    case .silence, .removal: return nil
    case .refusal(let error): return error.answer
    case .inversion(let byte):
      var answer = answer
      if answer.indices.contains(byte) { answer[byte] = ~answer[byte] }
      return answer
    case .short(let bytes): return answer.dropLast(bytes)
    case .long(let bytes): return answer + [UInt8](repeating: 0x5A, count: bytes)
    }
  }
}
