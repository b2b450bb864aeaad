// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// The output of a Proxmark3 client for `hf 15 dump`, `hf 15 rdmulti` and `hf 15 rdbl` (DumpFormats/Formats,
/// "Console").
///
/// Any text may come before `[=]`, which may be missing after a header `blk │ data`, as in copied text. If the last
/// blocks of a memory are equal, the dense form does not contain their number: the dump ends with the last one shown.
struct ProxmarkConsoleDump: DumpFormat {
  let name = "proxmark-console"
  let summary = "output of a Proxmark3 client for hf 15 dump (with or without -z), rdmulti and rdbl"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let lines = try file.lines()
    guard lines.bytes.contains(text: "[=]") || lines.bytes.contains(text: "blk | data") else {
      throw .notThisFormat(lacks: "lines with `[=]`, or `blk | data`")
    }
    var log = Log()
    for line in lines { try log.read(line) }
    guard log.hasBlocks else { throw .notThisFormat(lacks: "lines `[=] 0 | 00 00 … | 0 | …`") }
    var dumps = log.collector.sequence()
    return DumpSequence { dumps.next()?.map { ProxmarkDefect.marked($0) } }
  }
}

private struct Log {
  private(set) var collector = DumpCollector()
  private(set) var hasBlocks = false
  private var hasHeader = false
  private var last: (block: Int, bytes: [UInt8])?
  /// True if the blocks after the last are equal to it.
  private var isRepeating = false
  /// The number of blocks that dots may still stand for: one memory, and some more for each row. Otherwise a file of
  /// dots would take thousands of times its own size.
  private var allowance = Self.blockCount
  /// The block whose number `rdbl` has printed, but not yet its bytes.
  private var announced: Int?

  mutating func read(_ line: TextLine) throws(DumpError) {
    let start = Self.afterPrefix(line.bytes)
    let trimmed = TextLine(number: line.number, bytes: line.bytes[(start ?? line.bytes.startIndex)...]).trimmed
    let isHeader = trimmed.starts(with: "blk".utf8)
    hasHeader = hasHeader || isHeader
    guard start != nil || hasHeader else {
      try note(line)
      return
    }
    if trimmed.count >= 3, trimmed.allSatisfy({ $0 == UInt8(ascii: ".") }) {
      isRepeating = true
      return
    }
    let columns = trimmed.split(separator: UInt8(ascii: "|"), maxSplits: 2, omittingEmptySubsequences: false)
    guard columns.count > 1 else {
      try note(line)
      return
    }
    let first = Self.words(columns[0])
    let second = Self.words(columns[1])
    if isHeader {
      collector.begin(line: line.number)
      (last, isRepeating, announced) = (nil, false, nil)
    } else if trimmed.first == UInt8(ascii: "#") {
      announced = Self.words(columns[0].dropFirst()).first.flatMap(LineNumber.decimal)
    } else if first.count == 1, let block = Self.number(first[0]), let byte = second.first,
      LineNumber.byte(byte) != nil
    {
      try place(LineNumber.bytes(second), at: block, line: line.number)
    } else if let block = announced, let byte = first.first, LineNumber.byte(byte) != nil {
      announced = nil
      try place(LineNumber.bytes(first), at: block, line: line.number)
    } else {
      try note(line)
    }
  }

  /// Adds a block. Bytes that cannot be read count as a block of the wrong size, so that the dump fails at this line.
  private mutating func place(_ bytes: [UInt8]?, at block: Int, line: Int) throws(DumpError) {
    let bytes = bytes ?? []
    allowance += 8
    if isRepeating, let last, last.block + 1 < block, block < Self.blockCount {
      allowance -= block - last.block - 1
      if allowance < 0 { throw .tooLarge(found: nil, limit: DumpFile.sizeLimit) }
      for repeated in last.block + 1..<block { collector.place(last.bytes, at: repeated, line: line) }
    }
    collector.place(bytes, at: block, line: line)
    last = (block, bytes)
    isRepeating = false
    hasBlocks = true
  }

  private mutating func note(_ line: TextLine) throws(DumpError) {
    let words = line.words
    guard let label = words.firstIndex(where: Self.isUIDLabel),
      let bytes = LineNumber.bytes(words[(label + 1)...].prefix(8)), bytes.count == 8
    else {
      try collector.note(line)
      return
    }
    // An emulator's empty memory has zeros for its UID.
    if bytes.allSatisfy({ $0 == 0 }) { return }
    do {
      collector.note(uid: try SensorUID(printed: HexText.string(of: bytes)), line: line.number)
    } catch {
      throw .badHeader(line: line.number, key: "UID", value: HexText.string(of: bytes))
    }
  }

  private static let blockCount = MemoryMap.fullByteCount / MemoryMap.blockSize

  private static func isUIDLabel(_ word: ArraySlice<UInt8>) -> Bool {
    word.starts(with: "UID.".utf8) && word.dropFirst(4).allSatisfy { $0 == UInt8(ascii: ".") }
  }

  /// `12` or `12/0x0C`
  private static func number(_ word: ArraySlice<UInt8>) -> Int? {
    LineNumber.decimal(word.prefix { $0 != UInt8(ascii: "/") })
  }

  /// Returns the position of the text after `[=]`.
  private static func afterPrefix(_ bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    while let bracket = rest.firstIndex(of: UInt8(ascii: "[")) {
      rest = rest[(bracket + 1)...]
      if rest.starts(with: "=]".utf8) { return bracket + 3 }
    }
    return nil
  }

  private static func words(_ column: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    // No block has more than 32 bytes.
    column.split(maxSplits: 33, whereSeparator: TextLine.isSpace)
  }
}
