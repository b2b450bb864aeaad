// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// A file as listed by programs that show bytes: rows that begin with the offset of their first byte.
///
/// Rows must follow each other without gaps. A line `*` replaces rows equal to the one before it, up to the next
/// offset. The first offset may have any value: an address, or a position in a longer file.
struct HexListing {
  struct Row {
    let offset: Int
    /// The bytes; empty for an offset alone, which ends a listing; nil for bytes that cannot be read.
    let bytes: [UInt8]?
  }

  let expected: String
  /// Returns nil for a line that does not begin with an offset.
  let row: (TextLine) -> Row?

  /// Each with the facts about the sensor in the lines around it. A memory whose rows do not fit together gives a
  /// failure in its place. Throws `notThisFormat`, and the error of a line with an invalid fact.
  func dumps(in lines: TextLines) throws(DumpError) -> DumpSequence {
    guard lines.contains(where: { row($0)?.bytes?.isEmpty == false }) else { throw .notThisFormat(lacks: expected) }
    var listings: [Listing] = []
    var facts: [(fact: TextFact, line: Int)] = []
    for line in lines {
      if let row = row(line) {
        if listings.last?.isEnd(before: row) ?? true { listings.append(Listing(line: line.number)) }
        listings[listings.count - 1].take(row, line: line.number, expected: expected)
      } else if line.trimmed.elementsEqual("*".utf8) {
        listings.indices.last.map { listings[$0].repeatsUntilNext = line.number }
      } else if let fact = try TextFact(line) {
        facts.append((fact, line.number))
      }
    }
    listings.removeAll(where: \.isEmpty)
    guard listings.count == 1, case .success(var image) = listings[0].image else {
      // With several memories it is not known which of them a fact belongs to.
      return DumpSequence(listings.map { listing in listing.image.map { Dump(image: $0, line: listing.line) } })
    }
    for (fact, line) in facts { try image.take(fact, line: line) }
    let dumps = SeveralMemories.dumps(in: image).map { dump in
      dump.map { Dump(image: $0.image, line: listings[0].line) }
    }
    return DumpSequence(dumps)
  }
}

private struct Listing {
  let line: Int
  private var start = 0
  private var bytes: [UInt8] = []
  private var last: [UInt8] = []
  /// The line of a `*` whose rows are not added yet.
  var repeatsUntilNext: Int?
  private var isClosed = false
  private var failure: DumpError?

  init(line: Int) { self.line = line }

  var isEmpty: Bool { bytes.isEmpty && failure == nil }

  /// True if this one has ended, or it holds a memory and the row begins at the same offset.
  func isEnd(before row: HexListing.Row) -> Bool {
    isClosed && row.bytes?.isEmpty == false
      || bytes.count >= MemoryGeometry.minimumByteCount && row.offset == start && row.bytes?.isEmpty == false
  }

  mutating func take(_ row: HexListing.Row, line: Int, expected: String) {
    guard failure == nil else { return }
    if bytes.isEmpty { start = row.offset }
    guard let new = row.bytes else { return failure = .badLine(line: line, expected: expected) }
    let next = start + bytes.count
    let gap = row.offset - next
    if repeatsUntilNext != nil, gap > 0, gap <= DumpFile.sizeLimit - bytes.count, !last.isEmpty {
      // Only the end of a file may be inside a row.
      if gap.isMultiple(of: last.count) || new.isEmpty { bytes += (0..<gap).map { last[$0 % last.count] } }
    }
    repeatsUntilNext = nil
    guard row.offset == start + bytes.count else {
      return failure = .badLine(
        line: line, expected: "offset \(HexListing.text(offset: next)), where the row before it ends")
    }
    bytes += new
    if !new.isEmpty { last = new }
    isClosed = new.isEmpty
  }

  var image: Result<MemoryImage, DumpError> {
    Result { () throws(DumpError) in
      if let failure { throw failure }
      if let repeatsUntilNext {
        throw .badLine(line: repeatsUntilNext, expected: "a row after *, up to which the last row is repeated")
      }
      try DumpLength.check(bytes)
      return MemoryImage(bytes: bytes)
    }
  }
}

extension HexListing {
  /// The seven or eight hex digits before `separator` at the beginning of a line, and the rest of the line.
  static func offset(of line: TextLine, separator: String) -> (offset: Int, rest: ArraySlice<UInt8>)? {
    let text = line.trimmed
    let digits = text.prefix { HexText.nibble($0) != nil }
    guard (7...8).contains(digits.count), text[digits.endIndex...].starts(with: separator.utf8) else { return nil }
    let offset = digits.reduce(0) { $0 << 4 | Int(HexText.nibble($1) ?? 0) }
    return (offset, text[(digits.endIndex + separator.utf8.count)...])
  }

  /// The bytes are nil for an odd number of digits and for other characters.
  static func row(_ offset: Int, _ groups: ArraySlice<UInt8>, widest: Int = .max) -> Row {
    var bytes: [UInt8] = []
    for group in groups.split(whereSeparator: TextLine.isSpace) {
      guard group.count.isMultiple(of: 2), group.count <= widest else { return Row(offset: offset, bytes: nil) }
      for start in stride(from: group.startIndex, to: group.endIndex, by: 2) {
        guard let byte = LineNumber.byte(group[start..<start + 2]) else { return Row(offset: offset, bytes: nil) }
        bytes.append(byte)
      }
    }
    return Row(offset: offset, bytes: bytes.isEmpty ? nil : bytes)
  }

  /// The rows of a file, 16 bytes each: the offset of each, and its bytes.
  static func rows(of bytes: [UInt8]) -> [(offset: String, bytes: ArraySlice<UInt8>)] {
    stride(from: 0, to: bytes.count, by: 16).map { start in
      (text(offset: start), bytes[start..<min(start + 16, bytes.count)])
    }
  }

  static func text(offset: Int) -> String {
    DecimalText.padded(String(offset, radix: 16), to: 8)
  }

  /// The bytes as characters, with a point for unprintable ones.
  static func characters(of bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") }
  }
}
