// SPDX-License-Identifier: Apache-2.0

/// Blocks still to be read, in sections that no request crosses, so that one section can be read again alone.
///
/// If the sensor or the reader refuses a run of three blocks, runs of two follow, then single blocks. Blocks above 255
/// are read with custom commands, all others with standard commands, which every reader can carry.
package struct ReadPlan: Hashable, Sendable {
  package private(set) var sections: [Range<Int>]
  /// Maximum number of blocks in one request, 1…3.
  package private(set) var maximumRun: Int
  /// Manufacturer of the custom commands for blocks above 255; nil if custom commands may not be sent.
  package let manufacturer: ISO15693.Manufacturer?

  /// Drops block numbers outside 0…65535, or 0…255 without a manufacturer, and limits runs.
  package init(
    sections: [Range<Int>], maximumRun: Int = ISO15693.BlockRun.maximumCount, manufacturer: ISO15693.Manufacturer? = nil
  ) {
    self.maximumRun = min(max(maximumRun, 1), ISO15693.BlockRun.maximumCount)
    self.manufacturer = manufacturer
    self.sections = []
    add(sections)
  }

  /// If none is refused. One block is read with the single-block command: its frame is shorter, every reader supports
  /// it.
  package var requests: [ISO15693.Request] {
    var plan = self
    var requests: [ISO15693.Request] = []
    while let next = plan.next, let blocks = next.blocks {
      requests.append(next)
      plan.sections[0] = blocks.upperBound..<plan.sections[0].upperBound
      if plan.sections[0].isEmpty { plan.sections.removeFirst() }
    }
    return requests
  }

  /// Next request; nil if all blocks are read.
  package var next: ISO15693.Request? {
    guard let section = sections.first else { return nil }
    let first = section.lowerBound
    let count = min(maximumRun, section.count)
    if first < Self.narrow {
      return ISO15693.BlockRun(first: first, count: min(count, Self.narrow - first))
        .map { $0.count == 1 ? .readBlock($0.first) : .readBlocks($0) }
    }
    guard let manufacturer, let run = ISO15693.WideBlockRun(first: first, count: count) else { return nil }
    return run.count == 1 ? .readWideBlock(run.first, manufacturer) : .readWideBlocks(run, manufacturer)
  }

  package mutating func add(_ more: [Range<Int>]) {
    sections += more.map { $0.clamped(to: 0..<end) }.filter { !$0.isEmpty }
  }

  package mutating func remove(_ blocks: Range<Int>) {
    sections = sections.flatMap { section in
      [
        section.clamped(to: 0..<max(blocks.lowerBound, 0)),
        section.clamped(to: min(blocks.upperBound, end)..<end),
      ].filter { !$0.isEmpty }
    }
  }

  /// Shortens all further runs after a run of `count` blocks was refused. Single blocks stay.
  package mutating func refuse(runOf count: Int) {
    maximumRun = max(min(maximumRun, count - 1), 1)
  }

  /// First block number that needs more than one byte.
  private static let narrow = 256

  /// First block number that cannot be requested.
  private var end: Int { manufacturer == nil ? Self.narrow : 65_536 }
}
