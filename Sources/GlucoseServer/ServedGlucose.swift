// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A glucose value that clients may see: usable, with a time, of a sensor or imported.
public struct ServedGlucose: Hashable, Sendable {
  /// 24 hex digits, the same for a sample whenever it is served.
  public let id: String
  public let time: Instant
  public let concentration: GlucoseConcentration
  /// Change within the five minutes before, mg/dL; nil where that is unknown.
  public let delta: Double?
  /// nil where the rate of that minute is unknown.
  public let direction: TrendDirection?
  /// The sensor's serial number, or the source of an imported value.
  public let device: String
  public let isTrend: Bool

  public init(
    id: String, time: Instant, concentration: GlucoseConcentration, delta: Double? = nil,
    direction: TrendDirection? = nil, device: String, isTrend: Bool = false
  ) {
    self.id = id
    self.time = time
    self.concentration = concentration
    self.delta = delta
    self.direction = direction
    self.device = device
    self.isTrend = isTrend
  }
}

/// A finger-stick.
public struct ServedFingerStick: Hashable, Sendable {
  /// 24 hex digits.
  public let id: String
  public let time: Instant
  public let concentration: GlucoseConcentration
  /// The unit that it was entered in.
  public let unit: GlucoseUnit
  public let source: String

  public init(id: String, time: Instant, concentration: GlucoseConcentration, unit: GlucoseUnit, source: String) {
    self.id = id
    self.time = time
    self.concentration = concentration
    self.unit = unit
    self.source = source
  }
}

/// A sensor of the store, newest activation first in a snapshot.
public struct ServedSensor: Hashable, Sendable {
  /// 24 hex digits.
  public let id: String
  public let serial: String
  public let family: String
  /// nil where no scan told it.
  public let activatedAt: Instant?
  /// End by its maximum life; nil where that is unknown.
  public let endsAt: Instant?
  public let state: String
  public let ageMinutes: Int?
  public let lastReadAt: Instant?

  public init(
    id: String, serial: String, family: String, activatedAt: Instant?, endsAt: Instant?, state: String,
    ageMinutes: Int?, lastReadAt: Instant?
  ) {
    self.id = id
    self.serial = serial
    self.family = family
    self.activatedAt = activatedAt
    self.endsAt = endsAt
    self.state = state
    self.ageMinutes = ageMinutes
    self.lastReadAt = lastReadAt
  }
}

/// State of a sink: what is queued in its outbox, and what its receiver refused.
public struct ServedSink: Hashable, Sendable {
  public let name: String
  public let type: String
  public let queued: Int
  public let parked: Int
  /// Last failure in words; nil where the last delivery went well.
  public let problem: String?

  public init(name: String, type: String, queued: Int, parked: Int, problem: String?) {
    self.name = name
    self.type = type
    self.queued = queued
    self.parked = parked
    self.problem = problem
  }
}
