// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats

/// An entry that may be sent as a value: dated, with an id, and of quality `ok`.
struct SentSample {
  let id: SampleID
  let value: GlucoseValue
  /// How fast glucose moved when it was measured, mg/dL per minute; nil where it is not known.
  private(set) var ratePerMinute: Double?

  /// Throws the reason why it may not be sent.
  init(_ entry: HistoryEntry) throws(Omission) {
    let value = try GlucoseValue(entry)
    guard Instant.writable.contains(value.time) else { throw .outOfRange }
    self.value = value
    id = try value.requiredID
  }

  func with(ratePerMinute: Double?) -> SentSample {
    var sample = self
    sample.ratePerMinute = ratePerMinute
    return sample
  }

  /// The direction of glucose when it was measured; nil if it is not known.
  var direction: TrendDirection? { ratePerMinute.map { TrendDirection(ratePerMinute: $0) } }

  var entry: HistoryEntry { value.entry }
  var time: Instant { value.time }
  var milligramsPerDecilitre: Double { value.concentration.milligramsPerDecilitre }

  /// nil for what no sensor of ours measured.
  var stored: StoredSample? { entry.stored }

  /// nil for what no sensor of ours measured.
  var minute: SensorMinute? { stored?.sample.minute }

  /// nil for a measurement of blood.
  var ring: SampleRing? {
    switch entry {
    case .sensor(let stored): stored.sample.ring
    case .imported(let imported): imported.ring
    case .fingerStick: nil
    }
  }

  /// `isMeasured` is for a receiver that has no way to say that a value is a limit.
  static func omission(of entry: HistoryEntry, isMeasured: Bool = false) -> String? {
    do throws(Omission) {
      let sample = try SentSample(entry)
      if isMeasured { _ = try sample.value.measured }
      return nil
    } catch {
      return error.rawValue
    }
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
  func with(unit: GlucoseUnit, patient: String? = nil) -> ExportContext {
    ExportContext(
      unit: unit, program: program, version: version, now: now, clock: clock, person: person, patient: patient)
  }
}
