// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The output of `hexdump -C` for a memory (DumpFormats/Formats, "xxd and hexdump"). The characters between the bars
/// are never read.
struct HexdumpDump: DumpWriter {
  let name = "hexdump"
  let summary = "output of hexdump -C: 00000000  3a cf 10 16 03 00 00 00  …  |:.......|"
  let holds: Set<DumpFact> = []
  let fileExtension: String? = "hexdump"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    try HexListing(expected: "a row like `00000000  3a cf 10 16 03 00 00 00  |:.......|`", row: Self.row)
      .dumps(in: file.lines())
  }

  func file(of image: MemoryImage) throws(DumpError) -> [UInt8] {
    try requireAllBlocks(of: image)
    try requireOneMemory(in: image)
    var lines: [String] = []
    var last: ArraySlice<UInt8> = []
    for (offset, bytes) in HexListing.rows(of: image.bytes) {
      if bytes.elementsEqual(last) {
        if lines.last != "*" { lines.append("*") }
        continue
      }
      last = bytes
      let halves = [bytes.prefix(8), bytes.dropFirst(8)].map { HexText.string(of: $0, separator: " ").lowercased() }
      let digits = "\(offset)  \(halves[0])  \(halves[1])"
      let padding = String(repeating: " ", count: 60 - digits.count)
      let characters = String(decoding: HexListing.characters(of: bytes), as: UTF8.self)
      lines.append("\(digits)\(padding)|\(characters)|")
    }
    lines.append(HexListing.text(offset: image.bytes.count))
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  private static func row(_ line: TextLine) -> HexListing.Row? {
    if let (offset, rest) = HexListing.offset(of: line, separator: "  ") {
      return HexListing.row(offset, rest.prefix { $0 != UInt8(ascii: "|") }, widest: 2)
    }
    return HexListing.offset(of: line, separator: "").flatMap {
      $0.rest.isEmpty ? HexListing.Row(offset: $0.offset, bytes: []) : nil
    }
  }
}
