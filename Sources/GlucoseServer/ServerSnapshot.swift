// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore

/// The newest rows of the store as they were at one moment: what nearly all requests are answered from.
struct ServerSnapshot: Sendable {
  /// Differs when the store has changed: the body of an `ETag`.
  let revision: String
  /// Newest first, at most one value a minute.
  let glucose: [ServedGlucose]
  /// The snapshot holds every value of the store from this time on; nil if it holds all there are.
  var completeFrom: Instant?
  /// Newest first.
  var fingerSticks: [ServedFingerStick] = []
  /// Newest activation first.
  var sensors: [ServedSensor] = []
  var sinks: [ServedSink] = []
  var storedSamples = 0
  /// Newest first.
  var alerts: [ServedAlert] = []
}

/// The last alert of a rule, whichever program told it.
struct ServedAlert: Hashable, Sendable {
  let rule: String
  let at: Instant
  let words: AlertMemory.Words
  /// True while its cause lasts.
  let lasts: Bool

  /// True while somebody who opens the page should see it: an hour, and for a day what lasts.
  func isCurrent(at now: Instant) -> Bool {
    (0...(lasts ? 1_440 : 60)).contains(now.minutes(since: at))
  }
}

/// A glucose value that clients may see: usable, with a time, of a sensor or imported.
struct ServedGlucose: Hashable, Sendable {
  /// 24 hex digits, the same for a sample whenever it is served.
  let id: String
  let time: Instant
  let concentration: GlucoseConcentration
  /// Change within the five minutes before, mg/dL; nil if it is unknown.
  var delta: Double?
  /// nil if the rate of that minute is unknown.
  var direction: TrendDirection?
  /// The sensor's serial number, or the source of an imported value.
  let device: String
  var isTrend = false
}

struct ServedFingerStick: Hashable, Sendable {
  let id: String
  let time: Instant
  let concentration: GlucoseConcentration
  /// The unit that it was entered in.
  let unit: GlucoseUnit
  let source: String
}

struct ServedSensor: Hashable, Sendable {
  let id: String
  let serial: String
  let facts: WearFacts
}

struct ServedSink: Hashable, Sendable {
  let name: String
  let queued: Int
  let parked: Int
  /// Last failure in words; nil if the last delivery went well.
  let problem: String?
}
