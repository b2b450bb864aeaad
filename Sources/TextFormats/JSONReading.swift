// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Reading JSON, which the platform's decoder does.
package enum JSONReading {
  /// More than this of one JSON value is not read: of `[{},{},…]` a hundred times as much is made (measured). A whole
  /// text may be larger: see `JSONValues`.
  package static let limit = 1 << 20

  /// A value of JSON text; members that the type does not name are passed over.
  ///
  /// Throws `badField` for a member that is missing or of another type, `notJSON` for text that is no JSON, nested more
  /// than 512 deep, or of another kind of value; `tooLarge` for more than `limit` bytes.
  package static func value<Value: Decodable>(
    _ type: Value.Type, from text: some Collection<UInt8>
  ) throws(JSONError) -> Value {
    guard text.count <= limit else { throw .tooLarge(found: text.count, limit: limit) }
    do {
      return try JSONDecoder().decode(type, from: Data(text))
    } catch DecodingError.keyNotFound(let key, let context) {
      throw .badField(path(context.codingPath + [key]))
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context)
    {
      if !context.codingPath.isEmpty { throw .badField(path(context.codingPath)) }
      throw .notJSON(context.debugDescription)
    } catch {
      throw .notJSON("it cannot be read")
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { path, key in
      // A member's name that is a number has one too, but is not called "Index 3".
      if let index = key.intValue, key.stringValue != "\(index)" {
        path += "[\(index)]"
      } else {
        path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }
}

/// Why a text is not the JSON that was expected.
package enum JSONError: Error, Hashable, Sendable {
  /// Not JSON, nested too deep, or another kind of value; in words.
  case notJSON(String)
  /// A member is missing or of another type: `data.blocks[3]`.
  case badField(String)
  /// A value of more bytes than are read at once.
  case tooLarge(found: Int, limit: Int)
}
