// SPDX-License-Identifier: Apache-2.0

/// The sensor's answer to the `A1` command: six bytes, 24 on the Libre 3 family. It names the product and the region.
///
/// Byte 2 repeats at memory offset 322 (read: DiaBLE; verified). Byte 3 repeats at 323 in 59 of 60 reference memories.
public struct PatchInfo: Hashable, Sendable {
  // The bytes in order, the first one highest, and zeros after the last: the decoder has no heap.
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  package let count: Int

  /// The patch info of 6 to 24 bytes; nil for any other number.
  public init?(_ bytes: [UInt8]) { self.init(in: bytes.span) }

  package init?(in bytes: Span<UInt8>) {
    guard (6...24).contains(bytes.count) else { return nil }
    func word(_ start: Int) -> UInt64 {
      (start..<start + 8).reduce(0) { $0 << 8 | ($1 < bytes.count ? UInt64(bytes[$1]) : 0) }
    }
    (first, second, third) = (word(0), word(8), word(16))
    count = bytes.count
  }

  /// The patch info in a tag's answer without response flags; nil for another answer.
  package static func taken(from answer: [UInt8]) -> PatchInfo? {
    place(in: answer).flatMap { PatchInfo(in: answer.span.extracting($0)) }
  }

  /// The bytes of the patch info in a tag's answer. A Libre 3 sends fillers `A5` and a zero before them, and two bytes of
  /// a checksum after them (read: xDrip, DiaBLE, LibreCRKit). The checksum is not looked at: the answer as a whole has
  /// another one, and in a recording without serial numbers this one does not fit.
  package static func place(in answer: [UInt8]) -> Range<Int>? {
    if [6, 24].contains(answer.count) { return answer.indices }
    let start = (answer.firstIndex { $0 != 0xA5 } ?? 0) + 1
    guard start > 1, answer[start - 1] == 0, answer.count == start + 26 else { return nil }
    return start..<start + 24
  }

  /// The answer of a simulated tag, without response flags. The checksum in it is zero.
  package var answer: [UInt8] { count == 24 ? [0xA5, 0x00] + bytes + [0x00, 0x00] : bytes }

  /// The bytes without response flags, of a Libre 3 without what surrounds them in its answer.
  public var bytes: [UInt8] { (0..<count).map { self[$0] } }

  /// 0…`count` − 1.
  package subscript(index: Int) -> UInt8 {
    let word = index < 8 ? first : index < 16 ? second : third
    return UInt8(truncatingIfNeeded: word >> UInt64(56 - index % 8 * 8))
  }

  /// A patch info, or the answer that it is in, with zeros from a Libre 3's serial number on, which begins at byte 15
  /// (read: DiaBLE).
  package static func withoutSerial(_ answer: [UInt8]) -> [UInt8] {
    let serial = (place(in: answer)?.lowerBound ?? 0) + 15
    return answer.enumerated().map { $0 < serial ? $1 : 0 }
  }

  /// The sensor family that these bytes stand for (read: DiaBLE, xDrip, xdripswift; the pairs are in
  /// Libre1Core/MemoryFormat, "Patch info").
  public var family: SensorFamily {
    if count == 24 {
      return switch self[12] {
      // Libre X (5) and Instinct (10) answer as a Libre 3 does; more about them is not known.
      case 4, 5, 10: .libre3
      case 9: .lingo
      default: .unknown
      }
    }
    return switch (self[0], self[2]) {
    case (0xDF, _), (0xA2, _): .libre1
    case (0xE5, _), (0xE6, _): .libreUS14Day
    case (0x70, _): .librePro
    case (_, 0x70...0x7F): .libreSense
    case (_, 0x39...0x3F): .libre2Generation2
    case (_, 0x30...0x38): .libre2
    default: .unknown
    }
  }
}

extension PatchInfo: CustomStringConvertible {
  public var description: String { HexText.string(of: bytes) }
}
