// SPDX-License-Identifier: Apache-2.0

/// A record of a meter: one measurement, with everything that was sent about it.
package enum MeterRecord: Hashable, Sendable {
  case glucose(GlucoseRecord)
  case bloodPressure(BloodPressureRecord)

  /// The record of a glucose meter; nil for one of a cuff.
  package var glucose: GlucoseRecord? {
    if case .glucose(let record) = self { record } else { nil }
  }

  /// The record of a cuff; nil for one of a glucose meter.
  package var bloodPressure: BloodPressureRecord? {
    if case .bloodPressure(let record) = self { record } else { nil }
  }
}
