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
    withContiguousStorageIfAvailable { ByteSearch.occurs(text, in: $0) }
      ?? Array(self).withUnsafeBufferPointer { ByteSearch.occurs(text, in: $0) }
  }
}

/// The search itself, for one type of bytes, so that it is compiled once and not for each caller's collection.
@usableFromInline package enum ByteSearch {
  @usableFromInline package static func occurs(_ text: String, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var text = text
    return text.withUTF8 { occurs($0, in: bytes) }
  }

  private static func occurs(_ pattern: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = pattern.first, let mark = pattern.baseAddress else { return true }
    guard let start = bytes.baseAddress else { return false }
    var position = 0
    while position + pattern.count <= bytes.count {
      let places = bytes.count - pattern.count + 1 - position
      guard let found = memchr(start + position, Int32(first), places) else { return false }
      if memcmp(found, mark, pattern.count) == 0 { return true }
      position = UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
    }
    return false
  }
}
