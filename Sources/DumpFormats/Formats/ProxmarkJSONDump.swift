// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// The `.json` file of a Proxmark3 client's `hf 15 dump` (DumpFormats/Formats, "JSON"). Keys that are missing in
/// `blocks` are missing blocks (read: Proxmark3 `fileutils.c`; v5 is later than `1c8c3b78`).
struct ProxmarkJSONDump: DumpWriter, JSONDumpFormat {
  let name = "proxmark-json"
  let summary = "the .json file of a Proxmark3's hf 15 dump (FileType 15693, v2 to v5; written: v4)"
  let holds: Set<DumpFact> = [.uid, .missingBlocks]
  let signatures = ["\"FileType\""]
  let members: Set = ["FileType", "Card", "blocks", "raw"]

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let text = try file.lines().bytes
    guard signatures.contains(where: text.contains(text:)) else { throw .notThisFormat(lacks: "a member `FileType`") }
    let content = try EncodedText.json(Content.self, from: text)
    switch content.fileType {
    case "15693", "raw": return DumpSequence(try content.rawDump())
    case "15693 v2": return DumpSequence(try content.dump(bytesPerPage: 4, pageCount: nil))
    case "15693 v3": return DumpSequence(try content.dump(bytesPerPage: MemoryMap.blockSize, pageCount: nil))
    case "15693 v4", "15693 v5":
      return DumpSequence(
        try content.dump(bytesPerPage: try content.bytesPerPage(), pageCount: try content.pageCount()))
    default: throw .notThisFormat(lacks: "`FileType` 15693 (v2 to v5) or raw")
    }
  }

  /// The client's members in the client's order. Facts that only a tag's response would contain are zero, as in
  /// the client's own file of a tag without them. A client before v5 refuses more than 160 pages, also in its own
  /// files.
  func file(of image: MemoryImage) throws(DumpError) -> [UInt8] {
    guard let uid = image.uid, !ProxmarkTag.isPlaceholder(uid) else {
      throw .cannotWrite(format: name, obstacle: .noUID)
    }
    try requireWholeBlocks(of: image, blockLimit: MemoryMap.fullByteCount / MemoryMap.blockSize)
    let pageCount = image.bytes.count / MemoryMap.blockSize
    let card = [
      ("uid", HexText.string(of: uid.bytes.reversed())), ("dsfid", "00"), ("dsfidlock", "00"), ("afi", "00"),
      ("afilock", "00"), ("bytesperpage", HexText.string(of: UInt8(MemoryMap.blockSize))),
      ("pagescount", HexText.string(of: UInt8(pageCount))), ("ic", "00"),
      ("locks", HexText.string(of: repeatElement(0, count: pageCount))), ("random", "0000"),
      ("privacypasswd", "00000000"), ("state", "00"),
    ]
    let missing = Set(image.missingBlocks)
    let blocks = image.blocks.enumerated().filter { !missing.contains($0.offset) }.map {
      ("\($0.offset)", HexText.string(of: $0.element))
    }
    // A file without a block has no information about a sensor, and cannot be read.
    if blocks.isEmpty { throw .cannotWrite(format: name, obstacle: .missingBlocks(BlockSet(image.missingBlocks))) }
    let text = """
      {
        "Created": "proxmark3",
        "FileType": "15693 v4",
        "Card": {
      \(Self.members(card))
        },
        "blocks": {
      \(Self.members(blocks))
        }
      }

      """
    return Array(text.utf8)
  }

  /// The members of an object one level down; names and values must not need escapes.
  private static func members(_ members: [(name: String, value: String)]) -> String {
    members.map { "    \"\($0.name)\": \"\($0.value)\"" }.joined(separator: ",\n")
  }
}

private struct Content: Decodable {
  let fileType: String
  let card: Card?
  let blocks: [String: String]?
  let raw: String?

  struct Card: Decodable {
    let uid: String?
    let bytesperpage: String?
    let pagescount: String?
  }

  enum CodingKeys: String, CodingKey {
    case fileType = "FileType"
    case card = "Card"
    case blocks
    case raw
  }

  func rawDump() throws(DumpError) -> Dump {
    let bytes = try Self.bytes(raw, "raw")
    if ProxmarkTag.isLength(bytes.count) { return try ProxmarkTag(bytes).dump() }
    try DumpLength.check(bytes)
    return ProxmarkDefect.marked(Dump(image: MemoryImage(bytes: bytes)))
  }

  /// The blocks in their places. Without a page count the memory ends with the last block in the file.
  func dump(bytesPerPage: Int, pageCount: Int?) throws(DumpError) -> Dump {
    guard let blocks else { throw .badField("blocks", value: nil) }
    let limit = MemoryMap.fullByteCount / bytesPerPage
    if let pageCount, pageCount > limit { throw .wrongLength(found: pageCount * bytesPerPage) }
    var assembly = BlockAssembly(blockSize: bytesPerPage)
    // In a fixed order, so that the same one of several errors is reported each time.
    for (key, value) in blocks.sorted(by: { $0.key < $1.key }) {
      let field = "blocks.\(SafeText.excerpt(key))"
      guard let block = LineNumber.decimal(ArraySlice(key.utf8)), "\(block)" == key, block < pageCount ?? limit else {
        throw .badField(field, value: SafeText.excerpt(value))
      }
      let bytes = try Self.bytes(value, field)
      guard bytes.count == bytesPerPage else { throw .badField(field, value: SafeText.excerpt(value)) }
      // JSON's reader keeps one of two members with the same name, so the line number is never used.
      try assembly.place(bytes, at: block, line: 0)
    }
    for block in 0..<(pageCount ?? 0) where assembly[block] == nil { assembly.miss(block) }
    guard !assembly.isEmpty else { throw .noMemory }
    var image = try assembly.image()
    image.uid = try uid()
    return ProxmarkDefect.marked(Dump(image: image))
  }

  func bytesPerPage() throws(DumpError) -> Int {
    let bytes = try Self.bytes(card?.bytesperpage, "Card.bytesperpage")
    guard bytes.count == 1, bytes[0] > 0 else { throw .badField("Card.bytesperpage", value: card?.bytesperpage) }
    return Int(bytes[0])
  }

  func pageCount() throws(DumpError) -> Int {
    let bytes = try Self.bytes(card?.pagescount, "Card.pagescount")
    let count = bytes.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count <= 2, count > 0 else { throw .badField("Card.pagescount", value: card?.pagescount) }
    return count
  }

  private func uid() throws(DumpError) -> SensorUID? {
    guard let text = card?.uid else { return nil }
    do {
      return try ProxmarkTag.uid(try Self.bytes(text, "Card.uid"))
    } catch {
      throw .badField("Card.uid", value: SafeText.excerpt(text))
    }
  }

  private static func bytes(_ text: String?, _ field: String) throws(DumpError) -> [UInt8] {
    guard let text else { throw .badField(field, value: nil) }
    guard let bytes = HexText.bytes(of: text) else { throw .badField(field, value: SafeText.excerpt(text)) }
    return bytes
  }
}
