// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation

@testable import Libre1Core

/// Libre1Core/Calibration, "Reader pipeline" word for word, slow and plain, with the platform's logarithm and power:
/// what the model's own arithmetic is held against. Lists run as in the text: index 0 is the newest record, and each
/// scan is worked out anew.
struct ReaderByTheText {
  let parameters: CalibrationParameters

  struct Record {
    let minute: Int
    let raw: Double
    /// °C, with signal 128 as 0; nil if the resistance is not above zero.
    let temperature: Double?
    let isRF: Bool
    let canHaveValue: Bool

    var isUsable: Bool {
      guard let temperature else { return false }
      return temperature >= 20 && temperature <= 40 && minute >= 45 && !isRF && raw > 0
    }
  }

  struct History {
    var g: [Double?] = []
    var v6: [Double?] = []
    var v7: [Double?] = []
  }

  struct Current {
    let g15: Double
    let value: Double
    let rate: Double
  }

  func record(_ sample: RawSample) -> Record {
    let measured = ReferenceFormula.celsius(
      temperature: Int(sample.temperature), adjustment: Int(sample.temperatureAdjustment), i6: parameters.i6)
    let isPossible = measured.map { $0 >= 0 && $0 <= 50 } ?? false
    return Record(
      minute: sample.minute.value, raw: Double(sample.glucose), temperature: sample.temperature == 128 ? 0 : measured,
      isRF: sample.errors == .rfInterference,
      canHaveValue: !sample.hasError && sample.glucose != 0 && isPossible)
  }

  func factory(_ raw: Double, _ celsius: Double) -> Double? {
    guard let row = SensitivityTable.entry(parameters.i2), parameters.i3 != parameters.i4 else { return nil }
    let current = 65 * (raw - Double(parameters.i3)) / Double(parameters.i4 - parameters.i3)
    return (current * pow(1.045, 32.5 - celsius) - row.offset) / row.sensitivity
  }

  func history(_ h: [Record]) -> History {
    var result = History()
    func at(_ i: Int) -> Record? { h.indices.contains(i) ? h[i] : nil }
    for i in h.indices {
      let temperatures = [i - 1, i, i + 1].compactMap(at).filter(\.isUsable).compactMap(\.temperature)
      result.g.append(
        temperatures.isEmpty ? nil : factory(h[i].raw, temperatures.reduce(0, +) / Double(temperatures.count)))
    }
    func fit(_ places: [Int], _ x: Int) -> (n: Int, v: Double) {
      let points = places.compactMap { k -> (Double, Double)? in
        guard let record = at(k), record.isUsable, let g = result.g[k] else { return nil }
        return (Double(k), g)
      }
      if points.count < 2 { return (points.count, 0) }
      let meanX = points.map(\.0).reduce(0, +) / Double(points.count)
      let meanY = points.map(\.1).reduce(0, +) / Double(points.count)
      let slope =
        points.map { ($0.0 - meanX) * ($0.1 - meanY) }.reduce(0, +)
        / points.map { ($0.0 - meanX) * ($0.0 - meanX) }.reduce(0, +)
      return (points.count, meanY + slope * (Double(x) - meanX))
    }
    for i in h.indices {
      let (n3, v3) = fit([i, i - 1, i - 2], i)
      let (n4, v4) = fit([i - 1, i, i + 1], i)
      let (n5, v5) = fit([i, i + 1, i + 2], i)
      if i == h.count - 1 {
        result.v6.append(n3 < 2 ? nil : result.g[i].map { (v3 + 3 * $0) / 4 })
        continue
      }
      let w3 = n3 >= 3 ? 1 : n3 == 2 ? 0.5 : 0
      let w5 = n5 >= 3 ? 1 : n5 == 2 ? 0.5 : 0
      let w4: Double = n4 >= 3 ? 4 : n4 == 2 ? 3 : 0
      let w35: Double = n3 >= 2 && n5 >= 2 ? 4 : 0
      let weights = w3 + w4 + w5 + w35
      result.v6.append(weights == 0 ? nil : (w3 * v3 + w4 * v4 + w5 * v5 + w35 * (v3 + v5) / 2) / weights)
    }
    for i in h.indices {
      guard let v6 = result.v6[i] else {
        result.v7.append(nil)
        continue
      }
      if v6 < 55 {
        result.v7.append(v6)
        continue
      }
      func rise(_ k: Int) -> Double? { h.indices.contains(k) ? result.v6[k].map { $0 - v6 } : nil }
      var sum = 75 * v6
      var weights = 75.0
      if let newer = rise(i - 1), let older = rise(i + 1) {
        sum += 94 * (v6 + cap(0.53 * newer / 15 - 14.33 * older / 15, v6))
        weights += 94
      }
      if let newer = rise(i - 1), let newer2 = rise(i - 2) {
        sum += 94 * (v6 + cap(15.89 * newer / 15 - 1.21 * newer2 / 30, v6))
        weights += 94
      }
      if let older = rise(i + 1), let older2 = rise(i + 2) {
        sum += 92 * (v6 + cap(-14.77 * older / 15 + 3.24 * older2 / 30, v6))
        weights += 92
      }
      result.v7.append(sum / weights)
    }
    return result
  }

