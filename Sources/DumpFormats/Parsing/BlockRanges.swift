// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Block numbers as a file writes them: `3, 12-15, 40-42`.
enum BlockRanges {
  /// Ascending, runs of neighbours as ranges.
  static func text(_ blocks: [Int]) -> String {
    let texts = BlockRuns.runs(of: blocks).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound - 1)"
    }
    return texts.joined(separator: ", ")
  }

  /// The numbers, ascending; nil unless all of it is numbers and ranges within the 256 that a tag can have.
  static func blocks(in text: String) -> [Int]? {
    var blocks: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(number)
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last else {
        return nil
      }
      blocks.formUnion(Int(first)...Int(last))
    }
    return blocks.sorted()
  }

  /// Decimal digits with blanks around them.
  private static func number(_ text: Substring) -> UInt8? {
    let digits = TextLine(number: 0, bytes: Array(text.utf8)[...]).trimmed
    return LineNumber.decimal(digits).flatMap(UInt8.init(exactly:))
  }
}
