// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

extension DumpWriter {
  /// Throws `cannotWrite` for an image that has no block or ends within one, and `wrongLength` for one of more than a
  /// sensor has: a file of blocks could not give them back. `blockLimit` is what the format's own programs read.
  func requireWholeBlocks(of image: MemoryImage, blockLimit: Int = .max) throws(DumpError) {
    let blocks = image.bytes.count / MemoryMap.blockSize
    if blocks > blockLimit { throw .cannotWrite(format: name, obstacle: .tooManyBlocks(blocks, limit: blockLimit)) }
    if image.bytes.isEmpty || !image.bytes.count.isMultiple(of: MemoryMap.blockSize) {
      throw .cannotWrite(format: name, obstacle: .cutBlock(byteCount: image.bytes.count))
    }
    try DumpLength.check(image.bytes)
  }
}
