// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

extension DumpWriter {
  /// Throws `cannotWrite` for an image that has no block or ends within one, and `wrongLength` for one of more than a
  /// sensor has: a file of blocks could not give them back.
  func requireWholeBlocks(of image: MemoryImage) throws(DumpError) {
    if image.bytes.isEmpty || !image.bytes.count.isMultiple(of: MemoryMap.blockSize) {
      throw .cannotWrite(format: name, obstacle: .cutBlock(byteCount: image.bytes.count))
    }
    try DumpLength.check(image.bytes.count)
  }
}
