// SPDX-License-Identifier: Apache-2.0

/// Block numbers as a file writes them: `3, 12-15, 40-42`.
enum BlockRanges {
  /// Ascending, runs of neighbours as ranges.
  static func text(_ blocks: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for block in Set(blocks).sorted() {
      if let last = ranges.last, last.upperBound + 1 == block {
        ranges[ranges.count - 1] = last.lowerBound...block
      } else {
        ranges.append(block...block)
      }
    }
    let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    return texts.joined(separator: ", ")
  }

  /// The numbers, ascending; nil unless all of it is numbers and ranges within the 256 that a tag can have.
  static func blocks(in text: String) -> [Int]? {
    var blocks: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { UInt8($0.filter { $0 != " " }) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last else {
        return nil
      }
      blocks.formUnion(Int(first)...Int(last))
    }
    return blocks.sorted()
  }
}
