// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import SQLiteAccess

/// A user's correction of one wear's factory values: `slope × factory + intercept`. It never changes the counts.
package struct UserCalibration: Hashable, Sendable {
  /// A finger-stick, and the sensor's value at that time.
  package struct Point: Hashable, Sendable {
    package let time: Instant
    package let factory: GlucoseConcentration
    package let blood: GlucoseConcentration
    /// Name of the meter or program that the finger-stick comes from; nil if it was typed. A stored calibration does not
    /// keep it.
    package let source: String?

    package init(
      time: Instant, factory: GlucoseConcentration, blood: GlucoseConcentration, source: String? = nil
    ) {
      self.source = source
      self.time = time
      self.factory = factory
      self.blood = blood
    }
  }

  package let slope: Double
  /// Offset in mg/dL.
  package let intercept: Double
  /// Points that it was computed from.
  package let points: [Point]
  package let madeAt: Instant

  package init(slope: Double, intercept: Double, points: [Point], madeAt: Instant) {
    self.slope = slope
    self.intercept = intercept
    self.points = points
    self.madeAt = madeAt
  }

  package func applied(to factory: GlucoseConcentration) -> GlucoseConcentration {
    GlucoseConcentration(milligramsPerDecilitre: slope * factory.milligramsPerDecilitre + intercept)
  }
}

extension SensorStore {
  /// Stores the calibration of a wear in place of an earlier one; nil removes it.
  package func setUserCalibration(_ calibration: UserCalibration?, sensor: StoredSensor.ID, wear: Int)
    throws(StoreError)
  {
    try transaction { () throws(StoreError) in
      guard let row = try wearRow(sensor, wear) else { return }
      // Clients that follow the corrected values need the change. The samples have not changed: sinks get factory
      // values.
      try statement("UPDATE wear SET shown_change = ? WHERE id = ?").run(.integer(try nextChange()), .integer(row))
      try statement("DELETE FROM user_calibration WHERE wear = ?").run(.integer(row))
      guard let calibration else { return }
      try statement(
        "INSERT INTO user_calibration (wear, slope, intercept, points, made_at) VALUES (?, ?, ?, ?, ?)"
      ).run([.integer(row)] + calibration.row)
    }
  }

  /// Returns all corrections, by sensor and number of the wear.
  package func userCalibrations() throws(StoreError) -> [(sensor: SensorIdentity, wear: Int, UserCalibration)] {
    let found = try statement(
      "SELECT wear.id, wear.sensor, wear.number FROM user_calibration JOIN wear ON wear.id = user_calibration.wear"
    ).all { (row: $0.integer(0), sensor: $0.integer(1), number: $0.integer(2)) }
    var calibrations: [(sensor: SensorIdentity, wear: Int, UserCalibration)] = []
    for wear in found {
      guard let facts = try facts(ofSensor: wear.sensor), let user = try userCalibration(ofWear: wear.row)
      else { continue }
      calibrations.append((facts.identity, wear.number, user))
    }
    return calibrations
  }

  func wearRow(_ sensor: StoredSensor.ID, _ number: Int) throws(StoreError) -> Int? {
    try statement("SELECT id FROM wear WHERE sensor = ? AND number = ?")
      .first(.integer(sensor.row), .integer(number))?.first?.integer.map(Int.init)
  }

  func userCalibration(ofWear wear: Int) throws(StoreError) -> UserCalibration? {
    let row = try statement("SELECT slope, intercept, points, made_at FROM user_calibration WHERE wear = ?")
      .first(.integer(wear))
    return row.flatMap(UserCalibration.init)
  }
}

extension UserCalibration {
  /// Reads `slope`, `intercept`, `points` and `made_at`; nil for an impossible correction.
  fileprivate init?(row: [SQLiteValue]) {
    guard let slope = row[0].real?.ifPossible(PossibleValues.slope),
      let intercept = row[1].real?.ifPossible(PossibleValues.intercept), let points = row[2].text,
      let madeAt = row[3].instant
    else { return nil }
    self.init(slope: slope, intercept: intercept, points: Self.points(in: points), madeAt: madeAt)
  }

  /// The values of the same columns.
  var row: [SQLiteValue] {
    [.real(slope), .real(intercept), .text(Self.text(of: points)), .integer(madeAt.secondsSince1970)]
  }

  /// Formats points as `seconds:factory:blood`, separated by spaces, with Swift's shortest text of a number, which
  /// converts back to the same number.
  private static func text(of points: [UserCalibration.Point]) -> String {
    points.map {
      "\($0.time.secondsSince1970):\($0.factory.milligramsPerDecilitre):\($0.blood.milligramsPerDecilitre)"
    }.joined(separator: " ")
  }

  private static func points(in text: String) -> [UserCalibration.Point] {
    text.split(separator: " ").compactMap { point in
      let parts = point.split(separator: ":")
      guard parts.count == 3, let seconds = Int64(parts[0]), let time = SQLiteValue.integer(seconds).instant,
        let factory = GlucoseConcentration(possible: Double(parts[1])),
        let blood = GlucoseConcentration(possible: Double(parts[2]))
      else { return nil }
      return UserCalibration.Point(time: time, factory: factory, blood: blood)
    }
  }
}
