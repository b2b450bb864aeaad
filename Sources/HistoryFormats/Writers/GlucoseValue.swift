// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// An entry that has what a record of another program needs: a time, and a value that may be shown as a value.
package struct GlucoseValue {
  package let entry: HistoryEntry
  package let id: SampleID?
  package let time: Instant
  package let concentration: GlucoseConcentration
  /// What the concentration is the limit of; nil for a measured value.
  package let bound: ImportedSample.Bound?

  /// Throws `withoutTime` or `unusable`: a flagged value is never a value.
  package init(_ entry: HistoryEntry) throws(Omission) {
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

  /// The id, for formats whose records cannot be told apart without one. Throws `withoutID`.
  package var requiredID: SampleID {
    get throws(Omission) {
      guard let id else { throw .withoutID }
      return id
    }
  }

  /// The value, for formats that have no way to say that it is a limit. Throws `bound`.
  package var measured: GlucoseConcentration {
    get throws(Omission) {
      guard bound == nil else { throw .bound }
      return concentration
    }
  }
}

extension JSONWriter {
  /// A value in mg/dL or mmol/L with four decimals, as in all our documents.
  package mutating func member(_ key: String, _ value: GlucoseConcentration, in unit: GlucoseUnit) {
    switch unit {
    case .milligramsPerDecilitre: member(key, value.milligramsPerDecilitre, places: 4)
    case .millimolesPerLitre: member(key, value.millimolesPerLitre, places: 4)
    }
  }

  /// A string, or no member at all where it is not known.
  package mutating func memberIfKnown(_ key: String, _ value: String?) {
    if let value { member(key, value) }
  }
}
