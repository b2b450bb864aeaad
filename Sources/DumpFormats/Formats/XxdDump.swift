// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The output of `xxd` for a memory, in every width and grouping.
///
///     00000000: 3acf 1016 0300 0000 0000 0000 0000 0000  :...............
///     00000010: 0000 0000 0000 0000 62c2 0d06 0000 0000  ........b.......
///
/// | option | changes |
/// |---|---|
/// | `-c 8`, `-g 1`, `-g 0` | bytes in a row, bytes in a group |
/// | `-u` | upper-case digits |
/// | `-s`, `-o` | the first offset |
/// | `-a` | a line `*` for rows of zeros |
///
/// Only the digits before the first two spaces are read; the characters after them may look like digits. The output of
/// `xxd -p` is read by the format `hex`; `-e` swaps bytes, which the checksums show; `-b` and `-d` are not supported.
/// Lines such as `# uid: E007A0000025905E` are read as in `hex`. (verified: xxd 2022-01-14.)
struct XxdDump: DumpWriter {
  let name = "xxd"
  let summary = "output of xxd: 00000000: 3acf 1016 0300 0000  :......., in any width and grouping"
  let holds: Set<DumpFact> = []
  let fileExtension: String? = "xxd"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    try HexListing(expected: "a row like `00000000: 3acf 1016 0300 0000  :.......`", row: Self.row).dumps(
      in: file.lines())
  }

  /// The output of `xxd` without options for the same bytes.
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
