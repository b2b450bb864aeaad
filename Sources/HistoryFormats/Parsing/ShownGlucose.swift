// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// A glucose value as shown by another program: a number, or a word for one outside the program's range.
struct ShownGlucose: Hashable {
  let concentration: GlucoseConcentration
  var bound: ImportedSample.Bound?

  /// The mg/dL of one mmol/L in most programs; those with another factor define their own.
  static let milligrams = GlucoseConcentration.milligramsPerMillimole
  /// The factor of Tidepool and Nightscout (read: Tidepool's platform, cgm-remote-monitor 15.0.7).
  static let preciseMilligrams = 18.01559

  /// Words of programs for a value that is missing, in lower case: R, Python, SQL, spreadsheets and SAS.
  static let absentWords: Set<String> = [
    "", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "missing", "-", "--", "–", ".",
  ]
}

extension ShownGlucose {
  /// nil for a value that is not possible, because its unit is another one, or it is not glucose. `milligrams` is the
  /// program's factor: the mg/dL of one mmol/L.
  init?(_ value: Double, _ unit: GlucoseUnit, milligrams: Double = Self.milligrams) {
    let value = unit == .millimolesPerLitre ? value * milligrams : value
    guard let concentration = GlucoseConcentration(possible: value) else { return nil }
    self.init(concentration: concentration)
  }

  /// Reads `Low`, `LO`, `<40`, `High`, `HI`, `>400`; nil for any other text.
  private init?(bound text: String, _ unit: GlucoseUnit, milligrams: Double, limits: ClosedRange<Double>) {
    switch text.lowercased() {
    case "low", "lo":
      self.init(concentration: GlucoseConcentration(milligramsPerDecilitre: limits.lowerBound), bound: .low)
    case "high", "hi":
      self.init(concentration: GlucoseConcentration(milligramsPerDecilitre: limits.upperBound), bound: .high)
    default:
      guard let sign = text.first, sign == "<" || sign == ">", let number = WrittenNumber.value(of: text.dropFirst())
      else { return nil }
      self.init(number, unit, milligrams: milligrams)
      bound = sign == "<" ? .low : .high
    }
  }

  /// Reads the glucose of a record, `104`, `5.8` or `5,8`; nil if the record has no value. `limits` are the values for the
  /// words `LO` and `HI`, in mg/dL; without them, only numbers are valid.
  ///
  /// - Throws: `badField`; `otherUnit` for a number that is impossible in mmol/L and usual in mg/dL.
  static func read(
    _ text: String, _ unit: GlucoseUnit, milligrams: Double = Self.milligrams, limits: ClosedRange<Double>? = nil,
    line: Int?, name: String
  ) throws(HistoryError) -> ShownGlucose? {
    if absentWords.contains(text.lowercased()) { return nil }
    if let number = WrittenNumber.value(of: text) {
      return try read(number, unit, milligrams: milligrams, line: line, name: name, text: SafeText.quoted(text))
    }
    guard let limits, let shown = ShownGlucose(bound: text, unit, milligrams: milligrams, limits: limits) else {
      throw .badField(line: line, name: name, value: SafeText.quoted(text))
    }
    return shown
  }

  /// Reads the number of a record; `text` is how a message shows it.
  static func read(
    _ number: Double, _ unit: GlucoseUnit, milligrams: Double = Self.milligrams, line: Int?, name: String,
    text: String? = nil
  ) throws(HistoryError) -> ShownGlucose {
    if let shown = ShownGlucose(number, unit, milligrams: milligrams) { return shown }
    let isOther =
      unit == .millimolesPerLitre && number >= UnitEvidence.limit && GlucoseConcentration(possible: number) != nil
    if isOther { throw .otherUnit(line: line, name: name, value: DecimalText.shortest(number, places: 1)) }
    throw .badField(line: line, name: name, value: text ?? "\(number)")
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

extension HistoryReader {
  /// The entry of a sensor's value.
  func imported(
    _ glucose: ShownGlucose, at time: Instant, ring: SampleRing = .history, device: String? = nil
  ) -> HistoryEntry {
    .imported(
      ImportedSample(
        source: name, device: device, ring: ring, time: time, concentration: glucose.concentration,
        bound: glucose.bound))
  }

  /// The entry of a blood measurement.
  func fingerStick(_ glucose: ShownGlucose, at time: Instant, note: String? = nil) -> HistoryEntry {
    let note = note?.isEmpty ?? true ? nil : note
    return .fingerStick(FingerStick(time: time, concentration: glucose.concentration, note: note, source: name))
  }
}
