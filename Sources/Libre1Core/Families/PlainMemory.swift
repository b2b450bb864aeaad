// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A memory after decryption, with all its bytes and facts; see `PlainFRAM`.
package struct PlainMemory {
  package let memory: CheckedMemory
  private let plain: PlainFRAM

  /// Decrypts the memory with its UID and patch info, or with a key recovered from the memory itself.
  package init(_ memory: CheckedMemory) throws(MemoryError) {
    let image = memory.image
    plain = try PlainFRAM(memory.fram, uid: image.uid, patchInfo: image.patchInfo)
    self.memory = plain.cipher.map { CheckedMemory($0.applied(to: image)) } ?? memory
  }

  package var isBodyProven: Bool { plain.isBodyProven }
  var recovered: RecoveredKey? { plain.recovered }

  func requireProvenBody(salvaging: Bool) throws(MemoryError) {
    try plain.requireProvenBody(salvaging: salvaging, memory.image.patchInfo)
  }
}
