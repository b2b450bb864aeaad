// SPDX-License-Identifier: Apache-2.0

/// Why a text is not the JSON that was expected.
package enum JSONError: Error, Hashable, Sendable {
  /// Not JSON, nested too deep, or another kind of value; in words.
  case notJSON(String)
  /// A member is missing or of another type: `data.blocks[3]`.
  case badField(String)
  /// A value of more bytes than are read at once.
  case tooLarge(found: Int, limit: Int)
}
