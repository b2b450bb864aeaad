// SPDX-License-Identifier: Apache-2.0

/// A reader that is plugged in, and what is known of its kind.
public struct ReaderAssessment: Hashable, Sendable {
  public let reader: FoundReader
  /// Its kind; nil if it is none of those in the catalogue.
  public let kind: KnownReader?

  public init(_ reader: FoundReader) {
    self.reader = reader
    kind = KnownReader.named(reader.name)
  }

  /// Whether it reads ISO 15693, which is what sensors are.
  public enum Ability: String, Hashable, Sendable, CaseIterable {
    case yes
    case no
    case unknown
  }

  /// A tag that it has found weighs more than the catalogue.
  public var iso15693: Ability {
    switch (reader.presence, kind?.ability) {
    case (.iso15693, _), (_, .reads): .yes
    case (_, .cannot): .no
    case (_, .perhaps), (_, nil): .unknown
    }
  }

  /// The dialects in which it is likely to read, the likeliest first; empty if nobody knows.
  public var dialects: [String] {
    if case .reads(let dialects) = kind?.ability { dialects } else { [] }
  }

  /// Why the answer is not a plain yes; nil if it is.
  public var reason: String? {
    switch (iso15693, kind?.ability) {
    case (.yes, _): nil
    case (_, .perhaps(let reason)), (_, .cannot(let reason)): reason
    case (_, .reads), (_, nil): "no reader that libre knows of has such a name; only trying tells"
    }
  }
}
