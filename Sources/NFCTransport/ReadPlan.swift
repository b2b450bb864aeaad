// SPDX-License-Identifier: Apache-2.0

/// Which blocks are still to be read, in sections that no request crosses: a section can then be read again by itself.
///
/// It starts with as few requests as the sections allow. A sensor or a reader that refuses a run of blocks is asked for
/// shorter ones from then on: three blocks, then two, then one. Blocks above 255 are asked for with the maker's own
/// commands, all others with those that every reader can carry.
public struct ReadPlan: Hashable, Sendable {
  /// In the order in which they are read; none is empty.
  public private(set) var sections: [Range<Int>]
  /// Blocks that one request may ask for, 1…3.
  public private(set) var longestRun: Int
  /// Whose custom commands reach the blocks above 255; nil if none may be sent.
  public let manufacturer: ISO15693.Manufacturer?

  /// Block numbers outside 0…65535 are left out, without a manufacturer those outside 0…255, and a run is never longer
  /// than a sensor can send.
  public init(
    sections: [Range<Int>], longestRun: Int = ISO15693.BlockRun.longest, manufacturer: ISO15693.Manufacturer? = nil
  ) {
    self.longestRun = min(max(longestRun, 1), ISO15693.BlockRun.longest)
    self.manufacturer = manufacturer
    self.sections = []
    add(sections)
  }

  /// All requests, if none is refused. One block by itself is asked for with the command for one: the frame is shorter,
  /// and there is no reader that can carry the other command only.
  public var requests: [ISO15693.Request] {
    var plan = self
    var requests: [ISO15693.Request] = []
    while let next = plan.next, let blocks = next.blocks {
      requests.append(next)
      plan.sections[0] = blocks.upperBound..<plan.sections[0].upperBound
      if plan.sections[0].isEmpty { plan.sections.removeFirst() }
    }
    return requests
  }

  /// The first of them; nil if nothing is left to read.
  public var next: ISO15693.Request? {
    guard let section = sections.first else { return nil }
    let first = section.lowerBound
    let count = min(longestRun, section.count)
    if first < Self.narrow {
      return ISO15693.BlockRun(first: first, count: min(count, Self.narrow - first))
        .map { $0.count == 1 ? .readBlock($0.first) : .readBlocks($0) }
    }
    guard let manufacturer, let run = ISO15693.WideBlockRun(first: first, count: count) else { return nil }
    return run.count == 1 ? .readWideBlock(run.first, manufacturer) : .readWideBlocks(run, manufacturer)
  }

  /// Puts sections at the end.
  public mutating func add(_ more: [Range<Int>]) {
    sections += more.map { $0.clamped(to: 0..<end) }.filter { !$0.isEmpty }
  }

  /// These blocks need not be read any more.
  public mutating func remove(_ blocks: Range<Int>) {
    sections = sections.flatMap { section in
      [
        section.clamped(to: 0..<max(blocks.lowerBound, 0)),
        section.clamped(to: min(blocks.upperBound, end)..<end),
      ].filter { !$0.isEmpty }
    }
  }

  /// A run of so many blocks was refused: all that are left get shorter. Runs of one block stay.
  public mutating func refuse(runOf count: Int) {
    longestRun = max(min(longestRun, count - 1), 1)
  }

  /// The first block whose number needs more than a byte.
  private static let narrow = 256

  /// Behind the last block that can be asked for.
  private var end: Int { manufacturer == nil ? Self.narrow : 65_536 }
}
