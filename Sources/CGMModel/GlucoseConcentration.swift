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

  /// The mg/dL of one mmol/L. Formats that use another factor define their own.
  package static let milligramsPerMillimole = 18.0182

  public static func < (left: GlucoseConcentration, right: GlucoseConcentration) -> Bool {
    left.milligramsPerDecilitre < right.milligramsPerDecilitre
  }
}
