// SPDX-License-Identifier: Apache-2.0

/// The eight-byte identifier that the tag's chip carries, written most significant byte first: `E0 07 A0 …`.
///
/// The air interface and some dump files carry the bytes in the opposite order. `0xE0` marks the end at which the
/// number starts (ISO 15693-3), so the order is clear unless both ends are `E0`.
public struct SensorUID: Hashable, Sendable, Comparable {
  /// The 64 bits with `0xE0` in the top byte.
  public let bits: UInt64

  /// Wraps 64 bits that are already in printed order; nil unless the top byte is `0xE0`.
  public init?(bits: UInt64) {
    guard bits >> 56 == 0xE0 else { return nil }
    self.bits = bits
  }

  /// Reads eight bytes in either order.
  ///
  /// - Throws: `UIDError` if there are not eight, or if the position of `E0` does not settle the order.
  public init(bytesInEitherOrder bytes: [UInt8]) throws(UIDError) {
    guard bytes.count == 8 else { throw .wrongLength(bytes.count) }
    switch (bytes[0] == 0xE0, bytes[7] == 0xE0) {
    case (true, false): bits = BigEndian.number(of: bytes)
    case (false, true): bits = BigEndian.number(of: bytes.reversed())
    case (true, true): throw .ambiguousOrder
    case (false, false): throw .notISO15693
    }
  }

  /// Reads text typed by a person: sixteen hex digits in either order; spaces, colons and dashes are ignored.
  ///
  /// If both ends are `E0`, the printed order is assumed, because that is the order in which a UID is shown.
  public init(printed text: String) throws(UIDError) {
    guard let bytes = HexText.bytes(of: text) else { throw .notHex(text) }
    if let uid = SensorUID(bits: BigEndian.number(of: bytes)), bytes.count == 8 {
      self = uid
    } else {
      try self.init(bytesInEitherOrder: bytes)
    }
  }

  /// The bytes, `E0` first.
  public var bytes: [UInt8] { BigEndian.bytes(of: bits) }

  /// The IC manufacturer's code (ISO 7816-6): `07` Texas Instruments, `7A` on newer Abbott sensors (read: xDrip #4412).
  public var manufacturer: UInt8 { UInt8(truncatingIfNeeded: bits >> 48) }

  package var isOfKnownManufacturer: Bool { manufacturer == 0x07 || manufacturer == 0x7A }

  /// The third byte: `A0` on Libre 1 and US 14-day, `A4` on Libre 2 (verified on the reference memories).
  public var product: UInt8 { UInt8(truncatingIfNeeded: bits >> 40) }

  package var isLibre2: Bool { product == 0xA4 }

  /// True if the 32 bits before the lowest byte are all zero: the UID was removed from a recording. Maker and product
  /// are still there, and the lowest byte numbers the sensors of the recording. No real sensor is known to have so low
  /// a number (derived from the reference memories).
  public var isWithheld: Bool { bits & 0xFF_FFFF_FF00 == 0 }

  public static func < (left: SensorUID, right: SensorUID) -> Bool { left.bits < right.bits }
}

extension SensorUID: CustomStringConvertible {
  /// Sixteen upper-case hex digits, `E0` first.
  public var description: String { HexText.string(of: bytes) }
}

/// A text or bytes that are not a UID.
public enum UIDError: ExplainedError {
  case wrongLength(Int)
  case notHex(String)
  /// `E0` is at both ends: either order is possible, and the serial number would differ.
  case ambiguousOrder
  /// `E0` is at neither end: this is not an ISO 15693 UID.
  case notISO15693

  public var explanation: (code: String, message: String) {
    switch self {
    case .wrongLength(let count): ("bad_uid", "expected 8 bytes of UID, got \(count)")
    case .notHex(let text): ("bad_uid", "expected hex digits, got '\(text)'")
    case .ambiguousOrder: ("bad_uid", "the UID has E0 at both ends, so its byte order is not clear")
    case .notISO15693: ("bad_uid", "an ISO 15693 UID begins with E0, this one does not")
    }
  }
}
