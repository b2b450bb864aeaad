// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// True if these bytes contain the text, by libc where they are contiguous: a file of 64 MiB is searched for a dozen
  /// signatures before it is read. Inlined into the caller, since it is generic.
  @inlinable package func contains(text: String) -> Bool {
    withContiguousStorageIfAvailable { ByteSearch.place(of: text, in: $0, from: 0) != nil }
      ?? Array(self).withUnsafeBufferPointer { ByteSearch.place(of: text, in: $0, from: 0) != nil }
  }
}

extension [UInt8] {
  /// The first place of the text at `start` or after it.
  package func place(of text: String, from start: Int) -> Int? {
    withUnsafeBufferPointer { ByteSearch.place(of: text, in: $0, from: start) }
  }
}

/// The search itself, for one type of bytes, so that it is compiled once and not for each caller's collection.
@usableFromInline package enum ByteSearch {
  @usableFromInline package static func place(
    of text: String, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    var text = text
    return text.withUTF8 { place(of: $0, in: bytes, from: start) }
  }

  private static func place(
    of pattern: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard let first = pattern.first, let mark = pattern.baseAddress else { return start }
    guard let base = bytes.baseAddress else { return nil }
    var position = start
    while position + pattern.count <= bytes.count {
      let places = bytes.count - pattern.count + 1 - position
      guard let found = memchr(base + position, Int32(first), places) else { return nil }
      let place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if memcmp(found, mark, pattern.count) == 0 { return place }
      position = place + 1
    }
    return nil
  }
}
