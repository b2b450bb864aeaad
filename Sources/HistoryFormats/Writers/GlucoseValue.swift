// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// An entry with a time and a usable value, which records of other programs need. It is never a blood pressure.
package struct GlucoseValue: Hashable, Sendable {
  package let entry: HistoryEntry
  package let id: SampleID?
  package let time: Instant
  package let concentration: GlucoseConcentration
  /// The side of the limit on which the true value lies; nil for a measured value.
  package let bound: ImportedSample.Bound?

  /// - Throws: `withoutTime`; `bloodPressure`; or `unusable`, for example for a flagged sample.
  package init(_ entry: HistoryEntry) throws(Omission) {
    if case .bloodPressure = entry { throw .bloodPressure }
    guard let time = entry.time else { throw .withoutTime }
    guard let concentration = entry.usableConcentration, concentration.milligramsPerDecilitre.isFinite else {
      throw .unusable
    }
    self.entry = entry
    id = entry.id
    self.time = time
    self.concentration = concentration
    if case .imported(let imported) = entry { bound = imported.bound } else { bound = nil }
  }

  /// The ring of a sensor's value or an imported one; nil for a blood measurement.
  package var ring: SampleRing? {
    switch entry {
    case .sensor(let stored): stored.sample.ring
    case .imported(let imported): imported.ring
    case .fingerStick, .bloodPressure: nil
    }
  }

  package var requiredID: SampleID {
    get throws(Omission) {
      guard let id else { throw .withoutID }
      return id
    }
  }

  /// - Throws: `bound`, for formats that cannot mark a limit.
  package var measured: GlucoseConcentration {
    get throws(Omission) {
      guard bound == nil else { throw .bound }
      return concentration
    }
  }
}

extension JSONWriter {
  /// Writes a value in mg/dL or mmol/L with four decimals, as in all documents of libre.
  package mutating func member(_ key: String, _ value: GlucoseConcentration, in unit: GlucoseUnit) {
    member(key, unit.value(of: value), places: 4)
  }

  package mutating func memberIfKnown(_ key: String, _ value: String?) {
    if let value { member(key, value) }
  }
}

extension SensorFamily {
  /// The maker of the sensor; nil if the family is not known.
  var manufacturer: String? { self == .unknown ? nil : "Abbott" }
}
