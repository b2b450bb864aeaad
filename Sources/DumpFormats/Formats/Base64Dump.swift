// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// A text that consists of base64 (DumpFormats/Formats, "Base64"), with or without quotes and comments.
///
/// Words with spaces between them, and hex digits alone, are not read as base64, although their letters would fit.
struct Base64Dump: DumpFormat {
  let name = "base64"
  let summary = "base64 of the memory's bytes, in one line or several; # lines are comments, as in hex"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    var image = MemoryImage(bytes: [])
    var characters: [UInt8] = []
    var hasOtherThanHex = false
    for line in try file.lines() {
      if try image.takeComment(line) { continue }
      for character in line.trimmed where character != UInt8(ascii: "\"") && character != UInt8(ascii: "'") {
        guard character.isLetterOrDigit || "+/-_=".utf8.contains(character) else {
          throw .notThisFormat(lacks: "only base64 characters")
        }
        if Self.isOtherThanHex(character) { hasOtherThanHex = true }
        characters.append(character)
      }
    }
    guard hasOtherThanHex else { throw .notThisFormat(lacks: "base64 that is not only hex digits") }
    let count = characters.count { $0 != UInt8(ascii: "=") } * 3 / 4
    if count > MemoryMap.fullByteCount { throw .notThisFormat(lacks: "base64 of a memory") }
    guard let bytes = Base64Text.bytes(of: characters), bytes.count >= MemoryGeometry.minimumByteCount else {
      throw .notThisFormat(lacks: "base64 of a memory")
    }
    try DumpLength.check(bytes)
    image.bytes = bytes
    return SeveralMemories.dumps(in: image)
  }

  private static func isOtherThanHex(_ character: UInt8) -> Bool {
    (UInt8(ascii: "g")...UInt8(ascii: "z")).contains(character | 0x20)
  }
}
