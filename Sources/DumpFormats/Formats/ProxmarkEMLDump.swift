// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// The `.eml` text of a Proxmark3 (DumpFormats/Formats, "EML"), from block 0. Lines that begin with `#` are comments.
struct ProxmarkEMLDump: DumpWriter {
  let name = "proxmark-eml"
  let fileExtension: String? = "eml"
  let summary = "a block a line, 16 or 8 hex digits without spaces; # lines are comments, as in hex"
  let holds: Set<DumpFact> = [.uid, .patchInfo, .readAt]

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    var image = MemoryImage(bytes: [])
    var width: Int?
    for line in try file.lines() where !line.isBlank {
      if try image.takeComment(line) { continue }
      guard let bytes = Self.block(line), bytes.count == width ?? bytes.count else {
        guard let width else { throw .notThisFormat(lacks: "one block a line, 16 or 8 hex digits without spaces") }
        throw .badLine(line: line.number, expected: "a block of \(2 * width) hex digits")
      }
      width = bytes.count
      image.bytes += bytes
    }
    guard width != nil else { throw .notThisFormat(lacks: "a block") }
    try DumpLength.check(image.bytes)
    return SeveralMemories.dumps(in: image)
  }

  func file(of image: MemoryImage) throws(DumpError) -> [UInt8] {
    try requireAllBlocks(of: image)
    try requireOneMemory(in: image)
    try requireWholeBlocks(of: image)
    let blocks = image.blocks.map { HexText.string(of: $0) }
    return Array((TextFact.comments(of: image) + blocks).map { $0 + "\n" }.joined().utf8)
  }

  private static func block(_ line: TextLine) -> [UInt8]? {
    let digits = line.trimmed
    guard digits.count == 16 || digits.count == 8, digits.allSatisfy({ HexText.nibble($0) != nil }) else { return nil }
    return HexText.bytes(of: String(decoding: digits, as: UTF8.self))
  }
}
