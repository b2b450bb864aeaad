// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A glucose value as shown by another program: a number, or a word for one outside the program's range.
struct ShownGlucose: Hashable {
  let concentration: GlucoseConcentration
  var bound: ImportedSample.Bound?

  /// The mg/dL of one mmol/L in most programs; those with another factor define their own.
  static let milligrams = GlucoseConcentration.milligramsPerMillimole
  /// The factor of Tidepool and Nightscout (read: Tidepool's platform, cgm-remote-monitor 15.0.7).
  static let preciseMilligrams = 18.01559

  /// The value; nil if it is not possible, because its unit is another one, or it is not glucose. (Tidepool has the same
  /// upper limit; read: TidepoolApi.)
  ///
  /// `milligrams` is the program's factor: the mg/dL of one mmol/L.
  init?(_ value: Double, _ unit: GlucoseUnit, milligrams: Double = Self.milligrams) {
    let concentration = unit == .millimolesPerLitre ? value * milligrams : value
    guard let concentration = GlucoseConcentration(possible: concentration) else { return nil }
    self.concentration = concentration
  }

  /// Reads `104`, `5.8`, `5,8`, `Low`, `LO`, `<40`, `High`, `HI`, `>400`; nil for any other text.
  ///
  /// `limits`, in mg/dL, are the values for the words.
  init?(_ text: String, _ unit: GlucoseUnit, milligrams: Double = Self.milligrams, limits: ClosedRange<Double>) {
    if let number = DecimalNumber.value(of: text) {
      self.init(number, unit, milligrams: milligrams)
      return
    }
    switch text.lowercased() {
    case "low", "lo": self.init(milligramsPerDecilitre: limits.lowerBound, bound: .low)
    case "high", "hi": self.init(milligramsPerDecilitre: limits.upperBound, bound: .high)
    default:
      guard let sign = text.first, sign == "<" || sign == ">",
        let number = DecimalNumber.value(of: text.dropFirst())
      else { return nil }
      self.init(number, unit, milligrams: milligrams)
      bound = sign == "<" ? .low : .high
    }
  }

  private init(milligramsPerDecilitre value: Double, bound: ImportedSample.Bound) {
    concentration = GlucoseConcentration(milligramsPerDecilitre: value)
    self.bound = bound
  }

  /// Returns the value with a bound, if it is an end of the program's range.
  func clamped(to limits: ClosedRange<Double>) -> ShownGlucose {
    var shown = self
    if bound == nil {
      if concentration.milligramsPerDecilitre <= limits.lowerBound { shown.bound = .low }
      if concentration.milligramsPerDecilitre >= limits.upperBound { shown.bound = .high }
    }
    return shown
  }
}
