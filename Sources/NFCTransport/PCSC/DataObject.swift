// SPDX-License-Identifier: Apache-2.0

/// A value preceded by its tag and length: BER, as far as PC/SC part 3 uses it.
struct DataObject: Hashable, Sendable {
  /// One byte, or two if the low five bits of the first are set: `97`, `5F46`.
  let tag: UInt16
  let value: [UInt8]

  /// Parses consecutive objects; nil if the lengths do not match.
  static func list(_ bytes: [UInt8]) -> [DataObject]? {
    var rest = bytes[...]
    var objects: [DataObject] = []
    while let first = rest.popFirst() {
      var tag = UInt16(first)
      if first & 0x1F == 0x1F {
        guard let second = rest.popFirst() else { return nil }
        tag = tag << 8 | UInt16(second)
      }
      guard let length = length(&rest), length <= rest.count else { return nil }
      objects.append(DataObject(tag: tag, value: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    return objects
  }

  /// Reads a length: one byte up to 127, otherwise `81` and one byte or `82` and two bytes.
  private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let first = rest.popFirst() else { return nil }
    guard first >= 0x80 else { return Int(first) }
    let width = Int(first & 0x7F)
    guard (1...2).contains(width), rest.count >= width else { return nil }
    defer { rest = rest.dropFirst(width) }
    return rest.prefix(width).reduce(0) { $0 << 8 | Int($1) }
  }
}
