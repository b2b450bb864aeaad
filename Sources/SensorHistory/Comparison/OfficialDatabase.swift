// SPDX-License-Identifier: Apache-2.0
import HistoryFormats

/// The values that LibreLink computed, from its database, by sensor and minute.
///
/// LibreLink stores a value of the history at the first scan in which its record is not the newest, and never changes
/// it, so each value belongs to one scan. A quarter of an hour that has passed but is not yet written counts as the
/// newest record (verified with the six scans of one such public database).
struct OfficialDatabase {
  private var serials: [LibreLinkDatabase.SensorRow: String] = [:]
  private var history: [LibreLinkDatabase.SensorRow: [Int: Double]] = [:]
  private var errors: [LibreLinkDatabase.SensorRow: [Int]] = [:]
  private var current: [LibreLinkDatabase.SensorRow: [Instant: Double]] = [:]
  /// The last minute of each sensor whose value is already assigned to a scan.
  private var assigned: [LibreLinkDatabase.SensorRow: Int] = [:]

  init(_ path: String) throws(LibreError) {
    let database = try libre(LibreLinkDatabase(path))
    serials = try libre(database.serials())
    errors = try libre(database.historyErrors())
    try libre(
      database.forEachValue(of: .history) { value in
        if let minute = value.minute { history[value.sensor, default: [:]][minute] = value.milligramsPerDecilitre }
      })
    try libre(
      database.forEachValue(of: .trend) { value in
        current[value.sensor, default: [:]][value.time] = value.milligramsPerDecilitre
      })
  }

  /// The values that were computed from a scan; scans are asked for in the order of time. nil for an unknown sensor, and
  /// for a scan without a memory, from which no calibration computes values.
  mutating func values(of reading: SensorReading) -> OfficialIndex.Values? {
    guard !reading.lacksMemory, let sensor = row(of: reading.sensor),
      let newest = reading.history.first?.minute.value, let oldest = reading.history.last?.minute.value
    else { return nil }
    let isLagging = reading.sensor.ageMinutes / 15 * 15 > newest
    let first = max(assigned[sensor].map { $0 + 1 } ?? oldest, oldest)
    let last = isLagging ? newest : newest - 15
    assigned[sensor] = max(assigned[sensor] ?? 0, last)
    var values = OfficialIndex.Values()
    values.history = (history[sensor] ?? [:]).filter { first <= $0.key && $0.key <= last }
      .sorted { $0.key < $1.key }.map { OfficialIndex.Value(minute: $0.key, mgdl: $0.value) }
    values.historyErrors = (errors[sensor] ?? []).filter { first <= $0 && $0 <= last }.map(OfficialIndex.Failure.init)
    values.current = reading.readAt.flatMap { current[sensor]?[$0] }.map(OfficialIndex.Current.init)
    return values
  }

  /// The row of a sensor by serial number; a scan without one belongs to the only sensor, if there is just one.
  private func row(of sensor: SensorDescription) -> LibreLinkDatabase.SensorRow? {
    if let serial = sensor.serial, let row = serials.first(where: { $0.value == serial })?.key { return row }
    return serials.count == 1 && sensor.serial == nil ? serials.keys.first : nil
  }
}
