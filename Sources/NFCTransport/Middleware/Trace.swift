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
  /// Some thousand scans. In memory a line takes a hundred times what its shortest text does.
  public static let mostLines = 250_000

  /// Reads a file. A byte order mark, CRLF, blank lines and blanks around a line are passed over; an empty file is
  /// a recording of nothing.
  ///
  /// Throws `badTrace` for a line that is no `TraceLine` or not UTF-8 and for one of more than 4096 bytes (also if it
  /// would have them with its blanks in order), and `traceTooLong` for one that is not blank after 250 000.
  public init(parsing bytes: [UInt8]) throws(TransportError) {
    lines = try Self.numberedLines(of: bytes).map(\.line)
  }

  /// The lines of a file as `init(parsing:)` reads them, each with its number in it, from 1.
  public static func numberedLines(
    of bytes: [UInt8]
  ) throws(TransportError) -> [(number: Int, line: TraceLine)] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var lines: [(number: Int, line: TraceLine)] = []
    var rest = bytes[(bytes.starts(with: mark) ? mark.count : 0)...]
    var number = 0
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = rest[..<end]
      rest = rest[end...].dropFirst()
      guard line.count <= longestLine else { throw .badTrace(line: number) }
      guard line.contains(where: { !TraceLine.isBlank($0) }) else { continue }
      guard number <= mostLines else { throw .traceTooLong }
      guard let read = String(validating: line, as: UTF8.self).flatMap(TraceLine.init) else {
        throw .badTrace(line: number)
      }
      // Digits without blanks are half as long again when they are written.
      if line.count > longestLine / 2, read.text.utf8.count > longestLine { throw .badTrace(line: number) }
      lines.append((number, read))
    }
    return lines
  }

  /// The lines from each wait for a tag to the next, without taps in which nothing was asked. What was asked before the
  /// first `# tap` is a tap too.
  var waits: [ArraySlice<TraceLine>] {
    let marks = lines.indices.filter { lines[$0] == .tap || lines[$0].waitFailure != nil }
    return zip([0] + marks, marks + [lines.count]).map { lines[$0..<$1] }.filter { lines in
      lines.contains { $0.isExchange || $0.waitFailure != nil }
    }
  }
}
