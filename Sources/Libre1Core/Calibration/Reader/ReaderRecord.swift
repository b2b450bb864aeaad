// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// One record with the official reader's view of its use (Libre1Core/Calibration, "Usable records", read).
struct ReaderRecord {
  /// The minute, 1…65 535.
  let minute: Int
  let counts: Double
  /// The temperature in °C for means; NaN if the resistance is not above zero.
  let celsius: Double
  /// True if the sensor's only reason for an error is RF (read: compared as a whole, not as a bit).
  let isDisturbed: Bool
  /// True if it enters means and lines, also with other errors (read). One without counts does not, although no source
  /// excludes it: its formula gives −20 mg/dL, which would bend its neighbours' lines by up to 50 mg/dL (seen on two
  /// values).
  let isUsable: Bool
  let mayHaveValue: Bool

  init(_ sample: RawSample, celsius measured: Double) {
    minute = sample.minute.value
    counts = Double(sample.glucose)
    celsius = sample.temperature == Self.signalOfNoTemperature ? 0 : measured
    isDisturbed = sample.errors == .rfInterference
    isUsable =
      counts > 0 && SampleRules.trustedCelsius.contains(celsius) && minute >= Self.firstUsableMinute && !isDisturbed
    mayHaveValue = SampleRules.mayHaveValue(sample, celsius: measured, needsTemperature: true)
  }

  /// The record of a quarter of an hour that has passed, but that the sensor has not written yet: the official reader
  /// treats it as disturbed by a reader's field (derived from ten errors that a LibreLink stored).
  fileprivate init(notWrittenYet minute: Int) {
    (self.minute, counts, celsius) = (minute, 0, .nan)
    (isDisturbed, isUsable, mayHaveValue) = (true, false, false)
  }

  /// Sorts the samples, the first one of each minute, without minutes beyond the sensor's 16-bit clock.
  static func inOrder(_ samples: [RawSample], thermistor: Thermistor) -> [ReaderRecord] {
    let minutes = samples.lazy.map { $0.minute.value }.filter(possibleMinutes.contains)
    guard let first = minutes.min(), let last = minutes.max() else { return [] }
    // One place for each minute, so that the time is linear in any order.
    var places = [Int?](repeating: nil, count: last - first + 1)
    for (index, sample) in samples.enumerated() where possibleMinutes.contains(sample.minute.value) {
      let place = sample.minute.value - first
      if places[place] == nil { places[place] = index }
    }
    let ordered = places.compactMap { $0.map { samples[$0] } }
    return zip(ordered, thermistor.celsius(of: ordered)).map(ReaderRecord.init)
  }

  private static let possibleMinutes = 1...65_535
  /// The thermistor signal that counts as 0 °C.
  private static let signalOfNoTemperature = 128
  private static let firstUsableMinute = 45
}

struct ReaderRecords {
  /// Sorted, with those that were not written yet.
  let history: [ReaderRecord]
  let trend: [ReaderRecord]
  let parameters: CalibrationParameters

  /// nil if the parameters are missing or have no solution.
  init?(of series: SampleSeries, _ parameters: CalibrationParameters?) {
    guard let parameters, FactoryCalibration().fault(in: parameters) == nil else { return nil }
    let thermistor = Thermistor(i6: parameters.i6)
    trend = ReaderRecord.inOrder(series.trend, thermistor: thermistor)
    history = ReaderRecord.inOrder(series.history, thermistor: thermistor).leading(to: trend)
    self.parameters = parameters
  }
}

extension [ReaderRecord] {
  /// The records of a history, and those that were not written yet at a scan: the trend has passed their
  /// minute, and the history ends before it.
  func leading(to trend: [ReaderRecord]) -> [ReaderRecord] {
    let passed = Set(trend.lazy.map { $0.minute }.filter { $0.isMultiple(of: ReaderHistory.minutesPerRecord) })
    var leading: [ReaderRecord] = []
    leading.reserveCapacity(count + 1)
    for (index, record) in enumerated() {
      leading.append(record)
      let next = record.minute + ReaderHistory.minutesPerRecord
      // Not inside a history that lacks a record.
      let isNewest = index + 1 == count || self[index + 1].minute > next + ReaderHistory.minutesPerRecord
      if isNewest, passed.contains(next) { leading.append(ReaderRecord(notWrittenYet: next)) }
    }
    return leading
  }
}
