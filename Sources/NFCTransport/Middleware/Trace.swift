// SPDX-License-Identifier: Apache-2.0

/// A recorded conversation with tags, one exchange a line (`TraceLine`), without durations, so that two runs can be
/// compared line by line. It is health data even with identifiers removed: the answers are the sensor's memory.
package struct Trace: Hashable, Sendable {
  package let lines: [TraceLine]

  static let maximumLineLength = 4_096
  /// Maximum number of lines, enough for some thousand scans. In memory a line takes a hundred times its shortest text.
  package static let maximumLines = 250_000

  /// Ignores a byte order mark, CRLF, empty lines and spaces around a line. Throws `badTrace` for any other line that
  /// is not a `TraceLine`, not UTF-8 or longer than 4096 bytes (also when written with normal spacing); `traceTooLong`.
  package init(parsing bytes: [UInt8]) throws(TransportError) {
    lines = try Self.numberedLines(of: bytes).map(\.line)
  }

  /// Lines of a file as `init(parsing:)` reads them, each with its line number, from 1.
  package static func numberedLines(
    of bytes: [UInt8]
  ) throws(TransportError) -> [(number: Int, line: TraceLine)] {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var lines: [(number: Int, line: TraceLine)] = []
    var rest = bytes[(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0)...]
    var number = 0
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = rest[..<end]
      rest = rest[end...].dropFirst()
      guard line.count <= maximumLineLength else { throw .badTrace(line: number) }
      guard line.contains(where: { !TraceLine.isSpace($0) }) else { continue }
      guard number <= maximumLines else { throw .traceTooLong }
      guard let read = String(validating: line, as: UTF8.self).flatMap(TraceLine.init) else {
        throw .badTrace(line: number)
      }
      // Digits without spaces become half as long again when they are written.
      if line.count > maximumLineLength / 2, read.text.utf8.count > maximumLineLength { throw .badTrace(line: number) }
      lines.append((number, read))
    }
    return lines
  }

  /// The lines from each wait for a tag to the next, without taps in which nothing was asked. A tap may lack its `#
  /// tap`.
  var waits: [ArraySlice<TraceLine>] {
    let marks = lines.indices.filter { lines[$0] == .tap || lines[$0].waitFailure != nil }
    return zip([0] + marks, marks + [lines.count]).map { lines[$0..<$1] }.filter { lines in
      lines.contains { $0.isExchange || $0.waitFailure != nil }
    }
  }
}
