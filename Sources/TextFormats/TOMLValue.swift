// SPDX-License-Identifier: Apache-2.0

package enum TOMLValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  /// A float as it was written, so that a message can repeat it: `1_000.5e3`.
  case float(String)
  case boolean(Bool)
  case array([TOMLValue])
  case table([String: TOMLValue])

  /// The value of a word without quotes; nil for any other word, and for an integer of more than 64 bits.
  init?(word: String) {
    let unsigned = Self.unsigned(word[...])
    if word == "true" || word == "false" {
      self = .boolean(word == "true")
    } else if unsigned == "inf" || unsigned == "nan" {
      self = .float(word)
    } else if let radix = ["0x": 16, "0o": 8, "0b": 2][String(word.prefix(2))] {
      guard let number = Self.digits(word.dropFirst(2), radix).flatMap({ Int64($0, radix: radix) }) else { return nil }
      self = .integer(number)
    } else {
      let parts = unsigned.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
      let decimals = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard let whole = Self.digits(decimals[0]), whole == "0" || whole.first != "0",
        decimals.dropFirst().allSatisfy({ Self.digits($0) != nil }),
        parts.dropFirst().allSatisfy({ Self.digits(Self.unsigned($0)) != nil })
      else { return nil }
      if parts.count > 1 || decimals.count > 1 {
        self = .float(word)
      } else {
        guard let number = Int64((word.first == "-" ? "-" : "") + whole) else { return nil }
        self = .integer(number)
      }
    }
  }

  private static func unsigned(_ text: Substring) -> Substring {
    text.first == "+" || text.first == "-" ? text.dropFirst() : text
  }

  /// Returns the digits without the underscores between them; nil for any other text.
  private static func digits(_ text: Substring, _ radix: Int = 10) -> String? {
    let groups = text.split(separator: "_", omittingEmptySubsequences: false)
    let isNumber = groups.allSatisfy { group in
      !group.isEmpty && group.allSatisfy { $0.isASCII && ($0.hexDigitValue ?? radix) < radix }
    }
    return isNumber ? groups.joined() : nil
  }

  /// The value as TOML: basic strings, and all on one line.
  package var text: String {
    switch self {
    case .string(let text): Self.quoted(text)
    case .integer(let number): String(number)
    case .float(let text): text
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .table(let table):
      "{ \(table.sorted { $0.key < $1.key }.map { "\(Self.quoted($0)) = \($1.text)" }.joined(separator: ", ")) }"
    }
  }

  /// The value for the text of a setting: booleans and whole numbers are written without quotes.
  package init(settingText text: String) {
    let isBare = ["true", "false"].contains(text) || Int64(text).map { String($0) == text } ?? false
    self = isBare ? TOMLValue(word: text) ?? .string(text) : .string(text)
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1F}", "\u{7F}": quoted += "\\u\(DecimalText.padded(String(scalar.value, radix: 16), to: 4))"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
