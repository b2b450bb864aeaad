// SPDX-License-Identifier: Apache-2.0

/// Where a sensor is in its life: the byte at memory offset 4 (read: DiaBLE, xDrip, LibreMonitor; 1 to 5 verified).
public enum SensorState: Hashable, Sendable {
  /// Taken from the box, never started.
  case notActivated
  /// The first 60 minutes.
  case warmingUp
  /// Measuring, until the maximum life in its footer.
  case active
  /// The 720 minutes after the maximum life: the age runs on, the history does not.
  case expired
  /// Ended; the age stands still.
  case shutdown
  /// Ended by itself for the reason in its end-of-life entry.
  case failure
  /// A value nobody has described, or (nil) a header whose checksum does not hold.
  case unknown(UInt8?)

  /// The described states: the byte in memory, and the word used in JSON.
  private static let described: [(state: SensorState, raw: UInt8, name: String)] = [
    (.notActivated, 1, "not_activated"), (.warmingUp, 2, "warming_up"), (.active, 3, "active"),
    (.expired, 4, "expired"), (.shutdown, 5, "shutdown"), (.failure, 6, "failure"),
  ]

  public init(_ raw: UInt8) { self = Self.described.first { $0.raw == raw }?.state ?? .unknown(raw) }

  /// The state of this name; unknown for any other.
  public init(name: String) { self = Self.described.first { $0.name == name }?.state ?? .unknown(nil) }

  /// The byte in memory; nil for a header that could not be trusted.
  public var raw: UInt8? {
    if case .unknown(let raw) = self { raw } else { Self.described.first { $0.state == self }?.raw }
  }

  /// The word used in JSON.
  public var name: String { Self.described.first { $0.state == self }?.name ?? "unknown" }
}
