// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Values for a sink, oldest first: samples of one wear; imported values and finger-sticks; or blood pressures.
public struct SampleBatch: Sendable {
  /// A part of the data that a sink may get; by default only the history.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    case history = "glucose.history"
    /// Values of each minute, and data derived from them: the current value and the direction of glucose.
    case trend = "glucose.trend"
    case sensor, raw, statistics
    case fingerSticks = "finger_sticks"
    case imported
    case bloodPressure = "blood_pressure"
  }

  /// Stage of a batch, in Vital's words: measured before or after the sink was set up.
  package enum Stage: String, Hashable, Sendable {
    case historical, daily
  }

  /// A UUID that stays the same for every attempt.
  package let key: String
  package let stage: Stage
  package let parts: Set<Part>
  /// Sensor of the samples; nil for imported values, finger-sticks and blood pressures.
  package let sensor: WearFacts?
  /// Entries with times and ids and of quality `ok`: a flagged value is never sent as a value.
  package let entries: [HistoryEntry]
  /// Entries that the receiver holds in another version, which these replace.
  package let held: Set<SampleID>
  /// Entries that may be sent: only rings that the sink gets, without flagged or undated values.
  let sent: [SentSample]
  /// Measurements of blood pressure that may be sent, with ids and times. A batch has either these or glucose.
  let pressures: [BloodPressure]
  /// Current value, if the sensor's newest sample belongs to this batch.
  package let current: CurrentGlucose?
  /// True if no sensor has a newer sample, by default if there is a current value: it may become a receiver's state.
  package let holdsNewest: Bool
  /// True if no other batch of this stage is queued for this sink.
  package let isLastOfStage: Bool

  /// `rates`: the rate of glucose at these entries, mg/dL per minute; `current` has the rate of the current value.
  package init(
    key: String, stage: Stage, parts: Set<Part>, sensor: WearFacts?, entries: [HistoryEntry],
    current: CurrentGlucose?, rates: [SampleID: Double] = [:], held: Set<SampleID> = [], holdsNewest: Bool? = nil,
    isLastOfStage: Bool = true
  ) {
    (self.key, self.stage, self.parts) = (key, stage, parts)
    (self.sensor, self.entries, self.held) = (sensor, entries, held)
    sent = entries.compactMap { entry in
      guard Self.isAskedFor(entry, parts), var sample = try? SentSample(entry) else { return nil }
      if parts.contains(.trend) { sample.ratePerMinute = Self.rate(of: entry, current) ?? rates[sample.id] }
      return sample
    }
    pressures = entries.compactMap { entry in
      guard parts.contains(.bloodPressure), case .bloodPressure(let pressure) = entry else { return nil }
      return SentSample.omission(of: entry, takesPressure: true) == nil ? pressure : nil
    }
    self.current = current
    self.holdsNewest = holdsNewest ?? (current != nil)
    self.isLastOfStage = isLastOfStage
  }

  private static func isAskedFor(_ entry: HistoryEntry, _ parts: Set<Part>) -> Bool {
    switch entry {
    case .sensor(let stored): stored.sample.ring == .history || parts.contains(.trend)
    case .imported: parts.contains(.imported)
    case .fingerStick: parts.contains(.fingerSticks)
    // They are in `pressures`.
    case .bloodPressure: false
    }
  }

  /// The current rate, if the entry has the current minute.
  private static func rate(of entry: HistoryEntry, _ current: CurrentGlucose?) -> Double? {
    guard case .sensor(let stored) = entry, current?.minute == stored.sample.minute else { return nil }
    return current?.ratePerMinute
  }
}
