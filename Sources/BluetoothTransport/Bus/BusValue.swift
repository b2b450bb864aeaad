// SPDX-License-Identifier: Apache-2.0

/// A value in a message of the bus, copied out of it. A variant is the value inside it.
///
/// Nothing about it is to be trusted: every accessor returns nil if the value is of another type.
indirect enum BusValue: Hashable, Sendable {
  case boolean(Bool)
  /// Any integer up to 64 bits. One above `Int64.max` does not occur in what is read here and becomes `other`.
  case number(Int64)
  /// A string, an object path or a signature.
  case text(String)
  case bytes([UInt8])
  case array([BusValue])
  case structure([BusValue])
  /// An array of dictionary entries with text as keys. Of two equal keys the last one counts.
  case dictionary([String: BusValue])
  /// A type that is not needed here, such as a file descriptor, or a dictionary with other keys than text.
  case other

  var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  var number: Int64? { if case .number(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
  var dictionary: [String: BusValue]? { if case .dictionary(let value) = self { value } else { nil } }

  /// The texts of an array; values of other types in it are left out.
  var texts: [String]? { if case .array(let values) = self { values.compactMap(\.text) } else { nil } }
}
