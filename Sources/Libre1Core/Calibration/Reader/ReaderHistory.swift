// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The official reader's history (Libre1Core/Calibration, "History", read). A gap ends a run of records.
struct ReaderHistory {
  private let records: [ReaderRecord]
  private let runs: [ClosedRange<Int>]
  /// mg/dL by the factory's formula, with the mean temperature of the record and its neighbours; NaN without.
  private let glucose: [Double]
  /// The same values without the newer neighbour, as in a scan whose newest record this is.
  private let glucoseAsNewest: [Double]

  static let minutesPerRecord = 15

  init(_ records: [ReaderRecord], _ parameters: CalibrationParameters) {
    self.records = records
    let runs = Self.runs(of: records)
    self.runs = runs
    let counts = records.map { $0.counts }
    func glucose(upTo newest: (Int) -> Int) -> [Double] {
      let celsius = records.indices.map { index in
        (max(index - 1, runs[index].lowerBound)...min(index + 1, newest(index))).lazy.map { records[$0] }
          .filter { $0.isUsable }.map { $0.celsius }.mean
      }
      return FactoryCalibration().concentrations(of: counts, celsius: celsius, parameters)
    }
    self.glucose = glucose { runs[$0].upperBound }
    glucoseAsNewest = glucose { $0 }
  }

  /// The newest record of a run has no value.
  func write(into values: inout [SensorMinute: SeriesValues.Value]) {
    for (record, value) in zip(records, self.values()) where record.mayHaveValue && value.isFinite {
      values[SensorMinute(record.minute)] = .init(milligramsPerDecilitre: value, ratePerMinute: nil)
    }
  }

  /// Values, also of records that the sensor flagged; NaN without one.
  func values() -> [Double] {
    zip(records.indices, compensated(limitsAreLowered: true)).map { index, value in
      value + ReaderOffset.milligrams(at: records[index].minute, glucose: glucose[index])
    }
  }

  /// The records that may have a value, with their values after lag compensation and before the offset, the limits of
  /// the steps not lowered under 95 mg/dL: the part that ``USLibre2App`` shares.
  var withFullLimits: [(minute: Int, value: Double)] {
    zip(records, compensated(limitsAreLowered: false)).compactMap { record, value in
      record.mayHaveValue && value.isFinite ? (record.minute, value) : nil
    }
  }

  /// The values after lag compensation and before the offset; NaN for the newest record of a run.
  private func compensated(limitsAreLowered: Bool) -> [Double] {
    let smoothed = records.indices.map { self.smoothed($0, newest: runs[$0].upperBound) }
    return records.indices.map { index in
      index == runs[index].upperBound ? .nan : compensated(index, smoothed, limitsAreLowered: limitsAreLowered)
    }
  }

  /// Values of the newest three records that a scan has at a minute of the trend, newest first; nil if one is missing.
  /// The sensor writes a record two minutes after its minute; until then the official reader uses one without counts.
  func newestThree(at trendMinute: Int) -> InlineArray<3, Double>? {
    let written = (trendMinute - 2) / Self.minutesPerRecord * Self.minutesPerRecord
    guard let newest = index(of: written) else { return nil }
    let isLagging = Self.newestMinute(at: trendMinute) > written
    let older = isLagging ? 1 : 2
    guard newest - older >= runs[newest].lowerBound else { return nil }
    let three = InlineArray<3, Double> { place in
      if isLagging, place == 0 {
        let line = line(newest - 1...newest, at: newest + 1, newest: newest)
        return line.points < 2 ? .nan : line.value
      }
      return smoothed(newest - (isLagging ? place - 1 : place), newest: newest)
    }
    return three[0].isFinite && three[1].isFinite && three[2].isFinite ? three : nil
  }

  /// The minute of the newest record that a scan at a minute of the trend has, written or not.
  static func newestMinute(at trendMinute: Int) -> Int { trendMinute / minutesPerRecord * minutesPerRecord }

