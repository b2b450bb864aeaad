// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import GlucoseReport

/// The values of several calibrations for the same measurements, compared with a reference.
package struct Comparison: Sendable {
  package typealias Calibration = (name: String, choice: CalibrationChoice)

  package struct Model: Sendable {
    package let name: String
    package let pairs: [GlucosePair]
    package let metrics: AgreementMetrics

    init(name: String, pairs: [GlucosePair]) {
      (self.name, self.pairs) = (name, pairs)
      metrics = AgreementMetrics(pairs)
    }
  }

  /// The reference in words: finger-sticks, a file, a calibration.
  package let reference: String
  package let referenceCount: Int
  /// The meters and programs that finger-sticks come from; empty for another reference.
  package var referenceSources: [ReferenceValues.Source] = []
  package let models: [Model]

  package var maximumPairs: Int { models.map(\.pairs.count).max() ?? 0 }
}
