// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import HistoryFormats
import HostSystem

/// A file, or standard input for `-`, to be decoded or imported. It is opened once; what finds out its format looks at the
/// first bytes.
struct InputFile: HistoryFile {
  let path: String?
  let head: [UInt8]
  private let reader: FileReader

  /// As much as the marks of every format lie in.
  static let headCount = 1 << 16

  /// Throws `LibreError.input`.
  init(_ path: String) throws(LibreError) {
    self.path = path
    (reader, head) = try Files.reading { () throws(InputError) in
      let reader = try FileReader(path)
      return (reader, try reader.next(filling: Self.headCount))
    }
  }

  /// True for a regular file: it can be read in pieces, as often as a format has to. Anything else is taken in as a whole.
  var isOnDisk: Bool { reader.isFile }

  /// True for an SQLite database, which is opened where it lies.
  var isDatabase: Bool { isOnDisk && head.starts(with: DatabaseFile.magic) }

  /// All bytes. Throws `LibreError.input`, for more than a dump may have too.
  func bytes() throws(LibreError) -> [UInt8] {
    reader.seek(to: head.count)
    return try Files.reading { () throws(InputError) in try reader.rest(after: head, limit: DumpFile.sizeLimit) }
  }

  /// The SHA-256 of a file of any size, which is never in memory as a whole. Throws `LibreError.input`.
  func sha256() throws(LibreError) -> String {
    reader.seek(to: head.count)
    return try Files.reading { () throws(InputError) in
      try SHA256Digest.hex(of: head) { () throws(InputError) in try reader.next() }
    }
  }

  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError) {
    reader.seek(to: head.count)
    try chunk(head)
    while true {
      let piece: [UInt8]?
      do throws(InputError) {
        piece = try reader.next()
      } catch {
        throw .unreadable(error.message)
      }
      guard let piece else { return }
      try chunk(piece)
    }
  }
}

/// What was piped in or had to be unpacked: it is in memory already.
struct MemoryHistoryFile: HistoryFile {
  let bytes: [UInt8]

  var head: [UInt8] { Array(bytes.prefix(InputFile.headCount)) }

  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError) { try chunk(bytes) }
}
