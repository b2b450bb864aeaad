// SPDX-License-Identifier: Apache-2.0

/// A reader of JSON in the form in which programs write documents without free text: objects with known names, each
/// once, strings of ASCII without escapes, whole numbers.
///
/// It takes a tenth of the time of the platform's decoder. Each function returns nil or false for any other text, which
/// is then left to the decoder.
struct PlainJSON {
  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// Returns what `read` returns, if it reads the whole text.
  static func value<Value>(of text: ArraySlice<UInt8>, _ read: (inout PlainJSON) -> Value?) -> Value? {
    text.withUnsafeBufferPointer { bytes in
      var json = PlainJSON(text: bytes)
      guard let value = read(&json) else { return nil }
      json.skipSpaces()
      return json.position == bytes.count ? value : nil
    }
  }

  private init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// Reads an object; `read` reads the value of each member, and returns false for an unknown name.
  mutating func object(_ read: (inout PlainJSON, _ name: String) -> Bool) -> Bool {
    guard take("{") else { return false }
    if take("}") { return true }
    var names: [String] = []
    repeat {
      guard let name = string(), !names.contains(name), take(":"), read(&self, name) else { return false }
      names.append(name)
    } while take(",")
    return take("}")
  }

  /// Reads an array of whole numbers of at most six digits.
  mutating func numbers(into numbers: inout [Int]?) -> Bool {
    guard take("[") else { return false }
    var found: [Int] = []
    if !take("]") {
      repeat {
        skipSpaces()
        let digits = text[position...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...6).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
          return false
        }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        position = digits.endIndex
        found.append(number)
      } while take(",")
      guard take("]") else { return false }
    }
    numbers = found
    return true
  }

  /// Reads a string, or null.
  mutating func string(into string: inout String?) -> Bool {
    skipSpaces()
    if next == UInt8(ascii: "n") {
      guard text[position...].starts(with: "null".utf8) else { return false }
      position += 4
      return true
    }
    string = self.string()
    return string != nil
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    let start = position
    while let byte = next, (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      position += 1
    }
    let string = String(decoding: text[start..<position], as: UTF8.self)
    guard next == UInt8(ascii: "\"") else { return nil }
    position += 1
    return string
  }

  private var next: UInt8? { position < text.count ? text[position] : nil }

  /// Reads this character, and the white space before it; reads only the white space if it is another.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpaces() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }
}
