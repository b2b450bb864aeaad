// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A memory after decryption, with all its bytes and facts; see `Decryption`.
package struct PlainMemory {
  package let memory: CheckedMemory
  private let decryption: Decryption

  /// Decrypts the memory with its UID and patch info, or with a key recovered from the memory itself.
  package init(_ memory: CheckedMemory) throws(MemoryError) {
    let image = memory.image
    var fram = memory.fram
    decryption = try Decryption(&fram, uid: image.uid, patchInfo: image.patchInfo)
    self.memory = decryption.cipher.map { CheckedMemory($0.applied(to: image)) } ?? memory
  }

  package var isBodyProven: Bool { decryption.isBodyProven }
  /// The cipher of the bytes as they were given, and the UID in its key; nil for bytes that were plain.
  package var key: (cipher: MemoryCipher, uid: SensorUID)? {
    guard let cipher = decryption.cipher, let uid = recovered?.uid ?? memory.image.uid else { return nil }
    return (cipher, uid)
  }
  var recovered: RecoveredKey? { decryption.recovered }

  func requireProvenBody(salvaging: Bool) throws(MemoryError) {
    try decryption.requireProvenBody(salvaging: salvaging, memory.image.patchInfo)
  }
}
