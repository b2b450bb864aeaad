// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension UserCalibration {
  /// Reads `slope`, `intercept`, `points` and `made_at`; nil for an impossible correction.
  fileprivate init?(row: [SQLiteValue]) {
    guard let slope = row[0].real?.ifPossible(PossibleValues.slope),
      let intercept = row[1].real?.ifPossible(PossibleValues.intercept), let points = row[2].text,
      let madeAt = row[3].instant
    else { return nil }
    self.init(
      slope: slope, intercept: intercept, points: points.split(separator: " ").compactMap(Point.init(text:)),
      madeAt: madeAt)
  }

  var row: [SQLiteValue] {
    [.real(slope), .real(intercept), .text(points.map(\.text).joined(separator: " ")), .instant(madeAt)]
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
