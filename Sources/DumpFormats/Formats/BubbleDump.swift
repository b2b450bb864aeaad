// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// Packets of the Bubble transmitter as stored by apps, as bytes or as hex digits: the UID in either order, then the
/// 344 bytes of memory (read: DumpFormats/Formats, "Bubble").
///
/// 352 bytes can also be a raw dump of 44 blocks: the checksums decide.
package struct BubbleDump: DumpFormat {
  package init() {}

  package let name = "bubble"
  package let summary = "data of the Bubble transmitter: UID and memory, 352 bytes; bytes or hex digits"

  package func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    guard let packet = PacketBytes.bytes(of: file), packet.count == Self.uidCount + MemoryMap.byteCount,
      packet[0] == 0xE0 || packet[Self.uidCount - 1] == 0xE0
    else { throw .notThisFormat(lacks: "a UID and 344 bytes") }
    let image = MemoryImage(bytes: Array(packet.dropFirst(Self.uidCount)))
    do {
      return DumpSequence(try AppFacts.dump(of: image, uid: Array(packet.prefix(Self.uidCount))))
    } catch {
      throw .badField("UID", value: HexText.string(of: packet.prefix(Self.uidCount)))
    }
  }

  private static let uidCount = 8
}
