// SPDX-License-Identifier: Apache-2.0

/// Which blocks are still to be read, in sections that no request crosses: a section can then be read again by itself.
///
/// It starts with as few requests as the sections allow. A sensor or a reader that refuses a run of blocks is asked for
/// shorter ones from then on: three blocks, then two, then one.
public struct ReadPlan: Hashable, Sendable {
  /// In the order in which they are read; none is empty.
  public private(set) var sections: [Range<Int>]
  /// Blocks that one request may ask for, 1…3.
  public private(set) var longestRun: Int

  /// Block numbers outside 0…255 are left out, and a run is never longer than a sensor can send.
  public init(sections: [Range<Int>], longestRun: Int = ISO15693.BlockRun.longest) {
    self.longestRun = min(max(longestRun, 1), ISO15693.BlockRun.longest)
    self.sections = []
    add(sections)
  }

  /// All requests, if none is refused. One block by itself is asked for with the command for one: the frame is shorter,
  /// and there is no reader that can carry the other command only.
  public var requests: [ISO15693.Request] {
    sections.flatMap { section in
      stride(from: section.lowerBound, to: section.upperBound, by: longestRun).compactMap { first in
        Self.request(first: first, count: min(longestRun, section.upperBound - first))
      }
    }
  }

  /// The first of them; nil if nothing is left to read.
  public var next: ISO15693.Request? {
    sections.first.flatMap { Self.request(first: $0.lowerBound, count: min(longestRun, $0.count)) }
  }

  /// Puts sections at the end.
  public mutating func add(_ more: [Range<Int>]) {
    sections += more.map { $0.clamped(to: 0..<256) }.filter { !$0.isEmpty }
  }

  /// These blocks need not be read any more.
  public mutating func remove(_ blocks: Range<Int>) {
    sections = sections.flatMap { section in
      [section.clamped(to: 0..<blocks.lowerBound), section.clamped(to: blocks.upperBound..<256)].filter { !$0.isEmpty }
    }
  }

  /// A run of so many blocks was refused: all that are left get shorter. Runs of one block stay.
  public mutating func refuse(runOf count: Int) {
    longestRun = max(min(longestRun, count - 1), 1)
  }

  private static func request(first: Int, count: Int) -> ISO15693.Request? {
    ISO15693.BlockRun(first: first, count: count).map { $0.count == 1 ? .readBlock($0.first) : .readBlocks($0) }
  }
}
