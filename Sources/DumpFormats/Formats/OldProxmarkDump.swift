// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// The output of Proxmark3 clients before 2019 (DumpFormats/Formats, "Old text"). The block number is hex with two
/// digits, or in the oldest clients decimal, padded with a space, so that one row with a single digit shows which it
/// is. The characters may look like digits: only the first eight bytes are read.
struct OldProxmarkDump: DumpFormat {
  let name = "proxmark-old"
  let summary = "output of old Proxmark clients: Block 00   F4 18 B0 32 03 01 02 08    ...2...."

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let lines = try file.lines()
    var isFound = false
    var isDecimal = false
    for row in lines.lazy.compactMap(Self.row) {
      isFound = true
      isDecimal = isDecimal || row.number.count == 1
    }
    guard isFound else { throw .notThisFormat(lacks: "a row like `Block 00   F4 18 B0 32 03 01 02 08`") }
    var collector = DumpCollector()
    for line in lines {
      if let row = Self.row(line) {
        guard let block = isDecimal ? LineNumber.decimal(row.number) : LineNumber.hex(row.number) else {
          throw .badLine(line: line.number, expected: "a decimal block number, as in the other rows")
        }
        collector.place(row.bytes, at: block, line: line.number)
      } else {
        if line.contains("Reading memory from tag") { collector.announce(line: line.number) }
        try collector.note(line)
      }
    }
    return collector.sequence()
  }

  private static func row(_ line: TextLine) -> (number: ArraySlice<UInt8>, bytes: [UInt8])? {
    line.first(after: "Block ") { text in
      let text = text.withoutIndent
      let number = text.prefix { !TextLine.isSpace($0) }
      guard LineNumber.hex(number) != nil, let row = BlockRow(text[number.endIndex...].withoutIndent), !row.isLonger
      else { return nil }
      return (number, row.bytes)
    }
  }
}
