// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem
import Libre1Core

/// The unchanged bytes of the memory: 344, or a few blocks more, or all 1952 that NFC can reach.
package struct RawDump: DumpWriter {
  package init() {}

  package let name = "raw"
  package let aliases = ["bin"]
  package let summary = "the memory's bytes: 344, 352, 360, 368 … 1952 (176 for Libre Pro)"
  package let holds: Set<DumpFact> = []
  package let fileExtension: String? = "bin"

  /// A memory of any number of whole blocks up to the last of a Libre 1; a shorter memory is returned as it is.
  package func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    guard !file.bytes.isEmpty else { throw .empty }
    if let error = Self.otherContent(of: file) { throw error }
    try DumpLength.check(file.bytes)
    return SeveralMemories.dumps(in: MemoryImage(bytes: file.bytes))
  }

  /// The bytes, unless they would not be read as a memory again.
  package func file(of image: MemoryImage) throws(DumpError) -> [UInt8] {
    try requireAllBlocks(of: image)
    try requireOneMemory(in: image)
    if Self.otherContent(of: DumpFile(image.bytes)) != nil || Gzip.isGzip(image.bytes) {
      throw .cannotWrite(format: name, obstacle: .otherContent)
    }
    return image.bytes
  }

  /// The reason why the bytes are not a memory, whatever their number.
  private static func otherContent(of file: DumpFile) -> DumpError? {
    if file.text != nil { return .isText }
    // Of a database only the first bytes are here, and no memory begins with them.
    return file.bytes.starts(with: ForeignDatabase.signature)
      ? .notThisFormat(lacks: "a memory, found a database") : nil
  }
}
