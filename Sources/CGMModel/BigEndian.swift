// SPDX-License-Identifier: Apache-2.0

/// Conversion between eight bytes and a number, most significant byte first: the order of a printed UID and of a UUID.
package enum BigEndian {
  package static func bytes(of number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
  }

  /// Inlined into the caller, since it is generic and called for each sample.
  @inlinable
  @inline(__always)
  package static func number(of bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
