// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Decimal numbers, as programs print an array of bytes (DumpFormats/Formats, "Decimal"), and comments as in `HexDump`.
struct DecimalDump: DumpFormat {
  let name = "decimal"
  let summary =
    "decimal numbers from -128 to 255 with commas or spaces between; # lines are comments, as in hex"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    var image = MemoryImage(bytes: [])
    var failure: DumpError?
    for line in try file.lines() {
      if try image.takeComment(line) { continue }
      var rest = line.bytes
      while let start = rest.firstIndex(where: { !Self.isSeparator($0) }) {
        let end = rest[start...].firstIndex(where: Self.isSeparator) ?? rest.endIndex
        guard let number = Self.number(rest[start..<end]) else {
          throw .notThisFormat(lacks: "only decimal numbers")
        }
        if !(-128...255).contains(number) {
          failure = failure ?? .badLine(line: line.number, expected: "numbers from -128 to 255")
        }
        image.bytes.append(UInt8(truncatingIfNeeded: number))
        rest = rest[end...]
      }
    }
    guard image.bytes.count >= 3 else { throw .notThisFormat(lacks: "at least three decimal numbers") }
    if let failure { throw failure }
    try DumpLength.check(image.bytes)
    return SeveralMemories.dumps(in: image)
  }

  /// The value of one to three digits, with or without a minus; a byte never has more.
  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text
    guard digits.count <= 3, let number = LineNumber.decimal(digits) else { return nil }
    return isNegative ? -number : number
  }

  private static func isSeparator(_ character: UInt8) -> Bool {
    TextLine.isSpace(character) || ",;[](){}".utf8.contains(character)
  }
}
