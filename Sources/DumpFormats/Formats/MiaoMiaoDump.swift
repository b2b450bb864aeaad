// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// A packet of the MiaoMiao transmitter ("Tomato" in xDrip), as bytes or as hex digits.
///
/// | at | bytes | |
/// |---|---|---|
/// | 0 | 1 | `28` |
/// | 1 | 2 | length, highest byte first: 363, `01 6B` |
/// | 3 | 2 | age in minutes, highest byte first: the memory's own counts |
/// | 5 | 8 | UID, lowest byte first |
/// | 13 | 5 | battery in per cent, firmware, hardware |
/// | 18 | 344 | memory |
/// | 362 | 1 | `29` |
/// | 363 | 6 | patch info, from later firmware |
///
/// Verified on one published packet (DumpFormats/Formats, "MiaoMiao"). It has no time of day.
public struct MiaoMiaoDump: DumpFormat {
  public init() {}

  public let name = "miaomiao"
  public let summary = "a packet of the MiaoMiao transmitter: 28, 363, UID, memory, 29; bytes or hex digits"

  /// A packet that breaks off gives as much of the memory as there is. Throws `badField` for one without its end mark.
  public func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    guard let packet = PacketBytes.bytes(of: file), packet.count > Self.memoryStart,
      packet.starts(with: [0x28, 0x01, 0x6B]),
      let uid = SensorUID(bits: packet[5..<13].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    else { throw .notThisFormat(lacks: "28 01 6B at the start and a UID") }
    var image = MemoryImage(bytes: Array(packet[Self.memoryStart...].prefix(MemoryMap.byteCount)), uid: uid)
    let rest = packet.dropFirst(Self.memoryStart + MemoryMap.byteCount)
    if let end = rest.first, end != 0x29 { throw .badField("end mark", value: HexText.string(of: end)) }
    image.patchInfo = PatchInfo(Array(rest.dropFirst().prefix(6)))
    return DumpSequence(Dump(image: image))
  }

  private static let memoryStart = 18
}
