// SPDX-License-Identifier: Apache-2.0

/// The stage of a sensor's life: the byte at memory offset 4 (read: DiaBLE, xDrip, LibreMonitor; 1 to 5 verified).
public enum SensorState: Hashable, Sendable {
  /// Never started.
  case notActivated
  /// The first 60 minutes.
  case warmingUp
  /// Measuring, until the maximum life in its footer.
  case active
  /// The 720 minutes after the maximum life: the age still increases, the history stops.
  case expired
  /// Ended; the age no longer increases.
  case shutdown
  /// Ended by itself, for the reason in its end-of-life entry.
  case failure
  /// An undocumented value, or (nil) a header with a wrong checksum.
  case unknown(UInt8?)

  public init(_ raw: UInt8) { self = Self.documented { $0.raw == raw } ?? .unknown(raw) }

  /// The state with this name; unknown for any other name.
  public init(name: String) { self = Self.documented { $0.name == name } ?? .unknown(nil) }

  private static func documented(_ isWanted: (SensorState) -> Bool) -> SensorState? {
    let states: InlineArray<6, SensorState> = [.notActivated, .warmingUp, .active, .expired, .shutdown, .failure]
    for index in states.indices where isWanted(states[index]) { return states[index] }
    return nil
  }

  /// The byte in memory; nil for a header that is not trusted.
  public var raw: UInt8? {
    switch self {
    case .notActivated: 1
    case .warmingUp: 2
    case .active: 3
    case .expired: 4
    case .shutdown: 5
    case .failure: 6
    case .unknown(let raw): raw
    }
  }

  /// The word used in JSON.
  public var name: String {
    switch self {
    case .notActivated: "not_activated"
    case .warmingUp: "warming_up"
    case .active: "active"
    case .expired: "expired"
    case .shutdown: "shutdown"
    case .failure: "failure"
    case .unknown: "unknown"
    }
  }
}
