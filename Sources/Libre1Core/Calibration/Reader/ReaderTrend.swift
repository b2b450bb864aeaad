// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The current value and its rate as the official reader computes them (Libre1Core/Calibration, "Trend and current
/// value", read), for every minute of the trend that could be the newest of a scan.
struct ReaderTrend {
  private let records: [ReaderRecord]
  /// The places in `records` of each window's newest minute. It is good, or disturbed by a reader's field: then its
  /// value comes from the others (read in values of the US Libre 2 app, which shows one at such a minute).
  private let newest: [Int]
  /// The mg/dL at `points` of each window, one window after another; NaN for one without a value.
  private let glucose: [Double]

  private static let minutes = 16
  /// The minutes of a window that enter the value, 0 the oldest and 15 the newest.
  private static let points: InlineArray<7, Int> = [15, 13, 11, 9, 8, 3, 0]

  init(_ records: [ReaderRecord], _ parameters: CalibrationParameters) {
    self.records = records
    let span = Self.minutes - 1
    newest = records.indices.filter {
      $0 >= span && records[$0].minute - records[$0 - span].minute == span
        && (records[$0].mayHaveValue || records[$0].isDisturbed)
    }
    var counts: [Double] = []
    var celsius: [Double] = []
    for place in newest {
      let window = place - span...place
      for index in Self.points.indices {
        let point = window.lowerBound + Self.points[index]
        let near = records[max(point - 2, window.lowerBound)...min(point + 2, place)]
        counts.append(near.lazy.filter { !$0.isDisturbed && $0.counts > 0 }.map { $0.counts }.mean)
        // Derived: a disturbed minute does not enter the temperature either, which the official value 63 needs.
        let around = records[max(point - 3, window.lowerBound)...min(point + 3, place)]
        let mean = around.lazy.filter { !$0.isDisturbed }.map { $0.celsius }.mean
        celsius.append(SampleRules.possibleCelsius.contains(mean) ? mean : .nan)
      }
    }
    glucose = FactoryCalibration().concentrations(of: counts, celsius: celsius, parameters)
  }

  func write(into values: inout [SensorMinute: SeriesValues.Value], history: ReaderHistory) {
    for (window, place) in newest.enumerated() {
      let minute = records[place].minute
      guard let three = history.newestThree(at: minute) else { continue }
      let lag = minute - ReaderHistory.newestMinute(at: minute)
      var sum = WeightedSteps(base: glucose[window * Self.points.count])
      add(window, to: &sum)
      sum.add(three, row: lag)
      let value = sum.value + ReaderOffset.milligrams(at: minute, glucose: sum.base)
      let rate = sum.rate
      guard value.isFinite, rate.isFinite else { continue }
      values[SensorMinute(minute)] = .init(milligramsPerDecilitre: value, ratePerMinute: rate)
    }
  }

  private func add(_ window: Int, to sum: inout WeightedSteps) {
    // The change per minute from the window's point, which is older than the newest by this many minutes.
    func slope(_ point: Int, minutes: Double) -> Double {
      (glucose[window * Self.points.count + point] - sum.base) / -minutes
    }
    sum.add(weight: 91, step: 10.20 * slope(3, minutes: 6) + 2.17 * slope(6, minutes: 15))
    sum.add(weight: 90, step: 1.69 * slope(1, minutes: 2) + 10.54 * slope(4, minutes: 7))
    sum.add(weight: 91, step: 5.85 * slope(2, minutes: 4) + 6.34 * slope(5, minutes: 12))
  }
}
