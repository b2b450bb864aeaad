// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import GlucoseReport

/// The values of several calibrations for the same measurements, compared with a reference.
public struct Comparison: Sendable {
  /// A calibration and its values, paired with those of the reference.
  public struct Model: Sendable {
    /// The name, as for `--calibration`.
    public let name: String
    public let pairs: [GlucosePair]
    public let metrics: AgreementMetrics

    init(name: String, pairs: [GlucosePair]) {
      self.name = name
      self.pairs = pairs
      metrics = AgreementMetrics(pairs)
    }
  }

  /// The reference in words: finger-sticks, a file, a calibration.
  public let reference: String
  /// The number of values in the reference.
  public let referenceCount: Int
  /// The meters and programs that finger-sticks come from; empty for another reference.
  public var referenceSources: [ReferenceValues.Source] = []
  public let models: [Model]

  /// The maximum number of pairs of any model; 0 without models.
  public var maximumPairs: Int { models.map(\.pairs.count).max() ?? 0 }
}
