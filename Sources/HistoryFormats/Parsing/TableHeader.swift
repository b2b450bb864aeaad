// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// A line near the beginning of a file that may be the header of a table.
struct TableHeader {
  let separator: UInt8
  let columns: CSVColumns

  private static let separators: [UInt8] = [UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: ";")]
  /// Returns the first lines of a file, taken with each separator.
  static func candidates(in head: [UInt8]) -> [TableHeader] {
    let lines = head.prefix(1 << 12).split(separator: UInt8(ascii: "\n"), maxSplits: 10)
    return separators.flatMap { separator in
      lines.compactMap { line in
        var csv = CSVReading(separator: separator, hasQuotes: true)
        csv.append(Array(line) + [UInt8(ascii: "\n")])
        return (try? csv.next()).map { TableHeader(separator: separator, columns: CSVColumns($0)) }
      }
    }
  }

  private var names: Int { columns.shown.count { $0.contains(where: \.isLetter) } }
}

extension TableHeader {
  /// The line with the most names, which a person would take as the header; nil for a file that is not a table.
  init?(in head: [UInt8]) {
    let candidates = Self.candidates(in: head).filter { $0.columns.shown.count > 1 && $0.names > 0 }
    guard !head.contains(0), let best = candidates.max(by: { $0.names < $1.names }) else { return nil }
    self = best
  }
}

extension GlucoseUnit {
  /// The unit in the name of a column, as in `Sensor Glucose (mg/dL)`; nil for a name without one.
  init?(namedIn name: String) {
    let letters = name.lowercased().filter(\.isLetter)
    guard letters.contains("mmoll") || letters.contains("mgdl") else { return nil }
    self = letters.contains("mmoll") ? .millimolesPerLitre : .milligramsPerDecilitre
  }
}
