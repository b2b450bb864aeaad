// SPDX-License-Identifier: Apache-2.0

/// A recorded conversation with tags, as `TracingReader` writes it and `ReplayingReader` plays it back.
///
/// It is text of one exchange a line (`TraceLine`), without durations: of two runs of the same conversation nothing but
/// the read times differs, so that recordings can be compared line by line. What it holds is health data even where
/// identifiers were withheld, since the answers are the sensor's memory.
public struct Trace: Hashable, Sendable {
  /// All lines but blank ones.
  public let lines: [TraceLine]

  /// In bytes, its end not counted.
  static let longestLine = 4_096
  static let mostExchanges = 100_000

  /// Reads a file. A byte order mark, CRLF, blank lines and blanks around a line are passed over; an empty file is
  /// a recording of nothing.
  ///
  /// Throws `badTrace` for a line that is no `TraceLine` or not UTF-8, for one of more than 4096 bytes (also if it would
  /// have them with its blanks in order), and for the first exchange after 100 000.
  public init(parsing bytes: [UInt8]) throws(TransportError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var lines: [TraceLine] = []
    var exchangesLeft = Self.mostExchanges
    let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
    for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      guard line.count <= Self.longestLine else { throw .badTrace(line: index + 1) }
      guard line.contains(where: { !TraceLine.isBlank($0) }) else { continue }
      guard let read = String(validating: line, as: UTF8.self).flatMap(TraceLine.init) else {
        throw .badTrace(line: index + 1)
      }
      // Digits without blanks are half as long again when they are written.
      if line.count > Self.longestLine / 2, read.text.utf8.count > Self.longestLine {
        throw .badTrace(line: index + 1)
      }
      if read.isExchange {
        guard exchangesLeft > 0 else { throw .badTrace(line: index + 1) }
        exchangesLeft -= 1
      }
      lines.append(read)
    }
    self.lines = lines
  }

  /// As it is written: what it was read from, but for blanks and the case of digits.
  public var text: String { lines.map { "\($0.text)\n" }.joined() }

  /// The lines from each wait for a tag to the next, without taps in which nothing was asked. What was asked before the
  /// first `# tap` is a tap too.
  var waits: [ArraySlice<TraceLine>] {
    let marks = lines.indices.filter { lines[$0] == .tap || lines[$0].waitFailure != nil }
    return zip([0] + marks, marks + [lines.count]).map { lines[$0..<$1] }.filter { lines in
      lines.contains { $0.isExchange || $0.waitFailure != nil }
    }
  }
}
