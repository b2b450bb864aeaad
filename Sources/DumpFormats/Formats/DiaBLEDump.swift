// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// Memory listings of DiaBLE's console, and logs with such rows (DumpFormats/Formats, "DiaBLE").
///
/// The characters may look like digits and are never read as bytes; in a row without a number, all but one must match
/// the bytes, because nothing else identifies it. A row with only an address is placed by it: Libre 1's memory begins
/// at F860 (read: DiaBLE), any other memory at its first row. A row with neither follows the row before it.
struct DiaBLEDump: DumpWriter {
  let name = "diable"
  let summary = "DiaBLE's console and logs with its rows: #00  22 48 00 00 03 00 00 00  \"H......"
  let holds = Set(DumpFact.allCases)

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let lines = try file.lines()
    guard lines.contains(where: { DiaBLERow.row(in: $0) != nil || DiaBLEHeader($0)?.namesMemory == true }) else {
      throw .notThisFormat(lacks: "a row like `#00  22 48 00 00 03 00 00 00  \"H......`")
    }
    var collector = DumpCollector()
    var position = Position()
    var header: DiaBLEHeader?
    for line in lines where !line.isBlank {
      let row = DiaBLERow.row(in: line) ?? (header?.namesMemory ?? position.isBare ? DiaBLERow.bare(line) : nil)
      if let row {
        if header != nil { position = Position() }
        header = nil
        if let block = position.advance(to: row) { collector.place(row.bytes, at: block, line: line.number) }
      } else {
        try collector.note(line)
        if let found = DiaBLEHeader(line) {
          header = found
          collector.announce(found.label, line: line.number)
        }
      }
    }
    return collector.sequence()
  }

  /// Rows with block numbers under DiaBLE's own header, after comments with the known facts. Missing blocks are
  /// left out, except that the last block always has a row, so that the memory keeps its length.
  func file(of image: MemoryImage) throws(DumpError) -> [UInt8] {
    try requireWholeBlocks(of: image, blockLimit: MemoryMap.fullByteCount / MemoryMap.blockSize)
    let count = image.bytes.count / MemoryMap.blockSize
    let read = Set(0..<count).subtracting(image.missingBlocks)
    var lines = TextFact.comments(of: image) + ["NFC: did read \(read.count) FRAM blocks:"]
    for (block, bytes) in image.blocks.enumerated() where read.contains(block) || block == count - 1 {
      let number = HexText.string(of: [UInt8(truncatingIfNeeded: block)]).lowercased()
      let characters = String(decoding: HexListing.characters(of: bytes), as: UTF8.self)
      lines.append("#\(number)  \(HexText.string(of: bytes, separator: " "))  \(characters)")
    }
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  private struct Position {
    private var next = 0
    private var firstAddress: Int?
    /// True if the dump's rows so far had bytes only.
    private(set) var isBare = false

    private static let memory = 0xF860..<0xF860 + MemoryMap.fullByteCount

    /// The row's block; nil if its address is not that of a block.
    mutating func advance(to row: DiaBLERow) -> Int? {
      let block: Int
      switch row.place {
      case .block(let number): block = number
      case .address(let address):
        let isMemory =
          Self.memory.contains(address)
          && (address - Self.memory.lowerBound).isMultiple(of: MemoryMap.blockSize)
        let start = isMemory ? Self.memory.lowerBound : firstAddress ?? address
        firstAddress = start
        guard (address - start).isMultiple(of: MemoryMap.blockSize) else { return nil }
        block = (address - start) / MemoryMap.blockSize
      case .unnumbered, .bare: block = next
      }
      isBare = row.place == .bare
      next = block + 1
      return block
    }
  }
}

private struct DiaBLEHeader {
  let label: String
  /// True if the name is reliable enough to accept rows with bytes only.
  let namesMemory: Bool

  init?(_ line: TextLine) {
    let text = line.trimmed
    guard text.last == UInt8(ascii: ":"), text.first != UInt8(ascii: "#") else { return nil }
    label = String(decoding: text.dropLast(), as: UTF8.self)
    namesMemory = text.contains(text: "FRAM")
  }
}

private struct DiaBLERow {
  enum Place: Equatable {
    case block(Int)
    case address(Int)
    /// Bytes with their characters.
    case unnumbered
    case bare
  }

  let place: Place
  let bytes: [UInt8]

  /// The row in a line; nil unless it has a block number, or characters that match the bytes.
  static func row(in line: TextLine) -> DiaBLERow? {
    line.first(after: "#") { text in
      let digits = text.prefix(7).prefix { !TextLine.isSpace($0) }
      guard let block = LineNumber.hex(digits), let row = BlockRow(text[digits.endIndex...].withoutIndent)
      else { return nil }
      return DiaBLERow(place: .block(block), bytes: row.bytes)
    } ?? unnumbered(line)
  }

  /// The row in a line of exactly eight bytes; nil for any other line.
  static func bare(_ line: TextLine) -> DiaBLERow? {
    guard let row = BlockRow(line.trimmed), row.rest.isEmpty else { return nil }
    return DiaBLERow(place: .bare, bytes: row.bytes)
  }

  private static func unnumbered(_ line: TextLine) -> DiaBLERow? {
    // A row of xxd may look the same, but its offset must not be ignored.
    if HexListing.offset(of: line, separator: ": ") != nil { return nil }
    let text = line.bytes
    for start in text.indices where start == text.startIndex || TextLine.isSpace(text[start - 1]) {
      guard let row = BlockRow(text[start...]), shows(row.bytes, row.rest) else { continue }
      let address = address(at: text[..<start])
      return DiaBLERow(place: address.map(Place.address) ?? .unnumbered, bytes: row.bytes)
    }
    return nil
  }

  /// True if only the characters of the bytes follow. Spaces at the end may be missing, and one character may differ,
  /// so that a damaged byte does not shift the rows after it.
  private static func shows(_ bytes: [UInt8], _ rest: ArraySlice<UInt8>) -> Bool {
    guard rest.starts(with: "  ".utf8) else { return false }
    let shown = rest.dropFirst(2).prefix(bytes.count)
    guard rest[shown.endIndex...].allSatisfy(TextLine.isSpace) else { return false }
    let characters = HexListing.characters(of: bytes)
    let agreeing = zip(characters, shown + repeatElement(0x20, count: bytes.count)).count { $0 == $1 }
    return agreeing >= bytes.count - 1
  }

  /// The number at the end of a text, before its last two spaces.
  private static func address(at text: ArraySlice<UInt8>) -> Int? {
    guard text.suffix(2).elementsEqual("  ".utf8) else { return nil }
    let digits = text.dropLast(2).lastWord
    return digits.count > 1 ? LineNumber.hex(digits) : nil
  }
}
