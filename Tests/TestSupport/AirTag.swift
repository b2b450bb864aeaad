// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import NFCTransport

/// A tag in the field of an emulated reader: what it answers to the bytes on air, checksums included. It shares no code
/// with what is tested.
///
/// Like a real tag it is silent to whatever it does not understand: a wrong checksum, other flags, a custom command without
/// its maker, more than three blocks.
package struct AirTag: Sendable {
  private let tag: any TagReader

  /// `tag` gives the answers.
  package init(_ tag: any TagReader) { self.tag = tag }

  /// nil for silence.
  package func answer(to bytes: [UInt8]) async -> [UInt8]? {
    guard let request = Self.request(bytes), let answer = try? await tag.exchange(request) else { return nil }
    return answer + Self.checksum(answer)
  }

  /// The same for the tag of a memory.
  static func answer(of image: MemoryImage, to bytes: [UInt8]) -> [UInt8]? {
    request(bytes).flatMap { SimulatedTag.answer(of: image, to: $0) }.map { $0 + checksum($0) }
  }

  private static func request(_ bytes: [UInt8]) -> ISO15693.Request? {
    let frame = Array(bytes.dropLast(2))
    guard frame.count > 1, Array(bytes.suffix(2)) == Self.checksum(frame) else { return nil }
    func maker() -> ISO15693.Manufacturer? { ISO15693.Manufacturer(rawValue: frame[2]) }
    func number() -> UInt16 { UInt16(frame[3]) | UInt16(frame[4]) << 8 }
    switch (frame[0], frame[1], frame.count) {
    case (0x26, 0x01, 3): return .inventory
    case (0x02, 0x2B, 2): return .systemInformation
    case (0x02, 0x20, 3): return .readBlock(frame[2])
    case (0x02, 0x23, 4):
      return ISO15693.BlockRun(first: Int(frame[2]), count: Int(frame[3]) + 1).map { .readBlocks($0) }
    case (0x02, 0xA1, 3): return maker().map { .patchInfo($0) }
    case (0x02, 0xB0, 5): return maker().map { .readWideBlock(number(), $0) }
    case (0x02, 0xB3, 6):
      guard let run = ISO15693.WideBlockRun(first: Int(number()), count: Int(frame[5]) + 1) else { return nil }
      return maker().map { .readWideBlocks(run, $0) }
    default: return nil
    }
  }

  /// The definition of the checksum: inverted, and each byte with its highest bit first.
  package static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    let inverted = ~BitwiseCRC.checksum(bytes)
    return [15, 7].map { top in (0..<8).reduce(0) { $0 | UInt8(inverted >> UInt16(top - $1) & 1) << UInt8($1) } }
  }
}