  private func index(of minute: Int) -> Int? {
    var range = records.indices
    while let low = range.first, let high = range.last {
      let middle = low + (high - low) / 2
      let found = records[middle].minute
      if found == minute { return middle }
      range = found < minute ? middle + 1..<range.upperBound : low..<middle
    }
    return nil
  }

  /// Steps 2 and 3, "v6"; NaN without a line. Records of the run newer than `newest` are not used.
  private func smoothed(_ index: Int, newest: Int) -> Double {
    let oldest = runs[index].lowerBound
    let newer = line(index...min(index + 2, newest), at: index, newest: newest)
    // Without a line, the 0 of the read source would pull the value down by a quarter. No official value can show it:
    // such a record has none.
    if index == oldest { return newer.points < 2 ? .nan : (newer.value + 3 * glucose(index, newest: newest)) / 4 }
    let around = line(max(index - 1, oldest)...min(index + 1, newest), at: index, newest: newest)
    let older = line(max(index - 2, oldest)...index, at: index, newest: newest)
    let newerWeight = Self.weight(of: newer.points, few: 0.5, many: 1)
    let aroundWeight = Self.weight(of: around.points, few: 3, many: 4)
    let olderWeight = Self.weight(of: older.points, few: 0.5, many: 1)
    let bothWeight = newer.points >= 2 && older.points >= 2 ? 4.0 : 0
    let sum =
      newerWeight * newer.value + aroundWeight * around.value + olderWeight * older.value
      + bothWeight * (newer.value + older.value) / 2
    return sum / (newerWeight + aroundWeight + olderWeight + bothWeight)
  }

  private static func weight(of points: Int, few: Double, many: Double) -> Double {
    switch points {
    case ..<2: 0
    case 2: few
    default: many
    }
  }

  /// Fits the usable records, at the minute of one of them; 0 for fewer than two, as in the official reader.
  private func line(_ window: ClosedRange<Int>, at index: Int, newest: Int) -> (points: Int, value: Double) {
    var line = LeastSquares()
    for neighbour in window where records[neighbour].isUsable {
      line.add(x: Double(neighbour - index), y: glucose(neighbour, newest: newest))
    }
    return (line.count, line.value(at: 0) ?? 0)
  }

  private func glucose(_ index: Int, newest: Int) -> Double {
    index == newest ? glucoseAsNewest[index] : glucose[index]
  }

  /// Step 4, "v7", without the parts whose neighbours are missing or have no smoothed value.
  private func compensated(_ index: Int, _ smoothed: [Double], limitsAreLowered: Bool) -> Double {
    let base = smoothed[index]
    // The change per minute towards the neighbour this many places newer (older if negative); NaN if it is missing.
    func slope(_ places: Int) -> Double {
      let neighbour = index + places
      guard runs[index].contains(neighbour) else { return .nan }
      return (smoothed[neighbour] - base) / Double(abs(places) * Self.minutesPerRecord)
    }
    var sum = 75 * base
    var weights = 75.0
    func add(weight: Double, step: Double) {
      guard step.isFinite else { return }
      sum += weight * (base + LagStep.limited(step, at: base, isLowered: limitsAreLowered))
      weights += weight
    }
    add(weight: 94, step: 0.53 * slope(1) - 14.33 * slope(-1))
    add(weight: 94, step: 15.89 * slope(1) - 1.21 * slope(2))
    add(weight: 92, step: -14.77 * slope(-1) + 3.24 * slope(-2))
    return sum / weights
  }

  /// The run of each record: neighbours are 15 minutes apart.
  private static func runs(of records: [ReaderRecord]) -> [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    runs.reserveCapacity(records.count)
    while runs.count < records.count {
      let first = runs.count
      var last = first
      while last + 1 < records.count, records[last + 1].minute - records[last].minute == minutesPerRecord { last += 1 }
      runs += repeatElement(first...last, count: last - first + 1)
    }
    return runs
  }
}
