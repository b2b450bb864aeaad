// SPDX-License-Identifier: Apache-2.0

/// A property that should hold for any input, but does not for this one.
struct OracleFailure: Error, CustomStringConvertible {
  let description: String
}

/// Throws `OracleFailure` unless `holds`.
func require(_ holds: Bool, _ rule: @autoclosure () -> String) throws(OracleFailure) {
  if !holds { throw OracleFailure(description: rule()) }
}

/// The value; throws `OracleFailure` for nil.
func require<Value>(_ value: Value?, _ rule: @autoclosure () -> String) throws(OracleFailure) -> Value {
  guard let value else { throw OracleFailure(description: rule()) }
  return value
}
