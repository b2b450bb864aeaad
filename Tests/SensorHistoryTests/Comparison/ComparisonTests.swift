// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Libre1Core
import SampleStore
import StoreTestSupport
import TestSupport
import Testing

@testable import LibreKit
@testable import SensorHistory

struct ComparisonTests {
  private let store: SensorStore

  init() throws { store = try StoreFile.openInMemory() }

  private func point(_ second: Int64, _ value: Double) -> GlucosePoint {
    GlucosePoint(
      time: Instant(secondsSince1970: second), concentration: GlucoseConcentration(milligramsPerDecilitre: value))
  }

  private func pairs(_ reference: [GlucosePoint], _ values: [GlucosePoint], within minutes: Int = 5) -> [[Double]] {
    ReferenceValues(name: "test", points: reference).pairs(with: values, within: minutes).map {
      [$0.reference.milligramsPerDecilitre, $0.sensor.milligramsPerDecilitre]
    }
  }

  @Test("a pair is a reference value and the nearest sensor value within a maximum distance in minutes")
  func nearest() {
    let values = [point(0, 100), point(600, 110), point(1_200, 120)]
    #expect(pairs([point(290, 1)], values) == [[1, 100]])
    #expect(pairs([point(310, 1)], values) == [[1, 110]])
    // The earlier one of two that are equally near.
    #expect(pairs([point(300, 1)], values) == [[1, 100]])
    #expect(pairs([point(1_500, 1)], values) == [[1, 120]])
    #expect(pairs([point(1_501, 1)], values) == [])
    #expect(pairs([point(-300, 1), point(-301, 2)], values) == [[1, 100]])
    #expect(pairs([point(600, 1)], values, within: 0) == [[1, 110]])
    #expect(pairs([], values) == [] && pairs([point(0, 1)], []) == [])
    // Of two values in one minute the first is used, which belongs to the trend.
    #expect(pairs([point(60, 1)], [point(0, 5), point(0, 6), point(500, 7)]) == [[1, 5]])
    #expect(pairs([point(0, 1), point(0, 2), point(10, 3)], values) == [[1, 100], [2, 100], [3, 100]])
  }

  @Test("finger-sticks are compared with the usable values of each calibration")
  func sticks() throws {
    let reading = try store.remember(RememberedMemory(age: 1_000).reading(), calibration: .factory, zone: nil).reading
    let samples = Array(reading.history.filter { $0.quality == .ok }.prefix(6))
    for sample in samples {
      let value = try #require(sample.concentration?.milligramsPerDecilitre)
      _ = try store.note(FingerStick(value + 10, at: try #require(sample.time)))
    }
    let sticks = try store.fingerSticks(from: nil, to: nil)
    #expect(sticks.points.count == samples.count)
    let comparison = try store.comparison(
      with: sticks,
      calibrations: [("factory", .factory), ("linear:0,7", try #require(CalibrationChoice("linear:0,7")))], within: 0)
    #expect(comparison.models.map(\.pairs.count) == [samples.count, samples.count])
    #expect(abs(try #require(comparison.models[0].metrics.bias) + 10) < 1e-9)
    #expect(comparison.models[1].pairs.allSatisfy { $0.sensor.milligramsPerDecilitre == 7 })
    #expect(comparison.reference == "finger-sticks" && comparison.referenceCount == samples.count)
  }

  @Test("each calibration, and all together, are compared with the factory's over many memories")
  func memories() throws {
    var comparison = MemoryComparison(calibrations: [("linear:0.1,0", try #require(CalibrationChoice("linear:0.1,0")))])
    let readings = try [1_000, 1_400].map { try RememberedMemory(age: $0).reading() }
    for (index, reading) in readings.enumerated() { try comparison.add(reading, path: "\(index)", dump: nil) }
    let differences = readings.flatMap(\.samples).filter { $0.quality == .ok }.compactMap { sample in
      sample.concentration.map { 0.1 * Double(sample.raw.glucose) - $0.milligramsPerDecilitre }
    }
    let total = comparison.total.models[0].metrics
    #expect(total.count == differences.count && comparison.memories.count == 2)
    #expect(abs(try #require(total.bias) - differences.reduce(0, +) / Double(differences.count)) < 1e-9)
    #expect(abs(try #require(total.worst)) == differences.map(abs).max())
  }
}
