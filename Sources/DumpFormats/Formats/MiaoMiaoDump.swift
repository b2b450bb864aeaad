// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// A packet of the MiaoMiao transmitter ("Tomato" in xDrip), as bytes or as hex digits.
///
/// | at | bytes | |
/// |---|---|---|
/// | 0 | 1 | `28` |
/// | 1 | 2 | length, highest byte first: 363, `01 6B` |
/// | 3 | 2 | age in minutes, highest byte first; not used, since the memory has it |
/// | 5 | 8 | UID, lowest byte first |
/// | 13 | 5 | battery in per cent, firmware, hardware |
/// | 18 | 344 | memory |
/// | 362 | 1 | `29` |
/// | 363 | 6 | patch info, from later firmware |
///
/// Verified on one published packet (DumpFormats/Formats, "MiaoMiao"). It does not have the time of the read.
struct MiaoMiaoDump: DumpFormat {
  let name = "miaomiao"
  let summary = "a packet of the MiaoMiao transmitter: 28, 363, UID, memory, 29; bytes or hex digits"

  /// Returns the memory, as much as an incomplete packet has. Throws also `badField` for a packet without its last byte
  /// `29`.
  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    guard let packet = PacketBytes.bytes(of: file), packet.count > Self.memoryStart,
      packet.starts(with: [0x28, 0x01, 0x6B]),
      let uid = SensorUID(bits: packet[5..<13].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    else { throw .notThisFormat(lacks: "28 01 6B at the start and a UID") }
    var image = MemoryImage(bytes: Array(packet[Self.memoryStart...].prefix(MemoryMap.byteCount)), uid: uid)
    let rest = packet.dropFirst(Self.memoryStart + MemoryMap.byteCount)
    if let end = rest.first, end != 0x29 { throw .badField("the end byte 29", value: HexText.string(of: end)) }
    image.patchInfo = PatchInfo(Array(rest.dropFirst().prefix(6)))
    return DumpSequence(Dump(image: image))
  }

  private static let memoryStart = 18
}
