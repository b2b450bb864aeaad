// SPDX-License-Identifier: Apache-2.0

/// A file or a directory on the card of a Flipper Zero, as its shell lists it.
package struct FlipperFile: Hashable, Sendable {
  /// Last part of its path.
  package let name: String
  /// Size in bytes; nil for a directory.
  package let byteCount: Int?

  package init(name: String, byteCount: Int?) {
    self.name = name
    self.byteCount = byteCount
  }

  /// Parses a line such as `[F] my tag.nfc 412b` or `[D] assets`; nil for any other.
  init?(line: Substring) {
    let line = line.drop(while: \.isWhitespace)
    let rest = line.dropFirst(4)
    if line.hasPrefix("[D] ") {
      self.init(name: String(rest), byteCount: nil)
    } else if line.hasPrefix("[F] "), rest.last == "b", let space = rest.lastIndex(of: " "),
      let count = Int(rest[space...].dropFirst().dropLast()), count >= 0
    {
      self.init(name: String(rest[..<space]), byteCount: count)
    } else {
      return nil
    }
  }
}
