// SPDX-License-Identifier: Apache-2.0

/// An input taken apart from its beginning: numbers drawn from it, so that whoever changes a byte changes a number. Past
/// its end all is zero.
struct FuzzBytes {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

  /// As many as are there.
  mutating func some(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func word() -> UInt64 { bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

  mutating func index(below count: Int) -> Int { Int(byte()) % count }

  mutating func flag() -> Bool { byte() & 1 == 1 }
}
