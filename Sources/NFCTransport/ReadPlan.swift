// SPDX-License-Identifier: Apache-2.0

/// Which blocks to read, in sections that no request crosses: a section can then be read again by itself.
public struct ReadPlan: Hashable, Sendable {
  /// In the order in which they are read; block numbers outside 0…255 are left out.
  public let sections: [Range<Int>]

  public init(sections: [Range<Int>]) {
    self.sections = sections.map { $0.clamped(to: 0..<256) }
  }

  /// As few requests as the sections allow, each for up to three blocks.
  public var requests: [ISO15693.Request] {
    sections.flatMap { section in
      stride(from: section.lowerBound, to: section.upperBound, by: ISO15693.BlockRun.longest).compactMap { first in
        ISO15693.BlockRun(first: first, count: min(ISO15693.BlockRun.longest, section.upperBound - first))
          .map(ISO15693.Request.readBlocks)
      }
    }
  }
}
