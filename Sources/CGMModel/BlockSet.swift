// SPDX-License-Identifier: Apache-2.0

/// A set of block numbers from 0 to 63; a Libre 1 memory has blocks 0 to 42.
public struct BlockSet: Hashable, Sendable {
  private var bits: UInt64 = 0

  public init() {}

  /// Numbers outside 0…63 are left out.
  public init(_ blocks: some Sequence<Int>) {
    for block in blocks where Self.range.contains(block) { bits |= 1 << UInt64(block) }
  }

  public var isEmpty: Bool { bits == 0 }

  public func contains(_ block: Int) -> Bool { Self.range.contains(block) && bits >> UInt64(block) & 1 == 1 }

  /// The members, in order.
  public var members: [Int] { Self.range.filter(contains) }

  /// The members inside `range`.
  public func intersection(_ range: Range<Int>) -> BlockSet { BlockSet(range.filter(contains)) }

  private static let range = 0..<64
}
