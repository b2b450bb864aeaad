// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import HistoryFormats
package import HostSystem

/// A file, or standard input for `-`, which is opened once; its format is detected from the first bytes.
package struct InputFile: HistoryFile {
  let path: String?
  let head: [UInt8]
  private let reader: FileReader

  /// The number of bytes that contain the signature of every format.
  static let headCount = 1 << 16

  package init(_ path: String, until isEnough: ([UInt8]) -> Bool = { _ in false }) throws(LibreError) {
    self.path = path
    reader = try libre(FileReader(path))
    var head: [UInt8] = []
    while head.count < Self.headCount, !isEnough(head),
      let piece = try libre(reader.next(atMost: min(FileLine.pieceSize, Self.headCount - head.count)))
    {
      head += piece
    }
    self.head = head
  }

  /// The beginning of the content, decompressed if it is a gzip file.
  var content: [UInt8] { Archive.content(beginning: head) }

  /// The lines of the content from the first; a gzip file is decompressed as it is read.
  package func lines() -> LineReader<LibreError> {
    let next = { [reader] () throws(LibreError) in try libre(reader.next(atMost: FileLine.pieceSize)) }
    guard Gzip.isGzip(head) else { return LineReader(beginning: head, piece: next) }
    let pieces = UnpackedPieces(beginning: head, next)
    return LineReader { () throws(LibreError) in try pieces.next() }
  }

  /// True for a regular file, which can be read in pieces and repeatedly; other files are read as a whole.
  package var isOnDisk: Bool { reader.isFile }

  /// 0 for a source without length, such as a pipe.
  var size: Int { reader.size }

  var isDatabase: Bool { isOnDisk && head.starts(with: ForeignDatabase.signature) }

  /// - Throws: `LibreError.input`, also for a file larger than a dump may be.
  func bytes() throws(LibreError) -> [UInt8] {
    reader.seek(to: head.count)
    return try libre(reader.rest(after: head, limit: DumpFile.sizeLimit))
  }

  package func sha256() throws(LibreError) -> String {
    reader.seek(to: head.count)
    var hash = RunningHash(.sha256)
    hash.update(head)
    while let piece = try libre(reader.next()) { hash.update(piece) }
    return HexText.lowercase(of: hash.digest)
  }

  /// Calls `take` with the content of a regular file in parts, each with its place in the file, until it returns false. A
  /// part repeats the last `overlap` bytes of the one before.
  func forEachPart(of size: Int, overlap: Int, _ take: ([UInt8], Int) -> Bool) throws(LibreError) {
    reader.seek(to: 0)
    var part: [UInt8] = []
    var start = 0
    while true {
      let more = try libre(reader.next(filling: size - part.count))
      part += more
      let isLast = part.count < size
      // The end of the part before is repeated here, and was taken with it.
      if start > 0, more.isEmpty { return }
      if !take(part, start) || isLast { return }
      start += size - overlap
      part.removeFirst(size - overlap)
    }
  }

  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError) {
    reader.seek(to: head.count)
    try chunk(head)
    func next() throws(HistoryError) -> [UInt8]? {
      do throws(InputError) { return try reader.next() } catch { throw .unreadable(error.message) }
    }
    while let piece = try next() { try chunk(piece) }
  }
}

/// A history that is already in memory, because it was piped or decompressed.
package struct MemoryHistoryFile: HistoryFile {
  private let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  var head: [UInt8] { Array(bytes.prefix(InputFile.headCount)) }

  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError) { try chunk(bytes) }
}

private final class UnpackedPieces {
  private let packed: () throws(LibreError) -> [UInt8]?
  private let beginning: [UInt8]
  private var stream: GzipStream?

  init(beginning: [UInt8], _ packed: @escaping () throws(LibreError) -> [UInt8]?) {
    (self.beginning, self.packed) = (beginning, packed)
  }

  func next() throws(LibreError) -> [UInt8]? {
    let stream = try opened()
    while true {
      if let piece = try libre(stream.next()) { return piece }
      guard let more = try packed() else {
        try libre(stream.end())
        return nil
      }
      stream.add(more)
    }
  }

  private func opened() throws(LibreError) -> GzipStream {
    if let stream { return stream }
    let stream = try libre(GzipStream())
    stream.add(beginning)
    self.stream = stream
    return stream
  }
}
