// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A glucose value as another program shows it: a number, or a word for one outside what the program shows.
struct ShownGlucose: Hashable {
  let concentration: GlucoseConcentration
  var bound: ImportedSample.Bound?

  /// The values between which blood glucose is believed; beyond them a number is of another unit, or something else.
  /// (Tidepool takes the same upper limit; read: TidepoolApi.)
  private static let plausible = 0.0...1_000.0

  /// The mg/dL of one mmol/L by most programs that a file comes from; those that take another number name theirs.
  static let milligrams = GlucoseConcentration.milligramsPerMillimole
  /// By Tidepool and Nightscout (read: Tidepool's platform, cgm-remote-monitor 15.0.7).
  static let preciseMilligrams = 18.01559

  /// nil for a value that no person has.
  ///
  /// `milligrams` is what the program takes one mmol/L for, in mg/dL.
  init?(_ value: Double, _ unit: GlucoseUnit, milligrams: Double = Self.milligrams) {
    let concentration = unit == .millimolesPerLitre ? value * milligrams : value
    guard Self.plausible.contains(concentration), concentration > 0 else { return nil }
    self.concentration = GlucoseConcentration(milligramsPerDecilitre: concentration)
  }

  /// Reads `104`, `5.8`, `5,8`, `Low`, `LO`, `<40`, `High`, `HI`, `>400`. nil for any other text.
  ///
  /// `limits`, in mg/dL, are what the words stand for.
  init?(_ text: String, _ unit: GlucoseUnit, milligrams: Double = Self.milligrams, limits: ClosedRange<Double>) {
    if let number = DecimalNumber.value(of: text) {
      self.init(number, unit, milligrams: milligrams)
      return
    }
    switch text.lowercased() {
    case "low", "lo": self.init(milligramsPerDecilitre: limits.lowerBound, bound: .low)
    case "high", "hi": self.init(milligramsPerDecilitre: limits.upperBound, bound: .high)
    default:
      guard let mark = text.first, mark == "<" || mark == ">",
        let number = DecimalNumber.value(of: text.dropFirst())
      else { return nil }
      self.init(number, unit, milligrams: milligrams)
      bound = mark == "<" ? .low : .high
    }
  }

  private init(milligramsPerDecilitre value: Double, bound: ImportedSample.Bound) {
    concentration = GlucoseConcentration(milligramsPerDecilitre: value)
    self.bound = bound
  }

  /// With the bound that a value at the end of a program's range stands for.
  func clamped(to limits: ClosedRange<Double>) -> ShownGlucose {
    var shown = self
    if bound == nil {
      if concentration.milligramsPerDecilitre <= limits.lowerBound { shown.bound = .low }
      if concentration.milligramsPerDecilitre >= limits.upperBound { shown.bound = .high }
    }
    return shown
  }
}
