// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A line of a file without its end, which is LF or CRLF.
package struct FileLine: Sendable {
  /// Counted from 1.
  package let number: Int
  /// `InputError.tooLarge` for a line longer than the limit, whose bytes are skipped.
  package let bytes: Result<[UInt8], InputError>

  /// The longest line accepted, in bytes. A reading with the memory of the largest sensor has a twentieth of it.
  package static let lengthLimit = 1 << 20

  /// The number of bytes read at once: about 15 memories, so that several threads get a share of a small file.
  package static let pieceSize = 1 << 14
}

/// The lines of a file of any size, in chunks of those that have already arrived, so that a line from a pipe is not
/// kept back until the next one comes. Memory does not grow with the file.
package struct LineReader<Failure: Error> {
  private let piece: () throws(Failure) -> [UInt8]?
  private var beginning: [UInt8]?
  private let limit: Int
  private var number = 0
  /// The incomplete line: its length, and its bytes while they are not too many.
  private var length = 0
  private var kept: [UInt8] = []
  private var isAtEnd = false

  /// Lines of the pieces that `piece` returns until nil, after `beginning`.
  package init(
    beginning: [UInt8] = [], limit: Int = FileLine.lengthLimit, piece: @escaping () throws(Failure) -> [UInt8]?
  ) {
    self.piece = piece
    self.beginning = beginning
    self.limit = limit
  }

  /// Returns the next lines, at least one, without blank ones; nil at the end, and after an error of a piece.
  package mutating func next() throws(Failure) -> [FileLine]? {
    var lines: [FileLine] = []
    while lines.isEmpty, !isAtEnd {
      if let piece = try nextPiece() {
        var rest = piece[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          add(rest[..<end])
          endLine(into: &lines)
          rest = rest[(end + 1)...]
        }
        add(rest)
      } else {
        isAtEnd = true
        if length > 0 { endLine(into: &lines) }
      }
    }
    return lines.isEmpty ? nil : lines
  }

  private mutating func nextPiece() throws(Failure) -> [UInt8]? {
    if let first = beginning.take() { return first }
    do throws(Failure) {
      return try piece()
    } catch {
      isAtEnd = true
      throw error
    }
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    length += bytes.count
    if length <= limit { kept += bytes } else { kept = [] }
  }

  private mutating func endLine(into lines: inout [FileLine]) {
    number += 1
    if length > limit {
      lines.append(FileLine(number: number, bytes: .failure(.tooLarge(found: length, limit: limit))))
    } else {
      if kept.last == UInt8(ascii: "\r") { kept.removeLast() }
      if !kept.allSatisfy(TextLine.isSpace) { lines.append(FileLine(number: number, bytes: .success(kept))) }
    }
    length = 0
    kept = []
  }
}
