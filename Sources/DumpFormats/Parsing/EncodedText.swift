// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Reading JSON and base64, which other people's libraries do.
enum EncodedText {
  /// More than this of one JSON value is not read: of `[{},{},…]` a hundred times as much is made (measured). A whole
  /// text may be larger: see `JSONValues`.
  static let jsonLimit = 1 << 20

  /// A value of JSON text; members that the type does not name are passed over.
  ///
  /// Throws `badField` for a member that is missing or of another type, `badJSON` for text that is no JSON, nested more
  /// than 512 deep, or of another kind of value; `tooLarge` for more than `jsonLimit`.
  static func json<Value: Decodable>(_ type: Value.Type, from text: some Collection<UInt8>) throws(DumpError) -> Value {
    guard text.count <= jsonLimit else { throw .tooLarge(found: text.count, limit: jsonLimit) }
    do {
      return try JSONDecoder().decode(type, from: Data(text))
    } catch DecodingError.keyNotFound(let key, let context) {
      throw .badField(path(context.codingPath + [key]), value: nil)
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context)
    {
      if !context.codingPath.isEmpty { throw .badField(path(context.codingPath), value: nil) }
      throw .badJSON(context.debugDescription)
    } catch {
      throw .badJSON("it cannot be read")
    }
  }

  /// The bytes of base64 in the usual or the URL alphabet, with or without padding and white space; nil if there is
  /// anything else in it, or nothing at all.
  static func base64(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var characters: [UInt8] = []
    for character in text where !TextLine.isBlank(character) {
      switch character {
      case UInt8(ascii: "-"): characters.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): characters.append(UInt8(ascii: "/"))
      default: characters.append(character)
      }
    }
    while characters.last == UInt8(ascii: "=") { characters.removeLast() }
    guard !characters.contains(UInt8(ascii: "=")) else { return nil }
    characters += Array(repeating: UInt8(ascii: "="), count: (4 - characters.count % 4) % 4)
    guard !characters.isEmpty, let data = Data(base64Encoded: Data(characters)) else { return nil }
    return [UInt8](data)
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

extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// True if the text occurs in these bytes: how a format looks for its marks before it reads anything.
  func contains(text: String) -> Bool {
    let pattern = Array(text.utf8)
    guard let first = pattern.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first), endIndex - start >= pattern.count {
      if self[start..<start + pattern.count].elementsEqual(pattern) { return true }
      rest = self[(start + 1)...]
    }
    return false
  }
}