  func cap(_ step: Double, _ base: Double) -> Double {
    var scale = 0.0
    if base >= 55 && base < 95 { scale = (base - 55) / 40 }
    if base >= 95 && base < 160 { scale = 1 }
    if base >= 160 && base <= 500 { scale = 1 - (base - 160) / 340 }
    return step >= 0 ? min(step, 40 * scale) : max(step, -20 * scale)
  }

  func offset(_ minute: Int, g: Double) -> Double {
    let m = Double(minute)
    if minute >= 1_440 { return minute < 14_400 ? 0 : min(12, 12 * (m - 14_400) / 12_960) }
    let young = 80 * (pow(1.00222222, -m) - pow(1.00416667, -m))
    return young + (g < 120 ? 0.3 * (1 - m / 1_440) * (120 - g) : 0)
  }

  /// The quarter of an hour that is not yet in the ring.
  func passed(_ minute: Int) -> Record {
    Record(minute: minute, raw: 0, temperature: nil, isRF: true, canHaveValue: false)
  }

  /// Without the offset; `t` are 16 minutes, newest first, and `v6` is of the history whose newest minute is given.
  func current(_ t: [Record], newestHistory: Int, v6: [Double?]) -> Current? {
    guard t.count == 16, v6.count >= 3, let c = v6[0], let o = v6[1], let w = v6[2] else { return nil }
    let rows = Array(t.reversed())
    var g: [Double?] = []
    for k in 0..<16 {
      let raws = (k - 2...k + 2).filter(rows.indices.contains).map { rows[$0] }.filter { !$0.isRF && $0.raw != 0 }
      let warm = (k - 3...k + 3).filter(rows.indices.contains).map { rows[$0] }.filter { !$0.isRF }
      let celsius = warm.compactMap(\.temperature)
      guard !raws.isEmpty, !celsius.isEmpty, celsius.count == warm.count else {
        g.append(nil)
        continue
      }
      let mean = celsius.reduce(0, +) / Double(celsius.count)
      g.append(
        mean < 0 || mean > 50 ? nil : factory(raws.map(\.raw).reduce(0, +) / Double(raws.count), mean))
    }
    guard let g15 = g[15], let g13 = g[13], let g11 = g[11], let g9 = g[9], let g8 = g[8], let g3 = g[3], let g0 = g[0]
    else { return nil }
    var j = t[0].minute - newestHistory
    if j > 14 { j = 0 }
    let tX = [
      14.77, 15.46, 16.67, 18.93, 20.33, 20.74, 22.39, 23.08, 23.57, 23.34, 23.99, 23.34, 22.11, 23.51, 25.06,
    ]
    let tY = [
      -3.24, -3.37, -4.01, -5.83, -6.44, -6.08, -7.38, -7.47, -7.64, -6.90, -6.52, -5.67, -3.82, -4.63, -5.73,
    ]
    let tC: [Double] = [92, 91, 91, 90, 89, 88, 88, 87, 86, 86, 85, 83, 83, 82, 82]
    let s1 = tY[j] * (w - c) / -30 + tX[j] * (o - c) / -15
    let s2 = 10.20 * (g9 - g15) / -6 + 2.17 * (g0 - g15) / -15
    let s3 = 1.69 * (g13 - g15) / -2 + 10.54 * (g8 - g15) / -7
    let s4 = 5.85 * (g11 - g15) / -4 + 6.34 * (g3 - g15) / -12
    let p1 = c + cap(s1, c)
    let p = [g15 + cap(s2, g15), g15 + cap(s3, g15), g15 + cap(s4, g15)]
    let isSlow = 0.1 * s1 > -5 && 0.1 * s1 < 5.5
    let value = 75 * g15 + 91 * p[0] + 90 * p[1] + 91 * p[2] + (isSlow ? tC[j] * p1 : 0)
    let rate = 0.1 * (91 * s2 + 90 * s3 + 91 * s4 + (isSlow ? tC[j] * s1 : 0))
    let weights = 91 + 90 + 91 + (isSlow ? tC[j] : 0)
    return Current(g15: g15, value: value / (75 + weights), rate: rate / weights)
  }

