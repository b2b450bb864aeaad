// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core

/// Hex digits in any spacing, as pasted from a log or out of source code in many languages.
///
/// Passed over: white space, `, ; : - < > [ ] { } ( )`, quotes, and `0x` before two digits. Lines that begin with `#` are
/// comments; four of them are understood, so that a dump can say what its bytes do not hold:
///
///     # uid: E007A0000025905E
///     # patch-info: DF0000000000
///     # read-at: 2024-05-02T10:15:00Z
///     # missing-blocks: 12-15, 40-42
///
/// Missing blocks stand there as zeros, which are not the sensor's: a read that was broken off was saved.
public struct HexDump: DumpFormat {
  public init() {}

  public let name = "hex"
  public let summary =
    "hex digits in any spacing; # lines are comments, with # uid:, # patch-info:, # read-at:, # missing-blocks:"

  public func parse(_ file: [UInt8]) throws(DumpError) -> MemoryImage {
    guard !file.isEmpty else { throw .empty }
    guard TextFile.isText(file) else { throw .isBinary }
    var image = MemoryImage(bytes: [])
    var lineNumber = 0
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = file.dropFirst(file.starts(with: byteOrderMark) ? byteOrderMark.count : 0)
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      lineNumber += 1
      if line.first(where: { !Self.isBlank($0) }) == UInt8(ascii: "#") {
        try Self.readHeader(line, number: lineNumber, into: &image)
      } else {
        try Self.readDigits(line, number: lineNumber, into: &image.bytes)
      }
    }
    try DumpLength.check(image.bytes.count)
    return image
  }

  /// The image as such a file: the notes as comments, what is known beside the bytes as headers, then a block a line.
  public static func text(of image: MemoryImage, notes: [String]) -> String {
    var lines = notes.map { "# \($0)" }
    if let uid = image.uid { lines.append("# uid: \(uid)") }
    if let patchInfo = image.patchInfo { lines.append("# patch-info: \(patchInfo)") }
    if let readAt = image.readAt { lines.append("# read-at: \(readAt.rfc3339)") }
    if !image.missingBlocks.isEmpty { lines.append("# missing-blocks: \(BlockRanges.text(image.missingBlocks))") }
    for start in stride(from: 0, to: image.bytes.count, by: MemoryMap.blockSize) {
      let block = image.bytes[start..<min(start + MemoryMap.blockSize, image.bytes.count)]
      lines.append(HexText.string(of: block, separator: " "))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func readDigits(_ line: ArraySlice<UInt8>, number: Int, into bytes: inout [UInt8]) throws(DumpError) {
    var high: UInt8?
    var position = line.startIndex
    while position < line.endIndex {
      let character = line[position]
      let next = position + 1 < line.endIndex ? line[position + 1] : 0
      if high == nil, character == UInt8(ascii: "0"), next | 0x20 == UInt8(ascii: "x") {
        position += 2
        continue
      }
      if let nibble = HexText.nibble(character) {
        if let first = high {
          bytes.append(first << 4 | nibble)
          high = nil
        } else {
          high = nibble
        }
      } else if !isBlank(character), !separators.contains(character) {
        let column = position - line.startIndex + 1
        throw .notHex(line: number, column: column, character: Self.shown(character))
      } else if high != nil {
        throw .oddHexDigits(line: number)
      }
      position += 1
    }
    if high != nil { throw .oddHexDigits(line: number) }
  }

  private static func readHeader(
    _ line: ArraySlice<UInt8>, number: Int, into image: inout MemoryImage
  ) throws(DumpError) {
    let text = String(decoding: line.drop { isBlank($0) || $0 == UInt8(ascii: "#") }, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":") else { return }
    let key = text[..<colon].lowercased()
    let rest = text[text.index(after: colon)...].drop(while: \.isWhitespace)
    let value = String(rest.reversed().drop(while: \.isWhitespace).reversed())
    switch key {
    case "uid":
      guard let uid = try? SensorUID(printed: value) else { throw .badHeader(line: number, key: key, value: value) }
      image.uid = uid
    case "patch-info":
      guard let patchInfo = HexText.bytes(of: value).flatMap(PatchInfo.init) else {
        throw .badHeader(line: number, key: key, value: value)
      }
      image.patchInfo = patchInfo
    case "read-at":
      guard let instant = Instant(rfc3339: value) else { throw .badHeader(line: number, key: key, value: value) }
      image.readAt = instant
    case "missing-blocks":
      guard let blocks = BlockRanges.blocks(in: value) else {
        throw .badHeader(line: number, key: key, value: value)
      }
      image.missingBlocks = blocks
    default: return
    }
  }

  private static func isBlank(_ character: UInt8) -> Bool { character == 0x20 || (0x09...0x0D).contains(character) }

  private static func shown(_ character: UInt8) -> String {
    (0x21...0x7E).contains(character) ? String(UnicodeScalar(character)) : "byte \(HexText.string(of: character))"
  }

  private static let separators = Set(",;:-<>[]{}()\"'".utf8)
}
