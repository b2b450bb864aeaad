// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import GlucoseReport

/// What several calibrations make of the same measurements, held against a reference.
public struct Comparison: Sendable {
  /// A calibration and its values beside the reference's.
  public struct Model: Sendable {
    /// As written for `--calibration`.
    public let name: String
    public let pairs: [GlucosePair]
    public let metrics: AgreementMetrics

    init(name: String, pairs: [GlucosePair]) {
      self.name = name
      self.pairs = pairs
      metrics = AgreementMetrics(pairs)
    }
  }

  /// What the others are held against, in words: finger-sticks, a file, a calibration.
  public let reference: String
  /// How many values the reference has.
  public let referenceCount: Int
  public let models: [Model]

  /// Most pairs of any model; 0 without models.
  public var mostPairs: Int { models.map(\.pairs.count).max() ?? 0 }
}
