// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Block numbers in a file: `3, 12-15, 40-42`.
enum BlockRanges {
  /// Ascending numbers, consecutive ones as ranges.
  static func text(_ blocks: [Int]) -> String {
    let texts = BlockRuns.runs(of: blocks).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound - 1)"
    }
    return texts.joined(separator: ", ")
  }

  /// The numbers in ascending order; nil unless the text consists of numbers and ranges that a sensor can have.
  static func blocks(in text: String) -> [Int]? {
    var isListed = Array(repeating: false, count: DumpLength.blockLimit)
    let parts = text.split(separator: ",", maxSplits: DumpLength.blockLimit, omittingEmptySubsequences: false)
    guard parts.count <= DumpLength.blockLimit else { return nil }
    for part in parts {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(number)
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last else {
        return nil
      }
      for block in first...last { isListed[block] = true }
    }
    return isListed.indices.filter { isListed[$0] }
  }

  /// The value of decimal digits, with optional spaces around them.
  private static func number(_ text: Substring) -> Int? {
    let digits = TextLine(number: 0, bytes: Array(text.utf8)[...]).trimmed
    return LineNumber.decimal(digits).flatMap { (0..<DumpLength.blockLimit).contains($0) ? $0 : nil }
  }
}
