// SPDX-License-Identifier: Apache-2.0
import SensorSimulator
import TestSupport

extension SplitMix64 {
  /// A text of ASCII, control characters, quotes, combining marks and characters of two to four bytes.
  mutating func text(_ length: Int) -> String {
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
