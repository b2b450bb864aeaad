// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import HistoryFormats

/// An entry that may be sent as a value: dated, with an id, and of quality `ok`.
public struct SentSample: Hashable, Sendable {
  /// The identity, under which a receiver may be told the same sample again, with another value after a calibration.
  public let id: SampleID
  let value: GlucoseValue
  /// Rate of glucose at the measurement, mg/dL per minute; nil if unknown, and for a receiver of the history alone.
  public internal(set) var ratePerMinute: Double?

  /// Throws the reason why the entry may not be sent.
  init(_ entry: HistoryEntry) throws(Omission) {
    let value = try GlucoseValue(entry)
    guard Instant.writable.contains(value.time) else { throw .outOfRange }
    self.value = value
    id = try value.requiredID
  }

  var direction: TrendDirection? { ratePerMinute.map { TrendDirection(ratePerMinute: $0) } }
  /// All facts about it: the sensor that it is of, or the source of an imported value.
  public var entry: HistoryEntry { value.entry }
  var ring: SampleRing? { value.ring }
  public var time: Instant { value.time }
  public var concentration: GlucoseConcentration { value.concentration }
  var milligramsPerDecilitre: Double { concentration.milligramsPerDecilitre }

  /// nil for imported values and finger-sticks, as `minute`.
  var stored: StoredSample? { entry.stored }
  var minute: SensorMinute? { stored?.sample.minute }

  /// The reason why an entry cannot be sent. `isMeasured` is for a receiver that cannot mark a value as a limit,
  /// `takesPressure` for one that has a place for a blood pressure.
  static func omission(
    of entry: HistoryEntry, isMeasured: Bool = false, takesPressure: Bool = false
  ) -> String? {
    if takesPressure, case .bloodPressure = entry {
      guard entry.id != nil else { return Omission.withoutID.rawValue }
      guard let time = entry.time else { return Omission.withoutTime.rawValue }
      return Instant.writable.contains(time) ? nil : Omission.outOfRange.rawValue
    }
    do throws(Omission) {
      let sample = try SentSample(entry)
      if isMeasured { _ = try sample.value.measured }
      return nil
    } catch {
      return error.rawValue
    }
  }
}
