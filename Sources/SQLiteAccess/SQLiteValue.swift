// SPDX-License-Identifier: Apache-2.0

/// A value as it is stored, whatever type its column declares.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLiteValue {
  package static func integer(_ value: Int?) -> SQLiteValue { value.map { .integer(Int64($0)) } ?? .null }
  package static func real(orNull value: Double?) -> SQLiteValue { value.map(SQLiteValue.real) ?? .null }
  package static func text(orNull value: String?) -> SQLiteValue { value.map(SQLiteValue.text) ?? .null }
  package static func blob(orNull value: [UInt8]?) -> SQLiteValue { value.map(SQLiteValue.blob) ?? .null }

  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var text: String? { if case .text(let value) = self { value } else { nil } }
  package var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
  package var real: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    case .null, .text, .blob: nil
    }
  }
}
