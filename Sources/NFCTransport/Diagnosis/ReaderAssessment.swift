// SPDX-License-Identifier: Apache-2.0

/// A plugged-in reader and the catalogue's knowledge of its kind.
public struct ReaderAssessment: Hashable, Sendable {
  public let reader: FoundReader
  /// Catalogue entry; nil if the reader is not in the catalogue.
  public let kind: KnownReader?

  public init(_ reader: FoundReader) {
    self.reader = reader
    kind = KnownReader.named(reader.name)
  }

  /// ISO 15693 support. Sensors are ISO 15693 tags.
  public enum Ability: String, Hashable, Sendable, CaseIterable {
    case yes
    case no
    case unknown
  }

  /// Support for ISO 15693. A tag that the reader has found outweighs the catalogue.
  public var iso15693: Ability {
    switch (reader.presence, kind?.ability) {
    case (.iso15693, _), (_, .reads): .yes
    case (_, .cannot): .no
    case (_, .perhaps), (_, nil): .unknown
    }
  }

  /// Likely dialects, most likely first; empty if unknown.
  public var dialects: [String] {
    if case .reads(let dialects) = kind?.ability { dialects } else { [] }
  }

  /// Reason for an answer other than yes; nil for yes.
  public var reason: String? {
    switch (iso15693, kind?.ability) {
    case (.yes, _): nil
    case (_, .perhaps(let reason)), (_, .cannot(let reason)): reason
    case (_, .reads), (_, nil): "the name is not in libre's catalogue; try it"
    }
  }
}
