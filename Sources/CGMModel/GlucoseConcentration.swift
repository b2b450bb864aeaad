// SPDX-License-Identifier: Apache-2.0

/// How much glucose there is in the fluid round the sensor. Kept in mg/dL; other units exist only at an edge.
public struct GlucoseConcentration: Hashable, Sendable, Comparable {
  /// Milligrams per decilitre, unrounded and unclamped: a sensor off the body gives negative values.
  public let milligramsPerDecilitre: Double

  @inlinable public init(milligramsPerDecilitre value: Double) { milligramsPerDecilitre = value }

  /// Millimoles per litre, by the molar mass of glucose over ten (read: DiaBLE uses the same 18.0182).
  public var millimolesPerLitre: Double { milligramsPerDecilitre / Self.milligramsPerMillimole }

  public init(millimolesPerLitre value: Double) { milligramsPerDecilitre = value * Self.milligramsPerMillimole }

  /// The mg/dL of one mmol/L. Programs that take another number for it keep theirs.
  package static let milligramsPerMillimole = 18.0182

  public static func < (left: GlucoseConcentration, right: GlucoseConcentration) -> Bool {
    left.milligramsPerDecilitre < right.milligramsPerDecilitre
  }
}
