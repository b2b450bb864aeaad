// SPDX-License-Identifier: Apache-2.0

/// A reader that is plugged in.
public struct FoundReader: Hashable, Sendable {
  /// As for `--reader`.
  public let address: ReaderAddress
  /// As the driver calls it.
  public let name: String
  public let presence: Presence

  /// What lies on it.
  public enum Presence: String, Hashable, Sendable, CaseIterable {
    case nothing
    /// A tag of the kind that sensors are.
    case iso15693
    case otherCard = "other_card"
    /// Another program has it for itself.
    case busy
    case unknown
  }

  public init(address: ReaderAddress, name: String, presence: Presence) {
    self.address = address
    self.name = name
    self.presence = presence
  }
}
