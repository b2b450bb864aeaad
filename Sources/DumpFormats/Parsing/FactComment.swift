// SPDX-License-Identifier: Apache-2.0
import CGMModel

extension MemoryImage {
  /// Takes over what a comment line says of the sensor; false if the line is no comment.
  ///
  /// Throws `badHeader` for one of our own headers with a value that cannot be read.
  mutating func takeComment(_ line: TextLine) throws(DumpError) -> Bool {
    guard line.trimmed.first == UInt8(ascii: "#") else { return false }
    _ = try takeFact(line)
    return true
  }

  /// Takes over what any line says of the sensor; false if it says nothing.
  ///
  /// Throws as `takeComment` does, and `contradiction` for something else than what was said before.
  mutating func takeFact(_ line: TextLine) throws(DumpError) -> Bool {
    guard let fact = try TextFact(line) else { return false }
    let before = self
    switch fact {
    case .uid(let uid): self.uid = uid
    case .patchInfo(let patchInfo): self.patchInfo = patchInfo
    case .readAt(let readAt): self.readAt = readAt
    case .missingBlocks(let blocks): missingBlocks = blocks
    }
    if let uid = before.uid, uid != self.uid { throw .contradiction(line: line.number, key: "UID") }
    if let info = before.patchInfo, info != patchInfo { throw .contradiction(line: line.number, key: "patch info") }
    if let readAt = before.readAt, readAt != self.readAt { throw .contradiction(line: line.number, key: "time") }
    return true
  }

  /// Takes over what is known of another image, as far as nothing is known of this one.
  mutating func complete(with other: MemoryImage) {
    uid = uid ?? other.uid
    patchInfo = patchInfo ?? other.patchInfo
    readAt = readAt ?? other.readAt
  }
}
