// SPDX-License-Identifier: Apache-2.0

/// What can go wrong with one exchange, for readers that are made to fail.
public enum ExchangeFault: Hashable, Sendable {
  /// The tag does not answer.
  case silence
  case refusal(TagError)
  /// All bits of one byte of the answer arrive inverted, byte 0 being the response flags; nothing if it is not there.
  case inversion(byte: Int)
  /// The answer lacks this many bytes at its end.
  case short(bytes: Int)
  /// The answer has this many bytes too many.
  case long(bytes: Int)
  /// The tag is taken away, and is back when it is next waited for, or never.
  case removal(returns: Bool)

  /// What arrives of a sound answer; nil if nothing does.
  public func spoilt(_ answer: [UInt8]) -> [UInt8]? {
    switch self {
    case .silence, .removal: return nil
    case .refusal(let error): return [0x01, error.code]
    case .inversion(let byte):
      var answer = answer
      if answer.indices.contains(byte) { answer[byte] = ~answer[byte] }
      return answer
    case .short(let bytes): return answer.dropLast(bytes)
    case .long(let bytes): return answer + [UInt8](repeating: 0x5A, count: bytes)
    }
  }
}
