// SPDX-License-Identifier: Apache-2.0

/// A reader that is plugged in.
public struct FoundReader: Hashable, Sendable {
  /// Address to pass to `--reader`.
  public let address: ReaderAddress
  /// Name that the driver reports.
  public let name: String
  public let presence: Presence

  /// State of the reader's field.
  public enum Presence: String, Hashable, Sendable, CaseIterable {
    case nothing
    /// An ISO 15693 tag, the kind that sensors are.
    case iso15693
    case otherCard = "other_card"
    /// Used exclusively by another program.
    case busy
    case unknown
  }

  public init(address: ReaderAddress, name: String, presence: Presence) {
    self.address = address
    self.name = name
    self.presence = presence
  }
}
