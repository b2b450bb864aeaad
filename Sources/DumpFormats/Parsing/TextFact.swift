// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// A fact about the sensor in a line of text: one of libre's own comments, `# uid: E007A0000025905E`, or a UID or patch
/// info anywhere in a log line (DumpFormats/Formats, "Comments").
enum TextFact: Hashable {
  case uid(SensorUID)
  case patchInfo(PatchInfo)
  case readAt(Instant)
  case missingBlocks([Int])

  /// Throws `badHeader` for one of libre's own headers with an invalid value, and for eight bytes called a UID that are
  /// not one.
  init?(_ line: TextLine) throws(DumpError) {
    guard let separator = line.bytes.firstIndex(where: Self.isSeparator) else { return nil }
    if let own = try Self.own(line, separator: separator) {
      self = own
      return
    }
    var position: Int? = separator
    while let separator = position {
      let before = line.bytes[..<separator]
      let value = line.bytes[(separator + 1)...]
      let isUID = Self.isNamed(before, Self.uidNames)
      if isUID || Self.isNamed(before, Self.otherNames), let bytes = Self.leadingBytes(value, counts: [8]) {
        if let uid = try? SensorUID(bytesInEitherOrder: bytes) {
          self = .uid(uid)
          return
        }
        // Many other things have an `id`.
        if isUID { throw .badHeader(line: line.number, key: "uid", value: HexText.string(of: bytes)) }
      }
      if Self.isNamed(before, Self.patchInfoNames),
        let patchInfo = Self.leadingBytes(value, counts: [24, 6]).flatMap(PatchInfo.init)
      {
        self = .patchInfo(patchInfo)
        return
      }
      position = line.bytes[(separator + 1)...].firstIndex(where: Self.isSeparator)
    }
    return nil
  }

  var uid: SensorUID? { if case .uid(let uid) = self { uid } else { nil } }
  var patchInfo: PatchInfo? { if case .patchInfo(let patchInfo) = self { patchInfo } else { nil } }

  static func comments(of image: MemoryImage, without left: Set<DumpFact> = []) -> [String] {
    var lines: [String] = []
    if !left.contains(.uid), let uid = image.uid { lines.append("# uid: \(uid)") }
    if !left.contains(.patchInfo), let patchInfo = image.patchInfo { lines.append("# patch-info: \(patchInfo)") }
    if !left.contains(.readAt), let readAt = image.readAt { lines.append("# read-at: \(readAt.rfc3339)") }
    if !left.contains(.missingBlocks), !image.missingBlocks.isEmpty {
      lines.append("# missing-blocks: \(BlockRanges.text(image.missingBlocks))")
    }
    return lines
  }

  /// The fact of one of libre's own headers, whose form is checked.
  private static func own(_ line: TextLine, separator: Int) throws(DumpError) -> TextFact? {
    let trimmed = line.trimmed
    guard trimmed.first == UInt8(ascii: "#"), line.bytes[separator] == UInt8(ascii: ":") else { return nil }
    let name = TextLine(number: line.number, bytes: line.bytes[trimmed.startIndex + 1..<separator]).text.lowercased()
    let value = TextLine(number: line.number, bytes: line.bytes[(separator + 1)...]).text
    let fact: TextFact?
    switch name {
    case "uid": fact = (try? SensorUID(printed: value)).map(TextFact.uid)
    case "patch-info": fact = HexText.bytes(of: value).flatMap(PatchInfo.init).map(TextFact.patchInfo)
    case "read-at": fact = Instant(rfc3339: value).map(TextFact.readAt)
    case "missing-blocks": fact = BlockRanges.blocks(in: value).map(TextFact.missingBlocks)
    default: return nil
    }
    guard let fact else { throw .badHeader(line: line.number, key: name, value: value) }
    return fact
  }

  private static let uidNames = [Array("uid".utf8)]
  private static let otherNames = ["id", "identifier"].map { Array($0.utf8) }
  private static let patchInfoNames = ["patch info", "patchinfo", "patch-info", "patch_info"].map { Array($0.utf8) }

  private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") }

  /// True if the text ends with one of the names as a separate word, in either case.
  private static func isNamed(_ text: ArraySlice<UInt8>, _ names: [[UInt8]]) -> Bool {
    let end = (text.lastIndex { !TextLine.isSpace($0) }).map { $0 + 1 } ?? text.startIndex
    let text = text[..<end]
    return names.contains { name in
      guard text.count >= name.count, zip(text.suffix(name.count), name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else {
        return false
      }
      let before = text.dropLast(name.count).last
      return before.map { !isLetter($0) } ?? true
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  /// The bytes at the beginning of a value, two digits each, together or separated as in identifiers: as many
  /// as the first of `counts` that fits, followed by a space or the end. Other text may follow, such as a time.
  private static func leadingBytes(_ value: ArraySlice<UInt8>, counts: [Int]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var wholeAt: Set<Int> = []
    var rest = value.prefix(80).drop(while: TextLine.isSpace)
    while let byte = LineNumber.byte(rest.prefix(2)) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
      if rest.first.map({ HexText.nibble($0) == nil && !isLetter($0) && $0 != UInt8(ascii: ":") }) ?? true {
        wholeAt.insert(bytes.count)
      }
      rest = rest.drop { " \t:-".utf8.contains($0) }
    }
    return counts.first(where: wholeAt.contains).map { Array(bytes[..<$0]) }
  }
}

extension MemoryImage {
  /// The bytes in blocks; the last one may be cut.
  var blocks: [ArraySlice<UInt8>] {
    stride(from: 0, to: bytes.count, by: MemoryMap.blockSize).map { bytes[$0...].prefix(MemoryMap.blockSize) }
  }

  /// Returns false if the line is not a comment. Throws `badHeader` for one of libre's own headers, and the errors of
  /// `take`.
  mutating func takeComment(_ line: TextLine) throws(DumpError) -> Bool {
    guard line.isComment else { return false }
    if let fact = try TextFact(line) { try take(fact, line: line.number) }
    return true
  }

  /// Takes a fact. Throws `contradiction` for another value than before.
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

  mutating func complete(with other: MemoryImage) {
    uid = uid ?? other.uid
    patchInfo = patchInfo ?? other.patchInfo
    readAt = readAt ?? other.readAt
  }
}

/// Block numbers in a file: `3, 12-15, 40-42`.
enum BlockRanges {
  /// Ascending numbers, consecutive ones as ranges.
  static func text(_ blocks: [Int]) -> String {
    let texts = BlockRuns.runs(of: blocks).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound - 1)"
    }
    return texts.joined(separator: ", ")
  }

  /// The numbers in ascending order; nil unless the text consists of numbers and ranges that a sensor can have.
  static func blocks(in text: String) -> [Int]? {
    var isListed = Array(repeating: false, count: DumpLength.blockLimit)
    let parts = text.split(separator: ",", maxSplits: DumpLength.blockLimit, omittingEmptySubsequences: false)
    guard parts.count <= DumpLength.blockLimit else { return nil }
    for part in parts {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(number)
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last else {
        return nil
      }
      for block in first...last { isListed[block] = true }
    }
    return isListed.indices.filter { isListed[$0] }
  }

  /// The value of decimal digits, with optional spaces around them.
  private static func number(_ text: Substring) -> Int? {
    let digits = TextLine(number: 0, bytes: Array(text.utf8)[...]).trimmed
    return LineNumber.decimal(digits).flatMap { (0..<DumpLength.blockLimit).contains($0) ? $0 : nil }
  }
}
