// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// A line near the beginning of a file that may be the header of a table.
struct TableHeader {
  let separator: UInt8
  let columns: CSVColumns

  private static let separators: [UInt8] = [UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: ";")]
  /// The number of bytes that hold every header.
  private static let reach = 1 << 12

  /// The first lines of a file, taken with each separator.
  static func candidates(in head: [UInt8]) -> [TableHeader] {
    let lines = head.prefix(reach).split(separator: UInt8(ascii: "\n"), maxSplits: 10)
    return separators.flatMap { separator in
      lines.compactMap { line in
        var csv = CSVReading(separator: separator, hasQuotes: true)
        csv.append(Array(line) + [UInt8(ascii: "\n")])
        return (try? csv.next()).map { TableHeader(separator: separator, columns: CSVColumns($0)) }
      }
    }
  }

  private init(separator: UInt8, columns: CSVColumns) {
    (self.separator, self.columns) = (separator, columns)
  }

  /// The line with the most names, which a person would take as the header; nil for a file that is not a table.
  init?(in head: [UInt8]) {
    let candidates = Self.candidates(in: head).filter { line in
      line.columns.shown.count > 1 && line.columns.shown.contains { $0.contains(where: \.isLetter) }
    }
    guard !head.contains(0), let best = candidates.max(by: { $0.names < $1.names }) else { return nil }
    self = best
  }

  private var names: Int { columns.shown.count { $0.contains(where: \.isLetter) } }
}

extension GlucoseUnit {
  /// The unit in the name of a column, as in `Sensor Glucose (mg/dL)`; nil for a name without one.
  init?(namedIn name: String) {
    let letters = name.lowercased().filter(\.isLetter)
    if letters.contains("mmoll") {
      self = .millimolesPerLitre
    } else if letters.contains("mgdl") {
      self = .milligramsPerDecilitre
    } else {
      return nil
    }
  }
}
