// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// Memories that follow each other in a format without separators, in files that were concatenated.
enum SeveralMemories {
  /// The memories of 344 bytes, if one after the first has correct checksums, or those that are proven, with other bytes
  /// between them; otherwise the image as it is. Several have no facts, because it is not known which of them a fact
  /// belongs to.
  static func dumps(in image: MemoryImage) -> DumpSequence {
    DumpSequence((parts(of: image) ?? [Dump(image: image)]).map { .success($0) })
  }

  fileprivate static func parts(of image: MemoryImage) -> [Dump]? {
    let starts = Array(stride(from: 0, to: image.bytes.count, by: MemoryMap.byteCount))
    guard starts.count > 1, image.missingBlocks.isEmpty else { return nil }
    guard image.bytes.count.isMultiple(of: MemoryMap.byteCount) else {
      let proven = ProvenMemory.all(in: image.bytes)
      return proven.count > 1 ? proven.map { Dump(image: $0.image) } : nil
    }
    let parts = starts.map {
      Dump(image: MemoryImage(bytes: Array(image.bytes[$0..<$0 + MemoryMap.byteCount])))
    }
    return parts.dropFirst().contains { $0.memory.integrity.body.isTrusted } ? parts : nil
  }
}

extension DumpWriter {
  func requireOneMemory(in image: MemoryImage) throws(DumpError) {
    if SeveralMemories.parts(of: image) != nil { throw .cannotWrite(format: name, obstacle: .severalMemories) }
  }
}
