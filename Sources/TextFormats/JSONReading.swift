// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

package enum JSONReading {
  /// Largest JSON value accepted, in bytes: the decoder needs a hundred times as much memory for `[{},{},…]`
  /// (measured). A text of many values may be larger, see `JSONValues`.
  package static let limit = 1 << 20

  /// Decodes a value of JSON text; members that the type does not name are ignored.
  ///
  /// - Throws: `badField` for a member that is missing or of another type; `notJSON` for invalid JSON, for JSON nested
  ///   more than 512 deep, and for another kind of value; `tooLarge` for more than `limit` bytes.
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
      // A member whose name is a number has an index too, but is not called "Index 3".
      if let index = key.intValue, key.stringValue != "\(index)" {
        path += "[\(index)]"
      } else {
        path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }
}

package enum JSONError: Error, Hashable, Sendable {
  /// The text is not JSON, is nested too deep, or is another kind of value; the reason in words.
  case notJSON(String)
  /// A member is missing or of another type; its path, such as `data.blocks[3]`.
  case badField(String)
  case tooLarge(found: Int, limit: Int)
}
