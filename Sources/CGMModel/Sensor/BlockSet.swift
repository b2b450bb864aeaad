// SPDX-License-Identifier: Apache-2.0

/// A set of block numbers from 0 to 63; a Libre 1 memory has blocks 0 to 42.
public struct BlockSet: Hashable, Sendable {
  private var bits: UInt64 = 0

  package init() {}

  /// The set of these numbers; those outside 0…63 are ignored.
  package init(_ blocks: some Sequence<Int>) {
    for block in blocks where Self.range.contains(block) { bits |= 1 << UInt64(block) }
  }

  package var isEmpty: Bool { bits == 0 }

  package func contains(_ block: Int) -> Bool { Self.range.contains(block) && bits >> UInt64(block) & 1 == 1 }

  /// The members, in ascending order.
  package var members: [Int] { Self.range.filter(contains) }

  package func intersection(_ range: Range<Int>) -> BlockSet { BlockSet(range.filter(contains)) }

  private static let range = 0..<64
}

package enum BlockText {
  /// Block numbers for people: `block 42`, `blocks 40 to 42`, `blocks 3, 7 and 40 to 42`.
  package static func list(_ blocks: BlockSet) -> String {
    let texts = BlockRuns.runs(of: blocks.members).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound - 1)"
    }
    let list =
      texts.count < 2 ? texts.joined() : "\(texts.dropLast().joined(separator: ", ")) and \(texts[texts.count - 1])"
    return "\(blocks.members.count == 1 ? "block" : "blocks") \(list)"
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
