// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct SmoothingTests {
  private let start = Instant(secondsSince1970: 1_714_617_000)

  private func points(_ values: [Double], minutes: [Int]? = nil) -> [GlucosePoint] {
    values.enumerated().map { GlucosePoint(start.adding(minutes: minutes?[$0.offset] ?? $0.offset), $0.element) }
  }

  private func smoothed(_ smoothing: Smoothing, _ values: [Double], minutes: [Int]? = nil) -> [Double] {
    smoothing.smoothed(points(values, minutes: minutes)).map(\.value)
  }

  @Test("the newest value becomes the mean of five, and the first four become means of the values so far")
  func mean() {
    #expect(smoothed(.mean, [10, 20, 30, 40, 50, 60]) == [10, 15, 20, 25, 30, 40])
  }

  @Test("Savitzky-Golay does not change a parabola, also at both ends")
  func parabola() {
    for count in 1...9 {
      let values = (0..<count).map { (index: Int) -> Double in
        let place = Double(index)
        return 100 + 7 * place - 1.5 * place * place
      }
      for (ours, value) in zip(smoothed(.savitzkyGolay, values), values) { #expect(abs(ours - value) < 1e-9) }
    }
    // A spike in the last value but one is lowered by the four values there are; the last stays.
    let values = smoothed(.savitzkyGolay, [0, 0, 0, 20, 0])
    #expect(zip(values, [0, -3, 240.0 / 35, 11, 0]).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(zip(smoothed(.savitzkyGolay, [0, 20, 0, 0, 0]), values.reversed()).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test("the Kalman filter begins with the first value, as uncertain as a measurement")
  func kalman() {
    let values = smoothed(.kalman, [100, 126])
    // 26 / 51 of the way.
    #expect(values[0] == 100 && abs(values[1] - (100 + 26.0 * 26 / 51)) < 1e-12)
    #expect(smoothed(.kalman, Array(repeating: 90, count: 20)) == Array(repeating: 90, count: 20))
  }

  @Test("smoothing stops at a gap of more than twice the step", arguments: Smoothing.allCases)
  func gaps(smoothing: Smoothing) {
    let values: [Double] = [100, 120, 90, 110, 300, 260, 310, 280]
    func isSplit(_ minutes: [Int]) -> Bool {
      let whole = smoothed(smoothing, values, minutes: minutes)
      return whole
        == smoothed(smoothing, Array(values.prefix(4)), minutes: Array(minutes.prefix(4)))
        + smoothed(smoothing, Array(values.suffix(4)), minutes: Array(minutes.suffix(4)))
    }
    #expect(!isSplit([0, 15, 30, 45, 75, 90, 105, 120]))
    #expect(isSplit([0, 15, 30, 45, 76, 91, 106, 121]))
    #expect(!isSplit([0, 1, 2, 3, 5, 6, 7, 8]))
    #expect(isSplit([0, 1, 2, 3, 6, 7, 8, 9]))
  }

  @Test("minute values and quarter-hour values are never smoothed together")
  func kinds() {
    func runs(_ minutes: [Int]) -> [Range<Int>] {
      SmoothingRun.among(points(Array(repeating: 100, count: minutes.count), minutes: minutes))
    }
    #expect(runs([0, 15, 30, 40, 41, 42, 57, 72]) == [0..<3, 3..<6, 6..<8])
    // Both of one minute: the history's own value among the trend's.
    #expect(runs([0, 15, 16, 17, 17, 18]) == [0..<1, 1..<6])
    #expect(runs([0, 2, 5, 20]) == [0..<2, 2..<4])
    #expect(runs([]) == [] && runs([7]) == [0..<1])
    // Back in time.
    #expect(runs([0, 15, 10, 25]) == [0..<2, 2..<4])
  }

  @Test("extreme or invalid numbers do not crash, and do not affect other values", arguments: Smoothing.allCases)
  func hostile(smoothing: Smoothing) {
    let values: [Double] = [
      100, .nan, 110, 105, .infinity, 95, -.infinity, 1.7e308, 1.7e308, 1.7e308, -1.7e308, 90, 91, 92, 93, 94,
    ]
    let after = smoothed(smoothing, values)
    #expect(after[1].isNaN && after[4] == .infinity && after[6] == -.infinity)
    #expect(after.indices.allSatisfy { values[$0].isFinite == after[$0].isFinite })
    let far = [Instant(secondsSince1970: .min), Instant(secondsSince1970: .max)].map { GlucosePoint($0, 100) }
    #expect(smoothing.smoothed(far) == far)
    #expect(smoothing.smoothed(far.reversed()) == far.reversed())
  }
}
