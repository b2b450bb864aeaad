// SPDX-License-Identifier: Apache-2.0

/// Block numbers as people write them.
package enum BlockText {
  /// `block 42`, `blocks 40 to 42`, `blocks 3, 7 and 40 to 42`.
  package static func list(_ blocks: BlockSet) -> String {
    let texts = BlockRuns.runs(of: blocks.members).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound - 1)"
    }
    let list =
      texts.count < 2 ? texts.joined() : "\(texts.dropLast().joined(separator: ", ")) and \(texts[texts.count - 1])"
    return "\(blocks.members.count == 1 ? "block" : "blocks") \(list)"
  }
}
