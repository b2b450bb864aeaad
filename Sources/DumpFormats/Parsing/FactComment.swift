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

  /// Takes over what any line says of the sensor; false if it says nothing. Throws as `takeComment` does.
  mutating func takeFact(_ line: TextLine) throws(DumpError) -> Bool {
    switch try TextFact(line) {
    case .uid(let uid): self.uid = uid
    case .patchInfo(let patchInfo): self.patchInfo = patchInfo
    case .readAt(let readAt): self.readAt = readAt
    case .missingBlocks(let blocks): missingBlocks = blocks
    case nil: return false
    }
    return true
  }
}
