// SPDX-License-Identifier: Apache-2.0
package import CGMModel

extension MemoryImage {
  /// The image at the full length of a memory: what a short one lacks is missing, a block cut in two among it.
  package var whole: MemoryImage {
    guard bytes.count < MemoryMap.byteCount else { return self }
    var whole = self
    whole.bytes += Array(repeating: 0, count: MemoryMap.byteCount - bytes.count)
    whole.missingBlocks += Array(bytes.count / MemoryMap.blockSize..<MemoryMap.blockCount)
    return whole
  }
}
