// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

extension MemoryImage {
  /// Takes the fact in a comment line; returns false if the line is not a comment.
  ///
  /// - Throws: `badHeader` for one of libre's own headers with an invalid value, and the errors of `take`.
  mutating func takeComment(_ line: TextLine) throws(DumpError) -> Bool {
    guard line.isComment else { return false }
    if let fact = try TextFact(line) { try take(fact, line: line.number) }
    return true
  }

  /// Takes a fact.
  ///
  /// - Throws: `contradiction` for another value than before.
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

  /// Takes the facts of another image that are unknown in this one.
  mutating func complete(with other: MemoryImage) {
    uid = uid ?? other.uid
    patchInfo = patchInfo ?? other.patchInfo
    readAt = readAt ?? other.readAt
  }
}
