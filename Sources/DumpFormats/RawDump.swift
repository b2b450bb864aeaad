// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core

/// The bytes of the memory as they are: 344, or a few blocks more, or all 1952 that NFC can reach.
public struct RawDump: DumpFormat {
  public init() {}

  public let name = "raw"
  public let summary = "the memory's bytes: 344, 352, 360, 368 … 1952 (176 for Libre Pro)"

  /// Any whole number of eight-byte blocks up to the last that a Libre 1 has; fewer bytes than a memory are passed on.
  public func parse(_ file: [UInt8]) throws(DumpError) -> MemoryImage {
    guard !file.isEmpty else { throw .empty }
    guard !TextFile.isText(file) else { throw .isText }
    try DumpLength.check(file.count)
    return MemoryImage(bytes: file)
  }
}

/// Which numbers of bytes a dump of a memory can have.
enum DumpLength {
  /// Shorter ones pass: they are `truncated`, which is another fault than a wrong number.
  static func check(_ count: Int) throws(DumpError) {
    let isLong = count > MemoryMap.byteCount
    if isLong && (count > MemoryMap.fullByteCount || !count.isMultiple(of: MemoryMap.blockSize)) {
      throw .wrongLength(found: count)
    }
  }
}
