// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import Libre1Core
import TextFormats

/// Hex digits in any spacing, as copied from a log or from source code in many languages (DumpFormats/Formats, "Hex").
/// Lines that begin with `#` are comments, of which four forms hold facts that the bytes do not contain (`TextFact`).
///
/// Lines of 344 bytes and up to three blocks more, or of 1952 bytes, are one memory each. Missing blocks are zeros that
/// do not come from the sensor. A line that is only a UID, in any of its forms, is read too.
package struct HexDump: DumpWriter {
  package init() {}

  package let name = "hex"
  package let summary =
    "hex digits in any spacing; # lines are comments, with # uid:, # patch-info:, # read-at:, # missing-blocks:"
  package let holds = Set(DumpFact.allCases)
  package let fileExtension: String? = "hex"

  package func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let lines = try file.lines()
    var before: [MemoryImage] = []
    var image = MemoryImage(bytes: [])
    for line in lines {
      if let fact = try TextFact(line) {
        // A header after a whole memory belongs to the next one.
        if image.bytes.count >= MemoryMap.byteCount {
          before.append(image)
          image = MemoryImage(bytes: [])
        }
        try image.take(fact, line: line.number)
      } else if !line.isComment {
        let start = image.bytes.count
        do {
          try Self.readDigits(line, into: &image.bytes)
        } catch {
          throw Self.isMostlyHex(lines) ? error : .notThisFormat(lacks: "only hex digits")
        }
        if start > 0, Self.lengthsOfLines.contains(image.bytes.count - start) {
          let next = MemoryImage(bytes: Array(image.bytes[start...]))
          image.bytes.removeSubrange(start...)
          before.append(image)
          image = next
        }
      }
    }
    // But facts at the end of the file belong to the last one.
    if image.bytes.isEmpty, var last = before.popLast() {
      last.complete(with: image)
      image = last
    }
    if image.bytes.isEmpty { throw .notThisFormat(lacks: "hex digits") }
    for image in before + [image] { try DumpLength.check(image.bytes) }
    if before.isEmpty { return SeveralMemories.dumps(in: image) }
    return DumpSequence((before + [image]).map { .success(Dump(image: $0)) })
  }

  package func file(of image: MemoryImage) throws(DumpError) -> [UInt8] { try file(of: image, notes: []) }

  package func file(of image: MemoryImage, notes: [String]) throws(DumpError) -> [UInt8] {
    try requireOneMemory(in: image)
    return Array(Self.text(of: image, notes: notes).utf8)
  }

  /// The notes as comments, the known facts as headers, then one block on each line.
  package static func text(of image: MemoryImage, notes: [String]) -> String {
    let lines = notes.map { "# \($0)" } + TextFact.comments(of: image)
    return (lines + image.blocks.map { HexText.string(of: $0, separator: " ") }).map { $0 + "\n" }.joined()
  }

  /// The numbers of bytes that make a line one memory of a series, because no program breaks lines there.
  private static let lengthsOfLines = Set(
    (0..<4).map { MemoryMap.byteCount + $0 * MemoryMap.blockSize } + [MemoryMap.fullByteCount])

  private static func readDigits(_ line: TextLine, into bytes: inout [UInt8]) throws(DumpError) {
    let text = line.bytes
    var high: UInt8?
    var position = text.startIndex
    while position < text.endIndex {
      let character = text[position]
      let next = position + 1 < text.endIndex ? text[position + 1] : 0
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
      } else if !isSeparator(character) {
        let column = position - text.startIndex + 1
        throw .notHex(line: line.number, column: column, character: shown(character))
      } else if high != nil {
        throw .oddHexDigits(line: line.number)
      }
      position += 1
    }
    if high != nil { throw .oddHexDigits(line: line.number) }
  }

  /// True if the text is probably meant as hex, with more digits than other characters, so that the wrong place is
  /// reported.
  private static func isMostlyHex(_ lines: TextLines) -> Bool {
    var digits = 0
    var others = 0
    for line in lines where !line.isComment {
      for character in line.bytes where !isSeparator(character) {
        if HexText.nibble(character) != nil { digits += 1 } else { others += 1 }
      }
    }
    return digits > others
  }

  private static func isSeparator(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "'"):
      true
    default: TextLine.isSpace(character)
    }
  }

  private static func shown(_ character: UInt8) -> String {
    (0x21...0x7E).contains(character) ? String(UnicodeScalar(character)) : "byte \(HexText.string(of: character))"
  }
}
