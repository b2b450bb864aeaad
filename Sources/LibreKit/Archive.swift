// SPDX-License-Identifier: Apache-2.0
import DumpFormats

/// Compressed files and archives that contain a dump, and tables that other programs keep in files of their own.
enum Archive {
  private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

  /// Magic bytes of other formats; tar has them at byte 257.
  private static let others: [(magic: [UInt8], offset: Int, name: String, command: String)] = [
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], 0, "xz", "xz -dc FILE | libre decode -"),
    ([0x42, 0x5A, 0x68], 0, "bzip2", "bzip2 -dc FILE | libre decode -"),
    ([0x28, 0xB5, 0x2F, 0xFD], 0, "zstd", "zstd -dc FILE | libre decode -"),
    (Array("ustar".utf8), 257, "tar", "tar -xf FILE"),
  ]

  /// True if the beginning of a file shows whether it is packed: it has the longest signature's length, or a whole line.
  static func isTold(by beginning: [UInt8]) -> Bool {
    beginning.count >= 6 || beginning.contains(UInt8(ascii: "\n"))
  }

  static func content(beginning: [UInt8]) -> [UInt8] {
    Gzip.isGzip(beginning) ? Gzip.beginning(of: beginning, limit: InputFile.headCount) : beginning
  }

  /// The content of a gzip file, or the bytes as they are; `refusal` is the error of `check` for it.
  static func unpacked(_ bytes: [UInt8]) throws(DumpError) -> (content: [UInt8], refusal: DumpError?) {
    let content = Gzip.isGzip(bytes) ? try Gzip.expanded(bytes, limit: DumpFile.sizeLimit) : bytes
    do throws(DumpError) {
      try check(content)
      return (content, nil)
    } catch {
      return (content, error)
    }
  }

  /// Checks the beginning of a content that is to be read as it is; with `areLines`, line by line.
  /// - Throws: `isPacked`, `isZip`, `isTable`; `otherEncoding` for lines of UTF-16.
  static func check(_ content: [UInt8], areLines: Bool = false) throws(DumpError) {
    if content.starts(with: zip) {
      if isSpreadsheet(content) { throw .isTable(of: "an Excel or OpenDocument workbook") }
      throw .isZip
    }
    if content.starts(with: Array("PAR1".utf8)) { throw .isTable(of: "a Parquet file") }
    for other in others where content.dropFirst(other.offset).starts(with: other.magic) {
      let isTar = other.offset > 0
      throw .isPacked(by: other.name, command: other.command + (areLines && !isTar ? " --lines" : ""))
    }
    // A whole file of UTF-16 is read; its lines would end in the middle of a character.
    if areLines, content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF]) { throw .utf16 }
  }

  private static func isSpreadsheet(_ archive: [UInt8]) -> Bool {
    let names = String(decoding: archive.prefix(4096), as: UTF8.self)
    return ["[Content_Types].xml", "mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "xl/workbook.xml"]
      .contains { names.contains($0) }
  }
}