  /// All values of a series: the history run by run, the current value of every minute as a scan at it would have it.
  func values(of series: SampleSeries) -> SeriesValues {
    var result = SeriesValues()
    guard factory(1_000, 30) != nil else { return result }
    func byMinute(_ samples: [RawSample]) -> [Int: Record] {
      Dictionary(
        samples.filter { (1...65_535).contains($0.minute.value) }.map { ($0.minute.value, record($0)) },
        uniquingKeysWith: { first, _ in first })
    }
    let history = byMinute(series.history)
    let sortedMinutes = history.keys.sorted()
    /// The records from `minute` down to the next gap; one off the grid of the others makes a gap too.
    func run(from minute: Int) -> [Record] {
      var run: [Record] = []
      for older in sortedMinutes.reversed() where older <= minute {
        guard older == minute - 15 * run.count, let record = history[older] else { break }
        run.append(record)
      }
      return run
    }
    let trend = byMinute(series.trend)
    let successors = Dictionary(uniqueKeysWithValues: zip(sortedMinutes, sortedMinutes.dropFirst()))
    /// True for the minute after the newest record, if a scan has shown it to have passed.
    func isPassed(_ minute: Int) -> Bool {
      history[minute - 15] != nil && trend[minute] != nil && successors[minute - 15] ?? .max > minute + 15
    }
    for minute in sortedMinutes where successors[minute] != minute + 15 {
      let records = (isPassed(minute + 15) ? [passed(minute + 15)] : []) + run(from: minute)
      let found = self.history(records)
      for i in records.indices.dropFirst() where records[i].canHaveValue {
        guard let v7 = found.v7[i], let g = found.g[i] else { continue }
        let m = records[i].minute
        result.history[SensorMinute(m)] = .init(
          milligramsPerDecilitre: v7 + offset(m, g: g), ratePerMinute: nil)
      }
    }
    for (minute, newest) in trend where (newest.canHaveValue || newest.isRF) && minute >= 16 {
      let window = (0..<16).compactMap { trend[minute - $0] }
      let written = (minute - 2) / 15 * 15
      let due = minute / 15 * 15
      let known = isPassed(written) ? [passed(written)] + run(from: written - 15) : run(from: written)
      if known.isEmpty { continue }
      let v6 = self.history((due > written ? [passed(due)] : []) + known).v6
      guard let current = current(window, newestHistory: due, v6: v6) else { continue }
      result.trend[SensorMinute(minute)] = .init(
        milligramsPerDecilitre: current.value + offset(minute, g: current.g15),
        ratePerMinute: current.rate)
    }
    return result
  }
}
