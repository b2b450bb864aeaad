// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

/// A user's correction of one wear's factory values: `slope × factory + intercept`. It never changes the counts.
package struct UserCalibration: Hashable, Sendable {
  /// A finger-stick, and the sensor's value at that time.
  package struct Point: Hashable, Sendable {
    package let time: Instant
    package let factory: GlucoseConcentration
    package let blood: GlucoseConcentration
    /// Name of the meter or program of the finger-stick; nil if it was typed. A stored calibration does not keep it.
    package let source: String?

    package init(time: Instant, factory: GlucoseConcentration, blood: GlucoseConcentration, source: String? = nil) {
      (self.time, self.factory, self.blood, self.source) = (time, factory, blood, source)
    }
  }

  package let slope: Double
  /// Offset in mg/dL.
  package let intercept: Double
  package let points: [Point]
  package let madeAt: Instant

  package init(slope: Double, intercept: Double, points: [Point], madeAt: Instant) {
    (self.slope, self.intercept, self.points, self.madeAt) = (slope, intercept, points, madeAt)
  }

  package func applied(to factory: GlucoseConcentration) -> GlucoseConcentration {
    GlucoseConcentration(milligramsPerDecilitre: slope * factory.milligramsPerDecilitre + intercept)
  }

  /// Reads `slope`, `intercept`, `points` and `made_at`; nil for an impossible correction.
  fileprivate init?(row: [SQLiteValue]) {
    guard let slope = row[0].real?.ifPossible(PossibleValues.slope),
      let intercept = row[1].real?.ifPossible(PossibleValues.intercept), let points = row[2].text,
      let madeAt = row[3].instant
    else { return nil }
    self.init(slope: slope, intercept: intercept, points: Self.points(in: points), madeAt: madeAt)
  }

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

extension SensorStore {
  /// Stores the calibration of a wear in place of an earlier one; nil removes it.
  package func setUserCalibration(
    _ calibration: UserCalibration?, sensor: StoredSensor.ID, wear: Int
  ) throws(StoreError) {
    try transaction { () throws(StoreError) in
      guard let row = try wearRow(sensor, wear) else { return }
      // Clients that follow the corrected values need the change. The samples have not changed: sinks get factory
      // values.
      try run("UPDATE wear SET shown_change = ? WHERE id = ?", .integer(try nextChange()), .integer(row))
      try run("DELETE FROM user_calibration WHERE wear = ?", .integer(row))
      guard let calibration else { return }
      try run(
        "INSERT INTO user_calibration (wear, slope, intercept, points, made_at) VALUES (?, ?, ?, ?, ?)",
        [.integer(row)] + calibration.row)
    }
  }

  package func userCalibrations() throws(StoreError) -> [(sensor: SensorIdentity, wear: Int, UserCalibration)] {
    try statement(
      "SELECT wear.id, wear.sensor, wear.number FROM user_calibration JOIN wear ON wear.id = user_calibration.wear"
    ).all { (row) throws(StoreError) in
      guard let facts = try facts(ofSensor: row.integer(1)), let user = try userCalibration(ofWear: row.integer(0))
      else { return nil }
      return (facts.identity, row.integer(2), user)
    }
  }

  func wearRow(_ sensor: StoredSensor.ID, _ number: Int) throws(StoreError) -> Int? {
    try integer("SELECT id FROM wear WHERE sensor = ? AND number = ?", .integer(sensor.row), .integer(number))
  }

  func userCalibration(ofWear wear: Int) throws(StoreError) -> UserCalibration? {
    try first("SELECT slope, intercept, points, made_at FROM user_calibration WHERE wear = ?", .integer(wear))
      .flatMap(UserCalibration.init)
  }
}
