// SPDX-License-Identifier: Apache-2.0

/// One value of a person's history, whoever measured it.
public enum HistoryEntry: Hashable, Sendable {
  /// From a sensor that libre read itself.
  case sensor(StoredSample)
  /// From another program's history.
  case imported(ImportedSample)
  /// From a drop of blood.
  case fingerStick(FingerStick)

  /// The sensor's sample; nil for an imported value and a finger-stick.
  public var stored: StoredSample? {
    if case .sensor(let stored) = self { stored } else { nil }
  }

  /// nil for a sample of a sensor whose UID is not known.
  public var id: SampleID? {
    switch self {
    case .sensor(let stored): stored.sample.id
    case .imported(let imported): imported.id
    case .fingerStick(let stick): stick.id
    }
  }

  /// nil for a sample of a sensor that was never read at a known time.
  public var time: Instant? {
    switch self {
    case .sensor(let stored): stored.sample.time
    case .imported(let imported): imported.time
    case .fingerStick(let stick): stick.time
    }
  }

  /// nil where no number can be given honestly. A sample without a `usableConcentration` may have one all the same.
  public var concentration: GlucoseConcentration? {
    switch self {
    case .sensor(let stored): stored.sample.concentration
    case .imported(let imported): imported.concentration
    case .fingerStick(let stick): stick.concentration
    }
  }

  /// The value that may be counted, sent and shown as a value.
  public var usableConcentration: GlucoseConcentration? {
    switch self {
    case .sensor(let stored): stored.sample.usableConcentration
    case .imported(let imported): imported.concentration
    case .fingerStick(let stick): stick.concentration
    }
  }
}

/// A sample in the local history: one point, and whose it is.
public struct StoredSample: Hashable, Sendable {
  public let sensor: SensorIdentity
  /// From 1; a sensor that was started again begins the next.
  public let wear: Int
  public var sample: GlucoseSample
  /// What turned its counts into a concentration; nil where nothing did.
  public let calibration: CalibrationDescription?
  /// True if it comes from a body whose checksum did not hold.
  public let isSalvaged: Bool

  public init(
    sensor: SensorIdentity, wear: Int, sample: GlucoseSample, calibration: CalibrationDescription?, isSalvaged: Bool
  ) {
    self.sensor = sensor
    self.wear = wear
    self.sample = sample
    self.calibration = calibration
    self.isSalvaged = isSalvaged
  }
}

/// A value that another program wrote into its history: a time and a number, without the counts behind it.
public struct ImportedSample: Hashable, Sendable {
  /// What stands for a value that was outside what the program shows.
  public enum Bound: String, Hashable, Sendable, CaseIterable {
    /// The true value is lower.
    case low
    /// The true value is higher.
    case high
  }

  /// Made of the other four facts that identify it, so that a second import changes nothing.
  public var id: SampleID?
  /// The format it came in, such as `libreview`; or the program that the file names.
  public let source: String
  /// The device's serial number or name in that program.
  public let device: String?
  /// `history` for values at regular times, `trend` for one at a scan.
  public let ring: SampleRing
  public let time: Instant
  public let concentration: GlucoseConcentration
  public let bound: Bound?

  public init(
    id: SampleID? = nil, source: String, device: String?, ring: SampleRing, time: Instant,
    concentration: GlucoseConcentration, bound: Bound? = nil
  ) {
    self.id = id
    self.source = source
    self.device = device
    self.ring = ring
    self.time = time
    self.concentration = concentration
    self.bound = bound
  }
}

/// A measurement of blood, with which sensors are compared and calibrated.
public struct FingerStick: Hashable, Sendable {
  /// Made of time and value, so that adding it twice changes nothing.
  public var id: SampleID?
  public let time: Instant
  public let concentration: GlucoseConcentration
  public let note: String?
  /// The format it came in; nil for one that the user typed.
  public let source: String?

  public init(
    id: SampleID? = nil, time: Instant, concentration: GlucoseConcentration, note: String? = nil, source: String? = nil
  ) {
    self.id = id
    self.time = time
    self.concentration = concentration
    self.note = note
    self.source = source
  }
}
