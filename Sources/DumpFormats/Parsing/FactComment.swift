// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

extension MemoryImage {
  /// Takes over what a comment line says of the sensor; false if the line is no comment.
  ///
  /// Throws `badHeader` for one of our own headers with a value that cannot be read, and what `take` throws.
  mutating func takeComment(_ line: TextLine) throws(DumpError) -> Bool {
    guard line.isComment else { return false }
    if let fact = try TextFact(line) { try take(fact, line: line.number) }
    return true
  }

  /// Takes over what a line says. Throws `contradiction` for something else than what was said before.
  mutating func take(_ fact: TextFact, line: Int) throws(DumpError) {
    let before = self
    switch fact {
    case .uid(let uid): self.uid = uid
    case .patchInfo(let patchInfo): self.patchInfo = patchInfo
    case .readAt(let readAt): self.readAt = readAt
    case .missingBlocks(let blocks): missingBlocks = blocks
    }
    if let uid = before.uid, uid != self.uid { throw .contradiction(line: line, key: "UID") }
    if let info = before.patchInfo, info != patchInfo { throw .contradiction(line: line, key: "patch info") }
    if let readAt = before.readAt, readAt != self.readAt { throw .contradiction(line: line, key: "time") }
  }

  /// Takes over what is known of another image, as far as nothing is known of this one.
  mutating func complete(with other: MemoryImage) {
    uid = uid ?? other.uid
    patchInfo = patchInfo ?? other.patchInfo
    readAt = readAt ?? other.readAt
  }
}
