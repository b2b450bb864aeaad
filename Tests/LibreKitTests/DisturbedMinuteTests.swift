// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import SensorHistory
import StoreTestSupport
import Testing

@testable import LibreKit

/// A reader's field often disturbs the minute that the sensor is measuring while it is read.
@Suite("The newest minute was disturbed by a reader's field") struct DisturbedMinuteTests {
  /// Two sensors that differ in their newest minute, 4999, alone.
  private let good = SimulatedSensor(seed: 7)
  private let disturbed: SimulatedSensor

  init() {
    var disturbed = SimulatedSensor(seed: 7)
    disturbed.disturbedMinutes = [4_999...4_999]
    self.disturbed = disturbed
  }

  private func reading(_ sensor: SimulatedSensor, _ calibration: CalibrationChoice) throws -> SensorReading {
    var options = DecodeOptions()
    options.calibration = calibration
    return try DumpDecoder(options: options).decode(sensor.image(atAge: 5_000).bytes)
  }

  private static let problem = ReadingProblem.currentFromNeighbours(minute: SensorMinute(4_999))

  @Test("with reader it has a current value from the minutes before, which the problems say; its sample has none")
  func reader() throws {
    let reader = try #require(CalibrationChoice("reader"))
    let reading = try reading(disturbed, reader)
    let current = try #require(reading.current)
    #expect(current.minute.value == 4_999 && current.ratePerMinute != nil)
    #expect(reading.trend[0].concentration == nil && reading.trend[0].quality == .error)
    #expect(reading.problems.contains(Self.problem) && Self.problem.message.contains("minute 4999"))
    let undisturbed = try self.reading(good, reader)
    #expect(!undisturbed.problems.contains(Self.problem))
    let expected = try #require(undisturbed.current).concentration.milligramsPerDecilitre
    #expect(abs(current.concentration.milligramsPerDecilitre - expected) < 3)
  }

  @Test("the store's latest value is the one that the reading shows")
  func latest() throws {
    let history = try StoredHistory()
    try history.scan(disturbed, atAge: 5_000)
    let reader = try #require(CalibrationChoice("reader"))
    let now = disturbed.activatedAt.adding(minutes: 5_000)
    let latest = try history.shown.latestValue(now: now, calibration: reader)
    let current = try #require(try reading(disturbed, reader).current)
    #expect(latest.concentration == current.concentration && latest.ratePerMinute == current.ratePerMinute)
    #expect(latest.ageMinutes == 1)
    #expect(try history.shown.latestValue(now: now).ageMinutes == 2)
  }
}
