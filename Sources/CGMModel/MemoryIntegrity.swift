// SPDX-License-Identifier: Apache-2.0

/// What the checksum says about one region of a memory.
public enum RegionVerdict: Hashable, Sendable {
  /// The checksum holds.
  case ok
  /// The checksum holds with the age of a minute before: the minute ticked during the read.
  case torn
  /// The checksum does not hold.
  case bad(stored: UInt16, computed: UInt16)
  /// The dump lacks blocks of this region (which).
  case absent(BlockSet)

  /// `ok` if the two are equal, else `bad`.
  @inlinable public init(stored: UInt16, computed: UInt16) {
    self = stored == computed ? .ok : .bad(stored: stored, computed: computed)
  }

  /// True if the region's bytes can be trusted.
  public var isTrusted: Bool {
    switch self {
    case .ok, .torn: true
    case .bad, .absent: false
    }
  }

  /// The word used in JSON.
  public var name: String {
    switch self {
    case .ok: "ok"
    case .torn: "torn"
    case .bad: "bad"
    case .absent: "absent"
    }
  }
}

/// The verdicts on the three regions of a Libre 1 memory.
public struct MemoryIntegrity: Hashable, Sendable {
  public let header: RegionVerdict
  public let body: RegionVerdict
  public let footer: RegionVerdict

  /// Of header, body and footer.
  package var verdicts: [RegionVerdict] { [header, body, footer] }

  public init(header: RegionVerdict, body: RegionVerdict, footer: RegionVerdict) {
    self.header = header
    self.body = body
    self.footer = footer
  }
}
