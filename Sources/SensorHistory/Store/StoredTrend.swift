// SPDX-License-Identifier: Apache-2.0

extension SensorStore {
  /// Returns the rate of glucose at each of a sensor's samples, mg/dL per minute, from the stored trend around it. The
  /// rates are those of the first sample's wear.
  package func trendRates(
    at entries: [HistoryEntry], of sensor: StoredSensor.ID, calibration: CalibrationChoice
  ) throws(LibreError) -> [SampleID: Double] {
    let times = entries.compactMap(\.time)
    guard let first = times.min(), let last = times.max(), case .sensor(let one) = entries[0] else { return [:] }
    var query = HistoryQuery(rings: [.trend], from: first.adding(minutes: -reachMinutes), to: last)
    query.scope = HistoryScope(of: sensor)
    var trend = TrendRates()
    try forEachEntry(query, calibration: calibration) { entry throws(LibreError) in
      if case .sensor(let stored) = entry, stored.wear == one.wear { trend.add(stored.sample) }
      return true
    }
    var rates: [SampleID: Double] = [:]
    for case .sensor(let stored) in entries {
      if let id = stored.id { rates[id] = trend.ratePerMinute(at: stored.sample.minute) }
    }
    return rates
  }
}

/// Minutes of trend before a sample that its rate uses.
private let reachMinutes = 20
