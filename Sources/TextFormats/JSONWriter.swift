// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Writes JSON as bytes, in the order of the calls, without building a tree. Keys keep their order and numbers their
/// decimals, which the platform's encoders do not do; strings are escaped by RFC 8259. Numbers, times and ids become
/// bytes without a string in between, because a reading has a thousand of them.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private let isIndented: Bool
  private var depth: Int
  /// True where the next value is the first of its object or array, or follows its key.
  private var isFirst = true

  /// A writer of one line, or of indented lines with two spaces for each level, beginning at `depth`.
  package init(indented: Bool, depth: Int = 0) {
    isIndented = indented
    self.depth = depth
    // What a sample needs: a history has a document for each.
    bytes.reserveCapacity(1_024)
  }

  package static func line<Failure: Error>(
    _ write: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var writer = JSONWriter(indented: false)
    try write(&writer)
    return writer.bytes
  }

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "{"))
    members(&self)
    end(UInt8(ascii: "}"))
  }

  /// Writes the elements, each by `element`. Inlined into the caller, since it is generic.
  @inlinable
  package mutating func array<Element>(_ elements: [Element], _ element: (inout JSONWriter, Element) -> Void) {
    begin(UInt8(ascii: "["))
    for item in elements {
      separate()
      element(&self, item)
    }
    end(UInt8(ascii: "]"))
  }

  package mutating func object(_ key: String, _ members: (inout JSONWriter) -> Void) {
    member(key) { $0.object(members) }
  }

  package mutating func objects<Element>(
    _ key: String, _ elements: [Element], _ members: (inout JSONWriter, Element) -> Void
  ) {
    member(key) { $0.array(elements) { json, element in json.object { members(&$0, element) } } }
  }

  /// Writes the name of a member, whose value must follow; it must not have characters that need an escape.
  package mutating func key(_ name: StaticString) {
    let characters = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    assert(!characters.contains(where: Self.isSpecial), "\(name) needs an escape")
    if isIndented { separate() }
    // Comma, name, quotes and colon are appended at once, because most of a reading consists of them.
    let start = isIndented || isFirst ? 1 : 0
    isFirst = false
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: characters.count + 5) { text in
      text[0] = UInt8(ascii: ",")
      text[1] = UInt8(ascii: "\"")
      _ = UnsafeMutableBufferPointer(rebasing: text[2...]).update(fromContentsOf: characters)
      let end = characters.count + 2
      text[end] = UInt8(ascii: "\"")
      text[end + 1] = UInt8(ascii: ":")
      text[end + 2] = 0x20
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<(isIndented ? end + 3 : end + 2)]))
    }
  }

  package mutating func member(_ key: String, _ value: (inout JSONWriter) -> Void) {
    separate()
    string(key)
    bytes.append(UInt8(ascii: ":"))
    if isIndented { bytes.append(0x20) }
    value(&self)
  }

  package mutating func member(_ key: String, _ value: String?) { member(key) { $0.value(value) } }
  package mutating func member(_ key: String, _ value: Bool) { member(key) { $0.value(value) } }
  package mutating func member(_ key: String, _ value: Int?) { member(key) { $0.value(value) } }

  /// Writes null for nil, NaN and infinity; otherwise at most `places` decimals.
  package mutating func member(_ key: String, _ value: Double?, places: Int) {
    member(key) { $0.value(value, places: places) }
  }

  package mutating func member(_ key: String, _ values: [String]) { member(key) { $0.value(values) } }
  package mutating func null() { literal("null") }
  package mutating func value(_ value: Bool) { literal(value ? "true" : "false") }
  package mutating func value(_ value: Int?) {
    if let value { DecimalText.append(value, to: &bytes) } else { null() }
  }

  package mutating func value(_ value: Double?, places: Int) {
    if let value, value.isFinite { DecimalText.append(value, places: places, to: &bytes) } else { null() }
  }

  package mutating func value(_ value: String?) {
    if let value { string(value) } else { null() }
  }

  package mutating func value(_ values: [String]) { array(values) { $0.string($1) } }

  /// Writes a time in UTC as a string of RFC 3339, to the second.
  package mutating func value(_ time: Instant?) {
    guard let time else { return null() }
    quoted { time.append(to: &$0) }
  }

  /// Writes an id as a string of RFC 9562.
  package mutating func value(_ id: SampleID?) {
    guard let id else { return null() }
    quoted { id.append(to: &$0) }
  }

  package mutating func hex(_ data: [UInt8]?) {
    guard let data else { return null() }
    quoted { HexText.append(data, to: &$0) }
  }

  package mutating func string(_ text: String) {
    // In place, because each value and most keys are checked for characters that need an escape.
    var text = text
    text.withUTF8 { text in
      bytes.append(UInt8(ascii: "\""))
      var (start, index) = (0, 0)
      while index < text.count {
        guard Self.isSpecial(text[index]), let character = Self.escaped(text[index...]) else {
          index += 1
          continue
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
        escape(character)
        index += UTF8.width(character)
        start = index
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private mutating func escape(_ character: Unicode.Scalar) {
    switch character {
    case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: character.value)]
    case "\n": literal("\\n")
    case "\r": literal("\\r")
    case "\t": literal("\\t")
    default: bytes += "\\u\(DecimalText.padded(String(character.value, radix: 16), to: 4))".utf8
    }
  }

  /// True for the first byte of a character that has to be escaped, and for some of others.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xC2
      || byte == 0xD8 || byte == 0xE2
  }

  /// Returns the first character if it has to be escaped: RFC 8259's, DEL and the other controls, which a terminal
  /// obeys, and those that change the order of the text around them.
  private static func escaped(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    let first = text[text.startIndex]
    guard first >= 0x80 else { return Unicode.Scalar(first) }
    var decoder = UTF8()
    var bytes = text.prefix(3).makeIterator()
    guard case .scalarValue(let character) = decoder.decode(&bytes) else { return nil }
    switch character.value {
    case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return character
    default: return nil
    }
  }

  private mutating func quoted(_ digits: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "\""))
    digits(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func verbatim(_ json: [UInt8]) { bytes += json }

  private mutating func literal(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @usableFromInline mutating func begin(_ bracket: UInt8) {
    bytes.append(bracket)
    depth += 1
    isFirst = true
  }

  @usableFromInline mutating func end(_ bracket: UInt8) {
    depth -= 1
    if !isFirst { newLine() }
    isFirst = false
    bytes.append(bracket)
  }

  @usableFromInline mutating func separate() {
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
