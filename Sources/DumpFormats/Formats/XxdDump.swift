// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The output of `xxd` for a memory, in every width and grouping (DumpFormats/Formats, "xxd and hexdump"). Only the
/// digits before the first two spaces are read; the characters after them may look like digits.
struct XxdDump: DumpWriter {
  let name = "xxd"
  let summary = "output of xxd: 00000000: 3acf 1016 0300 0000  :......., in any width and grouping"
  let holds: Set<DumpFact> = []
  let fileExtension: String? = "xxd"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    try HexListing(expected: "a row like `00000000: 3acf 1016 0300 0000  :.......`", row: Self.row).dumps(
      in: file.lines())
  }

  func file(of image: MemoryImage) throws(DumpError) -> [UInt8] {
    try requireAllBlocks(of: image)
    try requireOneMemory(in: image)
    let lines = HexListing.rows(of: image.bytes).map { offset, bytes in
      let groups = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { start in
        HexText.string(of: bytes[start..<min(start + 2, bytes.endIndex)]).lowercased()
      }
      let digits = groups.joined(separator: " ")
      let padding = String(repeating: " ", count: 41 - digits.count)
      let characters = String(decoding: HexListing.characters(of: bytes), as: UTF8.self)
      return "\(offset): \(digits)\(padding)\(characters)\n"
    }
    return Array(lines.joined().utf8)
  }

  private static func row(_ line: TextLine) -> HexListing.Row? {
    guard let (offset, rest) = HexListing.offset(of: line, separator: ": ") else { return nil }
    let end = rest.indices.first { rest[$0...].starts(with: "  ".utf8) } ?? rest.endIndex
    return HexListing.row(offset, rest[..<end])
  }
}
