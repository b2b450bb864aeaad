// SPDX-License-Identifier: Apache-2.0

/// The slope and offset that fit a sensor's factory values to finger-sticks (Libre1Core/Calibration, "User calibration").
///
/// Over a narrow range errors of the meter alone can give any slope: two finger-sticks 36 mg/dL apart, each off by 15,
/// give 0.2 to 1.8. Beyond the limits the sensor is broken, or a finger-stick is wrong.
package struct UserCalibrationFit: Hashable, Sendable {
  package let slope: Double
  /// The value in mg/dL.
  package let intercept: Double
  package let wanted: Line
  /// Points that are far from the others: a typing error, unwashed hands, a wrong time.
  package let outliers: [UserCalibration.Point]

  package struct Line: Hashable, Sendable {
    package let slope: Double
    package let intercept: Double
  }

  package var isClamped: Bool { wanted != Line(slope: slope, intercept: intercept) }

  package static let slopes = 0.7...1.3
  /// Range in mg/dL.
  package static let intercepts = -60.0...60.0
  /// The minimum range of the points for a slope, mg/dL.
  static let minimumSpread = 70.0
  static let minimumPointsForSlope = 3
  /// A point is far off if it differs from the median difference by more than both: mg/dL, and share of its value.
  static let outlierDistance = (milligramsPerDecilitre: 30.0, share: 0.2)

  package init?(_ points: [UserCalibration.Point]) {
    guard !points.isEmpty else { return nil }
    let sensor = points.map(\.factory.milligramsPerDecilitre)
    let blood = points.map(\.blood.milligramsPerDecilitre)
    let count = Double(points.count)
    let (meanSensor, meanBlood) = (sensor.reduce(0, +) / count, blood.reduce(0, +) / count)
    var slope = 1.0
    if points.count >= Self.minimumPointsForSlope, let low = sensor.min(), let high = sensor.max(),
      high - low >= Self.minimumSpread
    {
      let squares = sensor.reduce(0) { $0 + ($1 - meanSensor) * ($1 - meanSensor) }
      let products = zip(sensor, blood).reduce(0) { $0 + ($1.0 - meanSensor) * ($1.1 - meanBlood) }
      slope = products / squares
    }
    self.slope = min(max(slope, Self.slopes.lowerBound), Self.slopes.upperBound)
    let intercept = meanBlood - self.slope * meanSensor
    self.intercept = min(max(intercept, Self.intercepts.lowerBound), Self.intercepts.upperBound)
    wanted = Line(slope: slope, intercept: intercept)
    outliers = Self.outliers(points)
  }

  /// Finds outliers; with two points it is unknown which of them is wrong.
  private static func outliers(_ points: [UserCalibration.Point]) -> [UserCalibration.Point] {
    guard points.count > 2 else { return [] }
    let differences = points.map { $0.blood.milligramsPerDecilitre - $0.factory.milligramsPerDecilitre }
    let sorted = differences.sorted()
    let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    return zip(points, differences).compactMap { point, difference in
      let share = outlierDistance.share * point.blood.milligramsPerDecilitre
      return abs(difference - median) > max(outlierDistance.milligramsPerDecilitre, share) ? point : nil
    }
  }
}

extension SensorStore {
  /// The finger-sticks of a wear, each with the factory value of that time: the nearest usable one of either ring, at
  /// most 8 minutes away, which is half a history step: in a quarter of an hour glucose may change by 30 mg/dL.
  /// Finger-sticks without such a value are left out.
  /// - Throws: `startIsProvisional` for times that are known only from a file's modification time.
  package func calibrationPoints(
    of sensor: StoredSensor, wear number: Int
  ) throws(StoreError) -> [UserCalibration.Point] {
    guard let wear = sensor.wears.first(where: { $0.number == number }), let start = wear.anchor.activatedAt,
      let newest = wear.newestMinute
    else { return [] }
    if wear.anchor.isProvisional { throw .startIsProvisional }
    var query = HistoryQuery(
      rings: [], from: start, to: start.adding(minutes: newest.value + Self.bloodReachMinutes), isNewestFirst: false)
    query.includesFingerSticks = true
    var points: [UserCalibration.Point] = []
    try forEachEntry(query) { entry throws(StoreError) in
      guard case .fingerStick(let stick) = entry,
        let factory = try factoryValue(at: stick.time, of: sensor, wear: number)
      else { return true }
      points.append(
        UserCalibration.Point(time: stick.time, factory: factory, blood: stick.concentration, source: stick.source))
      return true
    }
    return points
  }

  /// The maximum time in minutes between a sensor value and a finger-stick for a comparison.
  package static let bloodReachMinutes = 8

  private func factoryValue(
    at time: Instant, of sensor: StoredSensor, wear: Int
  ) throws(StoreError) -> GlucoseConcentration? {
    let query = HistoryQuery(
      rings: .all, from: time.adding(minutes: -Self.bloodReachMinutes),
      to: time.adding(minutes: Self.bloodReachMinutes),
      of: HistoryScope(of: sensor.id))
    var nearest: (distance: Int64, value: GlucoseConcentration)?
    try forEachEntry(query) { entry in
      guard case .sensor(let stored) = entry, stored.wear == wear, let value = entry.usableConcentration,
        let at = entry.time
      else { return true }
      let distance = abs(at.secondsSince1970 - time.secondsSince1970)
      if distance < nearest?.distance ?? .max { nearest = (distance, value) }
      return true
    }
    return nearest?.value
  }
}
