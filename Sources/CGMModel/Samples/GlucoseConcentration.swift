// SPDX-License-Identifier: Apache-2.0

/// The glucose concentration in the fluid around the sensor, kept in mg/dL. Other units are used for input and output
/// only.
public struct GlucoseConcentration: Hashable, Sendable, Comparable {
  /// Milligrams per decilitre, unrounded and unclamped: a sensor off the body gives negative values.
  public let milligramsPerDecilitre: Double

  @inlinable public init(milligramsPerDecilitre value: Double) { milligramsPerDecilitre = value }

  /// Millimoles per litre, by the molar mass of glucose over ten (read: DiaBLE uses the same 18.0182).
  public var millimolesPerLitre: Double { milligramsPerDecilitre / Self.milligramsPerMillimole }

  public init(millimolesPerLitre value: Double) { milligramsPerDecilitre = value * Self.milligramsPerMillimole }

  /// The mg/dL that a measured value may have; a stored or imported number outside is damage, or not glucose.
  @inlinable package static var possibleMilligramsPerDecilitre: ClosedRange<Double> {
    Double.leastNonzeroMagnitude...1_000
  }

  /// True for a number that can be a measured value: finite, above 0 and at most 1,000 mg/dL.
  @inlinable package var isPossible: Bool { Self.possibleMilligramsPerDecilitre.contains(milligramsPerDecilitre) }

  /// The concentration of a stored number; nil without one, and for a number that is not possible.
  package init?(possible value: Double?) {
    guard let value else { return nil }
    milligramsPerDecilitre = value
    if !isPossible { return nil }
  }

  /// The mg/dL of one mmol/L. Formats that use another factor define their own.
  package static let milligramsPerMillimole = 18.0182

  public static func < (left: GlucoseConcentration, right: GlucoseConcentration) -> Bool {
    left.milligramsPerDecilitre < right.milligramsPerDecilitre
  }
}

/// The unit in which a person reads glucose.
public enum GlucoseUnit: String, Hashable, Sendable, CaseIterable {
  case milligramsPerDecilitre = "mg/dL"
  case millimolesPerLitre = "mmol/L"
}
