// SPDX-License-Identifier: Apache-2.0

/// A reader that is plugged in.
package struct FoundReader: Hashable, Sendable {
  /// Address to pass to `--reader`.
  package let address: ReaderAddress
  /// Name that the driver reports.
  package let name: String
  package let presence: Presence

  /// State of the reader's field.
  package enum Presence: String, Hashable, Sendable, CaseIterable {
    case nothing
    /// An ISO 15693 tag, the kind that sensors are.
    case iso15693
    case otherCard = "other_card"
    /// Used exclusively by another program.
    case busy
    case unknown
  }

  package init(address: ReaderAddress, name: String, presence: Presence) {
    self.address = address
    self.name = name
    self.presence = presence
  }
}
