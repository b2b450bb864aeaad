// SPDX-License-Identifier: Apache-2.0

extension SinkOptions {
  /// Returns an option; nil if it is not set or empty.
  func optional(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns an option.
  ///
  /// - Throws: `missing`.
  func required(_ key: String) throws(SinkOptionError) -> String {
    guard let value = optional(key) else { throw .missing(key: key) }
    return value
  }

  /// Returns the secret.
  ///
  /// - Throws: `secretMissing`.
  func requiredSecret() throws(SinkOptionError) -> Secret {
    guard let secret, !secret.revealed().isEmpty else { throw .secretMissing }
    return secret
  }

  /// Returns one of the choices.
  ///
  /// - Throws: `missing`, and `bad` for any other value.
  func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _ type: Choice.Type)
    throws(SinkOptionError) -> Choice where Choice.RawValue == String
  {
    let value = try required(key)
    guard let choice = Choice(rawValue: value) else {
      throw .bad(key: key, value: value, allowed: Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  /// Returns a decimal number.
  ///
  /// - Throws: `missing`, and `bad` for anything else.
  func number(_ key: String, in range: ClosedRange<Int>) throws(SinkOptionError) -> Int {
    let value = try required(key)
    guard let number = Int(value), range.contains(number), value.utf8.first != UInt8(ascii: "+") else {
      throw .bad(key: key, value: value, allowed: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
