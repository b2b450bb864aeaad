// SPDX-License-Identifier: Apache-2.0

/// Block numbers gathered into stretches of neighbours.
package enum BlockRuns {
  /// Ascending, each number once; none for no numbers.
  package static func runs(of blocks: some Sequence<Int>) -> [Range<Int>] {
    Set(blocks).sorted().reduce(into: []) { runs, block in
      if let last = runs.last, last.upperBound == block {
        runs[runs.count - 1] = last.lowerBound..<block + 1
      } else {
        runs.append(block..<block + 1)
      }
    }
  }
}
