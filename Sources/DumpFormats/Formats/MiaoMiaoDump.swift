// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// A packet of the MiaoMiao transmitter, as bytes or as hex digits (DumpFormats/Formats, "MiaoMiao"). It does not have
/// the time of the read; its age is not used, since the memory has it.
struct MiaoMiaoDump: DumpFormat {
  let name = "miaomiao"
  let summary = "a packet of the MiaoMiao transmitter: 28, 363, UID, memory, 29; bytes or hex digits"

  /// Returns the memory, as much as an incomplete packet has. Throws also `badField` for a packet without its last byte
  /// `29`.
  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    guard let packet = PacketBytes.bytes(of: file), packet.count > Self.memoryStart,
      packet.starts(with: [0x28, 0x01, 0x6B]), packet.count < Self.memoryStart + 2 * MemoryMap.byteCount,
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
