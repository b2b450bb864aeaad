// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The rules for the value shown as "now" and its rate (LibreDocuments/Contract, "Current value").
package struct CurrentValue {
  /// Minutes before the newest sample.
  private static let maximumLag = 5
  /// Minutes: the whole trend ring.
  static let rateSpan = 15
  private static let minimumForRate = 5

  private let newestMinute: SensorMinute
  private var line = LeastSquares()
  private var newest: (minute: SensorMinute, concentration: GlucoseConcentration)?
  private var isDisturbed = false
  /// The quality of the newest minute before it that no reader's field disturbed.
  private var qualityBefore: SampleQuality?

  /// `newestMinute`: of the newest sample, good or not.
  package init(newestMinute: SensorMinute) { self.newestMinute = newestMinute }

  /// Adds a trend sample; the newest comes first.
  package mutating func add(_ sample: GlucoseSample) {
    let lag = newestMinute.value - sample.minute.value
    if qualityBefore == nil, lag >= 0 {
      let hasInterference = sample.raw.errors == .rfInterference
      if lag == 0 { isDisturbed = hasInterference } else if !hasInterference { qualityBefore = sample.quality }
    }
    guard let concentration = sample.usableConcentration else { return }
    if newest == nil, lag <= Self.maximumLag { newest = (sample.minute, concentration) }
    if lag <= Self.rateSpan { line.add(x: -Double(lag), y: concentration.milligramsPerDecilitre) }
  }

  /// Takes what a model with neighbours computes for a minute: for the newest minute also if a reader's field disturbed
  /// it, as long as the newest one before it that was not disturbed is good, as in the official software (read).
  package func glucose(computed: (SensorMinute) -> CurrentGlucose?) -> CurrentGlucose? {
    if isDisturbed, qualityBefore == .ok, let computed = computed(newestMinute) { return computed }
    return glucose.map { computed($0.minute) ?? $0 }
  }

  package var glucose: CurrentGlucose? {
    newest.map {
      CurrentGlucose(
        minute: $0.minute, concentration: $0.concentration,
        ratePerMinute: line.count >= Self.minimumForRate ? line.slope : nil)
    }
  }

  private static func isPossible(in state: SensorState) -> Bool {
    switch state {
    case .active, .expired: true
    case .notActivated, .warmingUp, .shutdown, .failure, .unknown: false
    }
  }

  /// `trend` is newest first.
  package static func current(
    in trend: [GlucoseSample], newestMinute: SensorMinute, state: SensorState
  ) -> CurrentGlucose? {
    guard isPossible(in: state) else { return nil }
    var value = CurrentValue(newestMinute: newestMinute)
    for sample in trend { value.add(sample) }
    return value.glucose
  }

  package static func current(in trend: borrowing DecodedRing<16>, newestMinute: SensorMinute?, state: SensorState)
    -> CurrentGlucose?
  {
    guard isPossible(in: state), let newestMinute else { return nil }
    var value = CurrentValue(newestMinute: newestMinute)
    trend.forEachSample { value.add($0) }
    return value.glucose
  }
}

/// A straight line by least squares, built point by point.
package struct LeastSquares {
  package private(set) var count = 0
  private var first = (x: 0.0, y: 0.0)
  private var sumX = 0.0
  private var sumY = 0.0
  private var sumXX = 0.0
  private var sumXY = 0.0

  package init() {}

  /// Adds one point. Sums are of distances from the first point, so that large values lose no digits.
  package mutating func add(x: Double, y: Double) {
    if count == 0 { first = (x, y) }
    let (x, y) = (x - first.x, y - first.y)
    count += 1
    sumX += x
    sumY += y
    sumXX += x * x
    sumXY += x * y
  }

  /// The slope; nil for fewer than two different x.
  package var slope: Double? {
    let spread = Double(count) * sumXX - sumX * sumX
    return spread > 0 ? (Double(count) * sumXY - sumX * sumY) / spread : nil
  }

  /// The height of the line at `x`; nil for fewer than two different x.
  package func value(at x: Double) -> Double? {
    slope.map { first.y + (sumY + $0 * (Double(count) * (x - first.x) - sumX)) / Double(count) }
  }
}

/// The rates of change at the minutes of one wear, by the rule of the current value, from all stored trend samples.
package struct TrendRates {
  private(set) var trend: [SensorMinute: GlucoseSample] = [:]

  package init() {}

  package mutating func add(_ sample: GlucoseSample) { trend[sample.minute] = sample }

  /// Returns mg/dL per minute; nil if a value of that minute would not be the current one, or would not have a rate.
  package func ratePerMinute(at minute: SensorMinute) -> Double? {
    var value = CurrentValue(newestMinute: minute)
    for lag in 0...CurrentValue.rateSpan {
      if let sample = trend[SensorMinute(minute.value &- lag)] { value.add(sample) }
    }
    return value.glucose?.ratePerMinute
  }
}
