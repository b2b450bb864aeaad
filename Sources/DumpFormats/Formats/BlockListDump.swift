// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import TextFormats

/// Numbered blocks as programs for microcontrollers print them (DumpFormats/Formats, "Block list"): a decimal number,
/// `0x` before each byte, and perhaps a comma after it. Text before `Block` is ignored.
struct BlockListDump: DumpFormat {
  let name = "block-list"
  let summary = "numbered blocks, a line each: Block 0: 0xD2 0x91 0x03 0x00 0x03 0x00 0x00 0x00"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let lines = try file.lines()
    guard lines.contains(where: { Self.row($0) != nil }) else {
      throw .notThisFormat(lacks: "a row like `Block 0: 0xD2 0x91 0x03 0x00 0x03 0x00 0x00 0x00`")
    }
    var collector = DumpCollector()
    for line in lines {
      if let row = Self.row(line) {
        collector.place(row.bytes, at: row.block, line: line.number)
      } else {
        try collector.note(line)
      }
    }
    return collector.sequence()
  }

  private static func row(_ line: TextLine) -> (block: Int, bytes: [UInt8])? {
    line.first(after: "Block ") { text in
      let number = text.withoutIndent.prefix { $0 != UInt8(ascii: ":") }
      guard number.count <= 5, number.endIndex < text.endIndex, let block = LineNumber.decimal(number) else {
        return nil
      }
      let words = text[(number.endIndex + 1)...].split(
        maxSplits: MemoryMap.blockSize, whereSeparator: { TextLine.isSpace($0) || $0 == UInt8(ascii: ",") })
      let bytes = words.compactMap { word -> UInt8? in
        guard word.count == 4, word.starts(with: "0x".utf8) || word.starts(with: "0X".utf8) else { return nil }
        return LineNumber.byte(word.dropFirst(2))
      }
      return words.count == MemoryMap.blockSize && bytes.count == MemoryMap.blockSize ? (block, bytes) : nil
    }
  }
}
