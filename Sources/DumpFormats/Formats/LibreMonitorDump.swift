// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Dumps of LibreMonitor and similar programs: copied from source code or a wiki, or logged from the Arduino's serial
/// line (DumpFormats/Formats, "LibreMonitor").
///
/// The sketch reports each block as available or not, retries a block up to ten times, and then ends the reading. So a
/// block that is printed later was read after all. `Read all data` begins a reading, `# Memory content:` a dump.
struct LibreMonitorDump: DumpFormat {
  let name = "libremonitor"
  let summary =
    "LibreMonitor's dumps: XX … XX // n, append(\"XX … XX\") // 0xnn, offset | nn | XX … XX, The block #n:"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let lines = try file.lines()
    guard lines.contains(where: { Self.row($0) != nil }) else {
      throw .notThisFormat(lacks: "a row like `FD 61 18 19 01 00 00 00  //  0` or `The block #0:FD 61 18 19 1 0 0 0`")
    }
    var collector = DumpCollector()
    var next = 0
    for line in lines {
      if let row = Self.row(line) {
        collector.place(row.bytes, at: row.block, line: line.number)
        next = row.block + 1
      } else if line.contains("NO Single block available") {
        collector.miss(next, line: line.number)
      } else if line.contains("Read all data") {
        collector.announce(line: line.number)
        next = 0
      } else if let label = line.first(after: "# Memory content:", { $0 }) {
        let label = TextLine(number: line.number, bytes: label).text
        collector.announce(label.isEmpty ? nil : label, line: line.number)
      } else if let uid = Self.unpaddedUID(line) {
        collector.note(uid: uid, line: line.number)
      } else {
        try collector.note(line)
      }
    }
    return collector.sequence()
  }

  private typealias Row = (block: Int, bytes: [UInt8]?)

  private static func row(_ line: TextLine) -> Row? {
    let line = TextLine(number: line.number, bytes: line.trimmed)
    return line.first(after: "block #", announced) ?? commented(line) ?? tabulated(line)
  }

  /// `1:FD 61 18 19 1 0 0 0`
  private static func announced(_ text: ArraySlice<UInt8>) -> Row? {
    guard let colon = text.prefix(7).firstIndex(of: UInt8(ascii: ":")),
      let block = LineNumber.decimal(text[..<colon])
    else { return nil }
    let words = text[(colon + 1)...].split(maxSplits: 8, whereSeparator: TextLine.isSpace)
    let bytes = words.compactMap { $0.count <= 2 ? LineNumber.hex($0).map { UInt8($0) } : nil }
    return (block, words.count == 8 && bytes.count == 8 ? bytes : nil)
  }

  /// `FD 61 18 19 01 00 00 00  //  0`
  private static func commented(_ line: TextLine) -> Row? {
    let text = line.bytes
    guard text.contains(UInt8(ascii: "/")) else { return nil }
    for start in text.indices where start == text.startIndex || isSeparator(text[start - 1]) {
      guard let row = BlockRow(text[start...]) else { continue }
      let rest = row.rest.drop(while: isSeparator)
      guard rest.starts(with: "//".utf8) else { continue }
      let comment = rest.dropFirst(2).withoutIndent
      let number = comment.prefix { !TextLine.isSpace($0) }
      let block = number.starts(with: "0x".utf8) ? LineNumber.hex(number.dropFirst(2)) : LineNumber.decimal(number)
      if let block { return (block, row.bytes) }
    }
    return nil
  }

  /// ` 008 |  01 | FD 61 18 19 01 00 00 00`
  private static func tabulated(_ line: TextLine) -> Row? {
    guard line.bytes.contains(UInt8(ascii: "|")) else { return nil }
    let fields = line.bytes.split(
      separator: UInt8(ascii: "|"), maxSplits: 8, omittingEmptySubsequences: false
    ).map { TextLine(number: line.number, bytes: $0).trimmed }
    for (offset, fields) in zip(fields, zip(fields.dropFirst(), fields.dropFirst(2))) {
      if LineNumber.decimal(offset.lastWord) != nil, let block = LineNumber.hex(fields.0), let row = BlockRow(fields.1),
        row.rest.isEmpty
      {
        return (block, row.bytes)
      }
    }
    return nil
  }

  /// The UID as the sketch prints it: eight bytes of one or two digits.
  private static func unpaddedUID(_ line: TextLine) -> SensorUID? {
    line.first(after: "uid:") { text in
      let parts = text.withoutIndent.prefix(24).prefix { !TextLine.isSpace($0) }.split(
        separator: UInt8(ascii: ":"), maxSplits: 8, omittingEmptySubsequences: false)
      let bytes = parts.compactMap { $0.count <= 2 ? LineNumber.hex($0).map { UInt8($0) } : nil }
      return bytes.count == parts.count ? try? SensorUID(bytesInEitherOrder: bytes) : nil
    }
  }

  /// True for characters that may surround the bytes of a string in source code.
  private static func isSeparator(_ character: UInt8) -> Bool { " \t\"'(),;+=[".utf8.contains(character) }
}
