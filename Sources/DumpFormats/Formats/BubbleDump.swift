// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// Packets of the Bubble transmitter as stored by apps, as bytes or as hex digits (DumpFormats/Formats, "Bubble").
struct BubbleDump: DumpFormat {
  let name = "bubble"
  let summary = "data of the Bubble transmitter: UID and memory, 352 bytes; bytes or hex digits"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    guard let packet = PacketBytes.bytes(of: file), packet.count == Self.uidCount + MemoryMap.byteCount,
      packet[0] == 0xE0 || packet[Self.uidCount - 1] == 0xE0
    else { throw .notThisFormat(lacks: "a UID and 344 bytes") }
    let uid = Array(packet.prefix(Self.uidCount))
    let image = MemoryImage(bytes: Array(packet.dropFirst(Self.uidCount)))
    return DumpSequence(
      try AppFacts.dump(of: image, uid: uid, invalid: .badField("UID", value: HexText.string(of: uid))))
  }

  private static let uidCount = 8
}
