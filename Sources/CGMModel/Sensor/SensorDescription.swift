// SPDX-License-Identifier: Apache-2.0

/// The facts that a memory contains about its sensor.
public struct SensorDescription: Hashable, Sendable {
  public var identity: SensorIdentity
  public let patchInfo: PatchInfo?
  /// The region of sale; nil if the footer is not trusted.
  public let region: SensorRegion?
  public let state: SensorState
  /// Minutes since the start.
  public let ageMinutes: Int
  /// Minutes after which the history stops; nil if the footer is not trusted.
  public let maxLifeMinutes: Int?
  /// 0 on every Libre 1, 1 on Libre 2 (verified); nil where the memory does not store it.
  public let initializations: Int?
  /// The time of the start; nil without a read time, and for a sensor that was never started.
  public var activatedAt: Instant?
  public let endOfLife: [EndOfLifeEntry]
  /// Known for a sensor in state `failure` only.
  public let failure: SensorFailure?

  public init(
    identity: SensorIdentity, patchInfo: PatchInfo?, region: SensorRegion?, state: SensorState, ageMinutes: Int,
    maxLifeMinutes: Int?, initializations: Int?, activatedAt: Instant?, endOfLife: [EndOfLifeEntry],
    failure: SensorFailure?
  ) {
    self.identity = identity
    self.patchInfo = patchInfo
    self.region = region
    self.state = state
    self.ageMinutes = ageMinutes
    self.maxLifeMinutes = maxLifeMinutes
    self.initializations = initializations
    self.activatedAt = activatedAt
    self.endOfLife = endOfLife
    self.failure = failure
  }

  public var uid: SensorUID? { identity.uid }
  public var fingerprint: SensorFingerprint? { identity.fingerprint }
  public var serial: String? { identity.serial }
  public var family: SensorFamily { identity.family }

  /// The time at which its history stops; nil without a start or a known life.
  public var expiresAt: Instant? { maxLifeMinutes.flatMap { activatedAt?.adding(minutes: $0) } }
}

/// One line of the sensor's own log: the state that it left, and the minute (derived, verified on nine shut-down
/// sensors).
public struct EndOfLifeEntry: Hashable, Sendable {
  public let leftState: SensorState
  public let minute: SensorMinute

  public init(leftState: SensorState, minute: SensorMinute) {
    self.leftState = leftState
    self.minute = minute
  }
}

/// The reason for a sensor's failure (read: DiaBLE, xdripswift; no memory in state 6 is publicly known).
public struct SensorFailure: Hashable, Sendable {
  public let code: UInt8
  public let minute: SensorMinute

  public init(code: UInt8, minute: SensorMinute) {
    self.code = code
    self.minute = minute
  }

  /// The code's meaning in words; nil for an undocumented code (names read: DiaBLE).
  public var text: String? {
    switch code {
    case 0x01: "ADC interrupt overflow"
    case 0x05: "MMI interrupt"
    case 0x09: "error in the patch table"
    case 0x0A, 0x0B: "low voltage"
    case 0x0C: "FRAM header CRC"
    case 0x0D: "FRAM body CRC"
    case 0x0E: "FRAM footer CRC"
    case 0x0F: "code section CRC"
    case 0x10: "block lock table"
    case 0x13: "brownout"
    case 0x28: "battery low"
    case 0x34: "ended by a custom command (E1 or E2)"
    default: nil
    }
  }
}
