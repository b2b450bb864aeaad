// SPDX-License-Identifier: Apache-2.0

/// A set of block numbers from 0 to 63; a Libre 1 memory has blocks 0 to 42.
public struct BlockSet: Hashable, Sendable {
  private var bits: UInt64 = 0

  package init() {}

  /// Bit n stands for block n.
  package init(bits: UInt64) { self.bits = bits }

  /// The set of these numbers; those outside 0…63 are ignored.
  package init(_ blocks: some Sequence<Int>) {
    for block in blocks { insert(block) }
  }

  /// Adds a block; a number outside 0…63 is ignored.
  package mutating func insert(_ block: Int) {
    if Self.range.contains(block) { bits |= 1 << UInt64(block) }
  }

  /// The number of members.
  package var count: Int { bits.nonzeroBitCount }

  package var isEmpty: Bool { bits == 0 }

  package func contains(_ block: Int) -> Bool { Self.range.contains(block) && bits >> UInt64(block) & 1 == 1 }

  /// The members, in ascending order.
  package var members: [Int] { Self.range.filter(contains) }

  package func intersection(_ range: Range<Int>) -> BlockSet {
    var members = BlockSet()
    for block in range where contains(block) { members.insert(block) }
    return members
  }

  private static let range = 0..<64
}

package enum BlockText {
  /// Block numbers for people: `block 42`, `blocks 40 to 42`, `blocks 3, 7 and 40 to 42`.
  package static func list(_ blocks: BlockSet) -> String { ("\(blocks)" as FixedText).description }
}

extension FixedText.Interpolation {
  package mutating func appendInterpolation(_ blocks: BlockSet) {
    appendLiteral(blocks.count == 1 ? "block " : "blocks ")
    var (block, listed) = (0, 0)
    while listed < blocks.count {
      let first = block
      while blocks.contains(block) { block += 1 }
      let length = block - first
      block += 1
      if length == 0 { continue }
      if listed > 0 { appendLiteral(listed + length == blocks.count ? " and " : ", ") }
      appendInterpolation(first)
      if length > 1 {
        appendLiteral(" to ")
        appendInterpolation(first + length - 1)
      }
      listed += length
    }
  }
}

package enum BlockRuns {
  /// Returns ascending ranges of consecutive numbers, which hold each number once.
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
