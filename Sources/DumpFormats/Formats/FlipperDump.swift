// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// The `.nfc` file of a Flipper Zero (DumpFormats/Formats, "Flipper Zero"): lines `Key: value` in any order. The device
/// type, which is another in old files, is ignored, as are keys that are not needed.
struct FlipperDump: DumpWriter {
  let name = "flipper"
  let fileExtension: String? = "nfc"
  let summary = "a Flipper Zero's .nfc file of an ISO 15693 tag"
  let holds: Set<DumpFact> = [.uid, .patchInfo, .readAt]

  private static let magic = "Filetype: Flipper NFC device"
  private static let keys = ["UID", "Block Count", "Block Size", "Data Content"]

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let lines = try file.lines()
    guard lines.bytes.contains(text: Self.magic) else { throw .notThisFormat(lacks: "a line `\(Self.magic)`") }
    var image = MemoryImage(bytes: [])
    var fields: [String: TextLine] = [:]
    for line in lines {
      if try image.takeComment(line) { continue }
      if let (key, value) = Self.field(line), Self.keys.contains(key) {
        if let before = fields[key], before.text != value.text {
          throw .badHeader(line: line.number, key: key, value: SafeText.excerpt(value.text))
        }
        fields[key] = value
      }
    }
    image.uid = try Self.uid(fields)
    image.bytes = try Self.bytes(fields)
    try DumpLength.check(image.bytes)
    return DumpSequence(Dump(image: image))
  }

  /// The keys in the firmware's order. Keys that a Libre does not report (DSFID, AFI, IC reference) are left
  /// out, as the firmware does; the lock keys are required, because without them the security status is read in its old
  /// form, which has one byte more.
  func file(of image: MemoryImage) throws(DumpError) -> [UInt8] {
    guard let uid = image.uid else { throw .cannotWrite(format: name, obstacle: .noUID) }
    try requireAllBlocks(of: image)
    try requireWholeBlocks(of: image, blockLimit: MemoryMap.fullByteCount / MemoryMap.blockSize)
    let blockCount = image.bytes.count / MemoryMap.blockSize
    let lines =
      [
        Self.magic, "Version: 4", "Device type: ISO15693-3", "UID: \(HexText.string(of: uid.bytes, separator: " "))",
      ] + TextFact.comments(of: image, without: [.uid]) + [
        "Lock DSFID: false", "Lock AFI: false", "Block Count: \(blockCount)",
        "Block Size: \(HexText.string(of: UInt8(MemoryMap.blockSize)))",
        "Data Content: \(HexText.string(of: image.bytes, separator: " "))",
        "Security Status: \(HexText.string(of: repeatElement(0, count: blockCount), separator: " "))",
      ]
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  private static func field(_ line: TextLine) -> (key: String, value: TextLine)? {
    guard let colon = line.bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let key = TextLine(number: line.number, bytes: line.bytes[..<colon]).text
    return (key, TextLine(number: line.number, bytes: line.bytes[(colon + 1)...]))
  }

  private static func uid(_ fields: [String: TextLine]) throws(DumpError) -> SensorUID {
    let value = try field("UID", of: fields)
    do {
      return try SensorUID(printed: value.text)
    } catch {
      throw .badHeader(line: value.number, key: "UID", value: SafeText.excerpt(value.text))
    }
  }

  private static func bytes(_ fields: [String: TextLine]) throws(DumpError) -> [UInt8] {
    let count = try number("Block Count", of: fields, LineNumber.decimal)
    let size = try number("Block Size", of: fields, LineNumber.hex)
    let content = try field("Data Content", of: fields)
    // Reads words of two digits, at most as many as a sensor has bytes.
    let words = content.bytes.split(maxSplits: MemoryMap.fullByteCount + 1, whereSeparator: TextLine.isSpace)
    guard let bytes = LineNumber.bytes(words) else {
      throw .badLine(line: content.number, expected: "bytes of two hex digits each")
    }
    guard bytes.count.isMultiple(of: size), bytes.count / size == count else {
      throw .badLine(
        line: content.number, expected: "\(count) blocks of \(size) bytes, as Block Count and Block Size say")
    }
    return bytes
  }

  private static func number(
    _ key: String, of fields: [String: TextLine], _ read: (ArraySlice<UInt8>) -> Int?
  ) throws(DumpError) -> Int {
    let value = try field(key, of: fields)
    guard let number = read(value.trimmed), number > 0 else {
      throw .badHeader(line: value.number, key: key, value: SafeText.excerpt(value.text))
    }
    return number
  }

  private static func field(_ key: String, of fields: [String: TextLine]) throws(DumpError) -> TextLine {
    guard let value = fields[key] else { throw .badField(key, value: nil) }
    return value
  }
}
