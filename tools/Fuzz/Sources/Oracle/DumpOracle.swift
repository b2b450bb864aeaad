// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import DumpFormats
import Libre1Core

/// Every format of DumpFormats that reads bytes, in the order in which the registry has them: not xDrip's database, which
/// is opened where it lies. What LibreKit reads, traces, has a target of its own.
public let dumpFormats: [any DumpFormat] = [
  ReadingDump(), ProxmarkJSONDump(), FlipperDump(), TagInfoDump(), LibreWifiDump(), LibreAlarmDump(), OOPRequestDump(),
  DiaBLEDump(), LibreMonitorDump(), OldProxmarkDump(), ProxmarkConsoleDump(), ProxmarkBinaryDump(), MiaoMiaoDump(),
  BubbleDump(), ProxmarkEMLDump(), HexDump(), DecimalDump(), Base64Dump(), RawDump(),
]

/// What holds for any memory that a format reads, and for every file that is written of it.
public func check(_ image: MemoryImage) {
  precondition(image.bytes.count <= MemoryMap.fullByteCount, "no image is longer than what NFC reaches")
  precondition(image.missingBlocks.allSatisfy { $0 >= 0 }, "no missing block is below 0")
  precondition(zip(image.missingBlocks, image.missingBlocks.dropFirst()).allSatisfy(<), "missing blocks ascend")
  for case let writer as any DumpWriter in dumpFormats {
    // A long memory that begins with nothing is what the Proxmark's defect leaves, and is read as that.
    let isAsOverwritten = image.bytes.count > 1_280 && image.bytes.prefix(84).allSatisfy { $0 <= 1 }
    if writer.name == "proxmark-json", isAsOverwritten { continue }
    guard let file = try? writer.file(of: image) else { continue }
    do {
      let again = try DumpChoice.number(1).dump(in: try writer.dumps(in: DumpFile(file))).dump.image
      precondition(again.told(by: writer) == image.told(by: writer), "\(writer.name): written and read it is the same")
    } catch {
      preconditionFailure("\(writer.name): what was written is refused: \(error)")
    }
  }
}

extension MemoryImage {
  /// What a file of the writer's can hold of it. The bytes of missing blocks mean nothing.
  fileprivate func told(by writer: any DumpWriter) -> MemoryImage {
    var bytes = bytes
    for block in missingBlocks {
      let start = block * MemoryMap.blockSize
      for offset in start..<start + MemoryMap.blockSize where offset < bytes.count { bytes[offset] = 0 }
    }
    return MemoryImage(
      bytes: bytes, missingBlocks: writer.holds.contains(.missingBlocks) ? missingBlocks : [],
      uid: writer.holds.contains(.uid) ? uid : nil, patchInfo: writer.holds.contains(.patchInfo) ? patchInfo : nil,
      readAt: writer.holds.contains(.readAt) ? readAt : nil)
  }
}
