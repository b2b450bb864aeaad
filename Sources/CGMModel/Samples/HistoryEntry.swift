// SPDX-License-Identifier: Apache-2.0

/// One value of a person's history, from any source.
public enum HistoryEntry: Hashable, Sendable {
  /// A value of a sensor that libre read itself.
  case sensor(StoredSample)
  /// A value of another program's history.
  case imported(ImportedSample)
  case fingerStick(FingerStick)
  /// It has no concentration.
  case bloodPressure(BloodPressure)

  package var stored: StoredSample? {
    if case .sensor(let stored) = self { stored } else { nil }
  }

  /// The entry's identity; nil for a sample of a sensor with an unknown UID.
  package var id: SampleID? {
    switch self {
    case .sensor(let stored): stored.id
    case .imported(let imported): imported.id
    case .fingerStick(let stick): stick.id
    case .bloodPressure(let pressure): pressure.id
    }
  }

  /// The time of measurement; nil for a sample of a sensor that was never read at a known time.
  package var time: Instant? {
    switch self {
    case .sensor(let stored): stored.sample.time
    case .imported(let imported): imported.time
    case .fingerStick(let stick): stick.time
    case .bloodPressure(let pressure): pressure.time
    }
  }

  /// The concentration, even if it must not be used (see `usableConcentration`); nil for a sample without one, and for
  /// blood pressure.
  package var concentration: GlucoseConcentration? {
    switch self {
    case .sensor(let stored): stored.sample.concentration
    case .imported(let imported): imported.concentration
    case .fingerStick(let stick): stick.concentration
    case .bloodPressure: nil
    }
  }

  /// The value that may be counted, sent and shown as glucose: `concentration`, unless a sensor's sample must not be used.
  package var usableConcentration: GlucoseConcentration? {
    if case .sensor(let stored) = self { stored.sample.usableConcentration } else { concentration }
  }
}

/// A sample in the local history, with the sensor that it belongs to.
public struct StoredSample: Hashable, Sendable {
  package let sensor: SensorIdentity
  /// The wear's number, from 1; a sensor that was started again begins the next wear.
  package let wear: Int
  package var sample: GlucoseSample
  /// The model that turned the counts into a concentration; nil if none did.
  package var calibration: CalibrationDescription?
  /// True if the sample comes from a body with a wrong checksum.
  package let isSalvaged: Bool
  /// The sensor that counts at this time instead of the sample's own, which was started earlier; nil for a sample that
  /// counts, and where nothing looked for it.
  package var supersededBy: SensorIdentity?

  package init(
    sensor: SensorIdentity, wear: Int, sample: GlucoseSample, calibration: CalibrationDescription?, isSalvaged: Bool
  ) {
    self.sensor = sensor
    self.wear = wear
    self.sample = sample
    self.calibration = calibration
    self.isSalvaged = isSalvaged
  }

  /// The sample's identity, the same after every scan; nil if the sensor's UID is unknown.
  package var id: SampleID? {
    sensor.uid.map { SampleID(of: $0, wear: wear, sample.ring, sample.minute) }
  }
}

/// A value from another program's history: a time and a concentration, without the counts behind it.
public struct ImportedSample: Hashable, Sendable {
  /// The true value is lower or higher than the range that the program shows.
  package enum Bound: String, Hashable, Sendable, CaseIterable {
    case low, high
  }

  /// The sample's identity, made of source, device, time and value, so that a second import changes nothing.
  package var id: SampleID?
  /// The name of the file format, such as `libreview`, or of the program that the file names.
  package let source: String
  /// The device's serial number or name in that program.
  package let device: String?
  /// `history` for values at regular times, `trend` for a value at a scan.
  package let ring: SampleRing
  package let time: Instant
  package let concentration: GlucoseConcentration
  package let bound: Bound?

  /// Creates a value that was measured at a regular time. `source` is the name of the program or the format that it is
  /// from, `device` the serial number or name of the device there; the identity follows from both, the time and the value.
  public init(source: String, device: String? = nil, time: Instant, concentration: GlucoseConcentration) {
    self.init(id: nil, source: source, device: device, ring: .history, time: time, concentration: concentration)
  }

  package init(
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

/// A blood glucose measurement, used to compare and calibrate sensors.
public struct FingerStick: Hashable, Sendable {
  /// The identity, made of time and value, so that adding it twice changes nothing.
  package var id: SampleID?
  package let time: Instant
  package let concentration: GlucoseConcentration
  package let note: String?
  /// The name of the file format or of the Bluetooth meter; nil for a value that the user typed.
  package let source: String?

  package init(
    id: SampleID? = nil, time: Instant, concentration: GlucoseConcentration, note: String? = nil, source: String? = nil
  ) {
    self.id = id
    self.time = time
    self.concentration = concentration
    self.note = note
    self.source = source
  }
}
