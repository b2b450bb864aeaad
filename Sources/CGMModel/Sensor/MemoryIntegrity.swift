// SPDX-License-Identifier: Apache-2.0

/// The result of checking the checksum of one region of a memory.
public enum RegionVerdict: Hashable, Sendable {
  /// The checksum is correct.
  case ok
  /// The checksum is correct for an age of one minute less: the minute ticked during the read.
  case torn
  /// The checksum is wrong.
  case bad(stored: UInt16, computed: UInt16)
  /// These blocks of the region are missing in the dump.
  case absent(BlockSet)

  /// `ok` if the two are equal, otherwise `bad`.
  @inlinable public init(stored: UInt16, computed: UInt16) {
    self = stored == computed ? .ok : .bad(stored: stored, computed: computed)
  }

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

/// A part of a memory with its own checksum.
public enum MemoryRegion: Hashable, Sendable {
  case header, body, footer
  /// The sensor's program, which only a full memory has.
  case code

  /// The word used in JSON.
  public var name: String { text.description }

  package var text: StaticString {
    switch self {
    case .header: "header"
    case .body: "body"
    case .footer: "footer"
    case .code: "code"
    }
  }
}

/// The verdicts on the three regions of a Libre 1 memory.
public struct MemoryIntegrity: Hashable, Sendable {
  public let header: RegionVerdict
  public let body: RegionVerdict
  public let footer: RegionVerdict

  package var verdicts: [RegionVerdict] { [header, body, footer] }

  package var trustedRegions: Int {
    (header.isTrusted ? 1 : 0) + (body.isTrusted ? 1 : 0) + (footer.isTrusted ? 1 : 0)
  }

  public init(header: RegionVerdict, body: RegionVerdict, footer: RegionVerdict) {
    self.header = header
    self.body = body
    self.footer = footer
  }
}
