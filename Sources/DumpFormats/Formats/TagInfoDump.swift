// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// A report of NXP's TagInfo, exported or shared as text (DumpFormats/Formats, "TagInfo"). A report of a Libre 2 has
/// lost every ninth byte: `DumpDefect.takenForLocks`.
struct TagInfoDump: DumpFormat {
  let name = "taginfo"
  let summary = "NXP TagInfo's report as text: [00] . 22 48 00 00 03 00 00 00 |\"H......|"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let lines = try file.lines()
    // A truncated row has fewer bytes than a block, and no row has more.
    guard let blockSize = lines.lazy.compactMap({ Self.row($0)?.size }).max() else {
      if lines.contains(where: Self.isTitle) { throw .noMemory }
      if lines.contains(where: { $0.contains("<?xml") }), file.bytes.contains(text: "TagInfo") {
        throw .badLine(line: 1, expected: "TagInfo's report as text; its XML is not supported")
      }
      throw .notThisFormat(lacks: "a row like `[00] . 22 48 00 00 03 00 00 00 |\"H......|`")
    }
    var collector = DumpCollector(blockSize: blockSize)
    for line in lines {
      if let row = Self.row(line) {
        collector.place(row.bytes, at: row.block, line: line.number)
      } else {
        if Self.isTitle(line) { collector.announce(line: line.number) }
        try collector.note(line)
      }
    }
    var dumps = collector.sequence()
    return DumpSequence { dumps.next()?.map(Self.marked) }
  }

  /// Marks the defect of a dump that may be of a Libre 2 and has no valid checksum.
  private static func marked(_ dump: Dump) -> Dump {
    guard dump.image.uid?.isLibre2 ?? true, dump.memory.integrity.trustedRegions == 0 else { return dump }
    var dump = dump
    dump.defect = .takenForLocks
    return dump
  }

  private static func isTitle(_ line: TextLine) -> Bool { line.contains("** TagInfo scan") }

  private struct Row {
    let block: Int
    let size: Int
    /// nil if one of them could not be read.
    let bytes: [UInt8]?
  }

  private static let maximumBlockSize = 32
  /// The maximum number of characters from the block number to the last byte.
  private static let width = 8 + maximumBlockSize * 3

  private static func row(_ line: TextLine) -> Row? {
    line.first(after: "[") { text in
      guard let end = text.prefix(7).firstIndex(of: UInt8(ascii: "]")), let block = LineNumber.hex(text[..<end])
      else { return nil }
      let words = text[(end + 1)...].prefix(width).split(
        maxSplits: maximumBlockSize + 1, whereSeparator: TextLine.isSpace)
      guard let access = words.first, access.count <= 3, LineNumber.byte(access) == nil else { return nil }
      let cells = words.dropFirst().prefix { LineNumber.byte($0) != nil || $0.elementsEqual("--".utf8) }
      let isBytesAlone = words[cells.endIndex...].first.map { $0.first == UInt8(ascii: "|") } ?? true
      guard !cells.isEmpty, isBytesAlone else { return nil }
      return Row(block: block, size: cells.count, bytes: LineNumber.bytes(cells))
    }
  }
}
