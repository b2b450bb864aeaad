// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats

/// A sample that may be sent as a value: dated, with an id, and of quality `ok`.
struct SentSample {
  let stored: StoredSample
  let id: SampleID
  let value: GlucoseValue

  /// Throws the reason why it may not be sent.
  init(_ stored: StoredSample) throws(Omission) {
    let value = try GlucoseValue(.sensor(stored))
    guard Instant.writable.contains(value.time) else { throw .outOfRange }
    self.stored = stored
    self.value = value
    id = try value.requiredID
  }

  var time: Instant { value.time }
  var minute: SensorMinute { stored.sample.minute }
  var ring: SampleRing { stored.sample.ring }
  var milligramsPerDecilitre: Double { value.concentration.milligramsPerDecilitre }

  static func omission(of stored: StoredSample) -> Omission? {
    do {
      _ = try SentSample(stored)
      return nil
    } catch {
      return error
    }
  }
}

extension SampleBatch {
  /// Which way glucose goes at a minute, known only for the minute that is the current one.
  func direction(at minute: SensorMinute) -> TrendDirection? {
    guard let current, current.minute == minute, current.ratePerMinute != nil else { return nil }
    return current.direction
  }
}

extension SensorIdentity {
  /// What a receiver knows the sensor by.
  var label: String { serial ?? uid?.description ?? fingerprint?.description ?? "unknown" }

  /// The label with everything but ASCII letters, digits and dashes replaced, for topics and names that allow no more.
  var plainLabel: String {
    String(label.unicodeScalars.map { Character($0.isPlain ? $0 : "_") })
  }
}

extension Unicode.Scalar {
  /// An ASCII letter or digit, or a dash.
  var isPlain: Bool {
    switch self {
    case "A"..."Z", "a"..."z", "0"..."9", "-": true
    default: false
    }
  }
}

extension ExportContext {
  /// The same, as a receiver wants it.
  func with(unit: GlucoseUnit, person: String? = nil) -> ExportContext {
    ExportContext(
      unit: unit, program: program, version: version, now: now, clock: clock, person: person)
  }
}
