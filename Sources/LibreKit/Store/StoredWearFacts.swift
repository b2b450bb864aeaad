// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import Libre1Core
package import SampleStore

extension SensorCondition {
  package init(_ wear: StoredWear, of sensor: StoredSensor, now: Instant) {
    self.init(
      lastState: wear.state, ageMinutes: wear.ageMinutes, activatedAt: wear.anchor.activatedAt,
      maxLifeMinutes: sensor.maxLifeMinutes, now: now)
  }
}

extension StoredWear {
  /// Seconds per day by which the computer's clock is faster than the sensor's, by least squares over the dated scans;
  /// nil for fewer than three scans, or scans within less than a day, because a scan is exact only to a minute. Scans
  /// of a clock that was set wrong are left out: that is not drift.
  package var driftSecondsPerDay: Double? {
    let disagreements = disagreements.filter { !$0.isReported }
    guard disagreements.count >= 3, let first = disagreements.first?.readAt, let last = disagreements.last?.readAt,
      last.secondsSince1970 - first.secondsSince1970 >= Instant.secondsPerDay
    else { return nil }
    var line = LeastSquares()
    for scan in disagreements {
      line.add(
        x: Double(scan.readAt.secondsSince1970 - first.secondsSince1970) / Double(Instant.secondsPerDay),
        y: Double(scan.seconds))
    }
    return line.slope
  }
}

extension SensorStore {
  /// The calibration of a sensor's newest value; nil if it has no value.
  package func newestCalibration(of sensor: StoredSensor) throws(StoreError) -> CalibrationDescription? {
    let query = HistoryQuery(of: HistoryScope(of: sensor.id))
    var newest: CalibrationDescription?
    try forEachEntry(query) { entry in
      if case .sensor(let stored) = entry { newest = stored.calibration }
      return newest == nil
    }
    return newest
  }
}
