// SPDX-License-Identifier: Apache-2.0
package import Libre1Core

/// What tests draw from a seeded generator; a failing case can be run again.
extension SplitMix64 {
  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// A text of ASCII, control characters, quotes, combining marks and characters of two to four bytes.
  package mutating func text(_ length: Int) -> String {
    let special: [Unicode.Scalar] = [
      "\"", "\\", ",", "\n", "\r", "\t", "\0", "\u{1F}", "\u{7F}", "\u{301}", "\u{85}", "\u{2028}", "é", "ß", "日", "🙂",
      "/", "'",
      "\u{FFFF}",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<length {
      text.append(
        number(0...1) == 0
          ? special[number(0...special.count - 1)] : Unicode.Scalar(UInt8(number(0x20...0x7E))))
    }
    return String(text)
  }
}
