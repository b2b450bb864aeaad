// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The newest rows of the store as they were at one moment: what nearly all requests are answered from.
package struct ServerSnapshot: Sendable {
  /// Differs when the store has changed: the body of an `ETag`.
  package let revision: String
  /// Newest first, at most one value a minute.
  package let glucose: [ServedGlucose]
  /// The snapshot holds every value of the store from this time on; nil if it holds all there are.
  package let completeFrom: Instant?
  /// Newest first.
  package let fingerSticks: [ServedFingerStick]
  /// Newest activation first.
  package let sensors: [ServedSensor]
  package let sinks: [ServedSink]
  /// Number of samples in the store.
  package let storedSamples: Int

  package init(
    revision: String, glucose: [ServedGlucose], completeFrom: Instant? = nil, fingerSticks: [ServedFingerStick] = [],
    sensors: [ServedSensor] = [], sinks: [ServedSink] = [], storedSamples: Int = 0
  ) {
    self.revision = revision
    self.glucose = glucose
    self.completeFrom = completeFrom
    self.fingerSticks = fingerSticks
    self.sensors = sensors
    self.sinks = sinks
    self.storedSamples = storedSamples
  }
}

/// A glucose value that clients may see: usable, with a time, of a sensor or imported.
package struct ServedGlucose: Hashable, Sendable {
  /// 24 hex digits, the same for a sample whenever it is served.
  package let id: String
  package let time: Instant
  package let concentration: GlucoseConcentration
  /// Change within the five minutes before, mg/dL; nil where that is unknown.
  package let delta: Double?
  /// nil where the rate of that minute is unknown.
  package let direction: TrendDirection?
  /// The sensor's serial number, or the source of an imported value.
  package let device: String
  package let isTrend: Bool

  package init(
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
package struct ServedFingerStick: Hashable, Sendable {
  /// 24 hex digits.
  package let id: String
  package let time: Instant
  package let concentration: GlucoseConcentration
  /// The unit that it was entered in.
  package let unit: GlucoseUnit
  package let source: String

  package init(id: String, time: Instant, concentration: GlucoseConcentration, unit: GlucoseUnit, source: String) {
    self.id = id
    self.time = time
    self.concentration = concentration
    self.unit = unit
    self.source = source
  }
}

/// A sensor of the store, newest activation first in a snapshot.
package struct ServedSensor: Hashable, Sendable {
  /// 24 hex digits.
  package let id: String
  package let serial: String
  package let family: String
  /// nil where no scan told it.
  package let activatedAt: Instant?
  /// End by its maximum life; nil where that is unknown.
  package let endsAt: Instant?
  package let state: String
  package let ageMinutes: Int?
  package let lastReadAt: Instant?

  package init(
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
package struct ServedSink: Hashable, Sendable {
  package let name: String
  package let type: String
  package let queued: Int
  package let parked: Int
  /// Last failure in words; nil where the last delivery went well.
  package let problem: String?

  package init(name: String, type: String, queued: Int, parked: Int, problem: String?) {
    self.name = name
    self.type = type
    self.queued = queued
    self.parked = parked
    self.problem = problem
  }
}
