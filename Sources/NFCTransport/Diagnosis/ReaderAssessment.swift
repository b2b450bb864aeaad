// SPDX-License-Identifier: Apache-2.0

/// A plugged-in reader and the catalogue's knowledge of its kind.
package struct ReaderAssessment: Hashable, Sendable {
  package let reader: FoundReader
  /// Catalogue entry; nil if the reader is not in the catalogue.
  package let kind: KnownReader?

  package init(_ reader: FoundReader) {
    self.reader = reader
    kind = KnownReader.named(reader.name)
  }

  /// ISO 15693 support. Sensors are ISO 15693 tags.
  package enum Ability: String, Hashable, Sendable, CaseIterable {
    case yes
    case no
    case unknown
  }

  /// Support for ISO 15693. A tag that the reader has found outweighs the catalogue.
  package var iso15693: Ability {
    switch (reader.presence, kind?.ability) {
    case (.iso15693, _), (_, .reads): .yes
    case (_, .cannot): .no
    case (_, .perhaps), (_, nil): .unknown
    }
  }

  /// Likely dialects, most likely first; empty if unknown.
  package var dialects: [String] {
    if case .reads(let dialects) = kind?.ability { dialects } else { [] }
  }

  /// Reason for an answer other than yes; nil for yes.
  package var reason: String? {
    switch (iso15693, kind?.ability) {
    case (.yes, _): nil
    case (_, .perhaps(let reason)), (_, .cannot(let reason)): reason
    case (_, .reads), (_, nil): "the name is not in libre's catalogue; try it"
    }
  }
}
