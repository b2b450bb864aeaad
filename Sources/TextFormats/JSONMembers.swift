// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object as they stand in the text, not decoded, so that they can be written into another document.
package struct JSONMembers {
  package struct Member {
    /// The name between its quotes, with its escapes.
    package let name: String
    /// The name, the colon and the value, without the line ends between them, so that a member is on one line.
    package let text: [UInt8]
  }

  package private(set) var members: [Member] = []

  /// Reads an object; nil for any text that is not an object by RFC 8259.
  package init?(_ text: [UInt8]) {
    var json = JSONCursor(text)
    let isObject = json.object { json, name in
      guard json.skipValue() else { return false }
      members.append(
        Member(
          name: String(decoding: text[name], as: UTF8.self),
          text: json.bytes(from: name.lowerBound - 1).filter { $0 != 0x0A && $0 != 0x0D }))
      return true
    }
    guard isObject, json.isAtEnd else { return nil }
  }
}
