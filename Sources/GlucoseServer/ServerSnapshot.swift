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
