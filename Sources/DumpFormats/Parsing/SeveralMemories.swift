// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// Memories that stand one after the other in a format that has no mark between them: files put together.
enum SeveralMemories {
  /// The memories of 344 bytes, if one behind the first holds; else the image as it is.
  ///
  /// What stood beside the bytes is of one of them, and nobody knows of which: they have none of it.
  static func dumps(in image: MemoryImage) -> DumpSequence {
    DumpSequence((parts(of: image) ?? [Dump(image: image)]).map { .success($0) })
  }

  /// nil for one memory.
  fileprivate static func parts(of image: MemoryImage) -> [Dump]? {
    let starts = Array(stride(from: 0, to: image.bytes.count, by: MemoryMap.byteCount))
    let isWhole = image.bytes.count.isMultiple(of: MemoryMap.byteCount)
    guard starts.count > 1, isWhole, image.missingBlocks.isEmpty else { return nil }
    let parts = starts.map {
      Dump(image: MemoryImage(bytes: Array(image.bytes[$0..<$0 + MemoryMap.byteCount])))
    }
    return parts.dropFirst().contains(where: \.memory.holdsSamples) ? parts : nil
  }
}

extension DumpWriter {
  /// Throws `cannotWrite` for a long memory that would be read as several again.
  func requireOneMemory(in image: MemoryImage) throws(DumpError) {
    if SeveralMemories.parts(of: image) != nil { throw .cannotWrite(format: name, obstacle: .severalMemories) }
  }
}
