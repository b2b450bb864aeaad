// SPDX-License-Identifier: Apache-2.0

/// Writes JSON as bytes, in the order of the calls, without building a tree.
///
/// Keys keep their order and numbers their decimals, which the platform's encoders do not do; strings are escaped by
/// RFC 8259. A separator is written before each value that needs one.
public struct JSONWriter {
  public private(set) var bytes: [UInt8] = []
  private let isIndented: Bool
  private var depth: Int
  /// True where the next value is the first of its object or array, or follows its key.
  private var isFirst = true

  /// A writer of one line, or of indented lines with two spaces for each level, beginning at `depth`.
  public init(indented: Bool, depth: Int = 0) {
    isIndented = indented
    self.depth = depth
  }

  public mutating func object(_ members: (inout JSONWriter) -> Void) { group("{", "}", members) }

  public mutating func array<Element>(_ elements: [Element], _ element: (inout JSONWriter, Element) -> Void) {
    group("[", "]") { writer in
      for item in elements {
        writer.separate()
        element(&writer, item)
      }
    }
  }

  public mutating func member(_ key: String, _ value: (inout JSONWriter) -> Void) {
    separate()
    string(key)
    bytes.append(UInt8(ascii: ":"))
    if isIndented { bytes.append(0x20) }
    value(&self)
  }

  public mutating func member(_ key: String, _ value: String?) {
    member(key) { $0.stringOrNull(value) }
  }

  public mutating func member(_ key: String, _ value: Bool) {
    member(key) { $0.value(value) }
  }

  public mutating func member(_ key: String, _ value: Int?) {
    member(key) { if let value { $0.value(value) } else { $0.null() } }
  }

  /// Writes null for nil, NaN and infinity; otherwise at most `places` decimals.
  public mutating func member(_ key: String, _ value: Double?, places: Int) {
    member(key) { if let value { $0.value(value, places: places) } else { $0.null() } }
  }

  public mutating func member(_ key: String, _ values: [String]) {
    member(key) { $0.array(values) { $0.string($1) } }
  }

  public mutating func null() { literal("null") }

  public mutating func value(_ value: Bool) { literal(value ? "true" : "false") }

  public mutating func value(_ value: Int) { literal(String(value)) }

  /// Writes null for NaN and infinity; otherwise at most `places` decimals.
  public mutating func value(_ value: Double, places: Int) {
    literal(value.isFinite ? DecimalText.shortest(value, places: places) : "null")
  }

  public mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    if !Self.hasSpecials(text) {
      bytes += text.utf8
      return
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += "\\n".utf8
      case 0x0D: bytes += "\\r".utf8
      case 0x09: bytes += "\\t".utf8
      case 0..<0x20, 0x7F: bytes += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
      default: bytes.append(byte)
      }
    }
  }

  /// True for a text that has to be escaped: RFC 8259's characters, and DEL.
  private static func hasSpecials(_ text: String) -> Bool {
    // Looks at the bytes in place, because every key and value is checked.
    let bytes = text.utf8Span.span
    for index in bytes.indices {
      let byte = bytes[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F { return true }
    }
    return false
  }

  private mutating func stringOrNull(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  private mutating func literal(_ text: String) { bytes += text.utf8 }

  private mutating func group(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ content: (inout JSONWriter) -> Void) {
    bytes.append(UInt8(ascii: open))
    depth += 1
    isFirst = true
    content(&self)
    depth -= 1
    if !isFirst { newLine() }
    isFirst = false
    bytes.append(UInt8(ascii: close))
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    newLine()
  }

  private mutating func newLine() {
    guard isIndented else { return }
    bytes.append(0x0A)
    bytes += repeatElement(0x20, count: 2 * depth)
  }
}
