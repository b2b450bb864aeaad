// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import SampleStore
import SensorHistory
import StoreTestSupport
import TestSupport
import Testing

@testable import LibreKit

struct CalibratedTimelineTests {
  private let store: SensorStore

  init() throws { store = try StoreFile.openInMemory() }

  private func remember(_ memory: RememberedMemory) throws {
    _ = try store.remember(memory.reading(), calibration: .factory, zone: nil)
  }

  @Test("the user's slope and offset change only factory values of their own wear")
  func user() throws {
    try remember(RememberedMemory(age: 1_000))
    try remember(RememberedMemory(age: 300).with { $0.readAt = $0.readAt?.adding(minutes: 9_000) })
    let factory = try store.timeline()
    #expect(try store.timeline(.user) == factory)
    let sensor = try store.chosenWear(of: nil, wear: 2).sensor
    try store.setUserCalibration(
      UserCalibration(slope: 1.25, intercept: -7, points: [], madeAt: RememberedMemory.start), sensor: sensor.id,
      wear: 2)
    let corrected = try store.timeline(.user)
    #expect(try store.timeline() == factory)
    #expect(corrected.map(\.sample.raw) == factory.map(\.sample.raw))
    for (before, after) in zip(factory, corrected) {
      #expect(after.id == before.id && after.sample.time == before.sample.time)
      let value = try #require(before.sample.concentration?.milligramsPerDecilitre)
      #expect(after.sample.concentration?.milligramsPerDecilitre == (after.wear == 2 ? 1.25 * value - 7 : value))
      #expect(after.calibration?.model == (after.wear == 2 ? "user" : "factory"))
    }
    #expect(Set(corrected.map(\.wear)) == [1, 2])
  }

  @Test("another model computes values from counts, and none where decoding would give none")
  func model() throws {
    let odd = RememberedMemory(age: 1_000).edited {
      $0.setTrend(
        minute: 1_000, LiteralMemory.record(glucose: 1_100, temperature: 6_552, hasError: true, errorField: 1))
      $0.setTrend(minute: 999, LiteralMemory.record(glucose: 0, temperature: 6_552))
      // 60 °C, and no resistance at all.
      $0.setTrend(minute: 998, LiteralMemory.record(glucose: 1_100, temperature: 2_000))
      $0.setTrend(minute: 997, LiteralMemory.record(glucose: 1_100, temperature: 4))
    }
    try remember(odd)
    let alone = try odd.reading(calibration: "linear:0.1,2")
    let timeline = try store.timeline(.model(LinearCalibration(slope: 0.1, offset: 2)))
    #expect(timeline.map(\.sample) == alone.samples)
    #expect(timeline.allSatisfy { $0.calibration == alone.calibration })
    #expect(alone.trend.prefix(4).allSatisfy { $0.concentration == nil })
    #expect(alone.trend[4].concentration?.milligramsPerDecilitre == 0.1 * Double(alone.trend[4].raw.glucose) + 2)
  }
}
