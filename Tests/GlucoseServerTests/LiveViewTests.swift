// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Testing

@testable import GlucoseServer

@Suite("What the live page shows about a value")
struct LiveViewTests {
  private func view(_ values: ServedGlucose..., sensors: [ServedSensor] = [ServedStore.sensor]) -> LiveView {
    ServedStore(glucose: values, sensors: sensors).view()
  }

  @Test("a value is old from its 21st minute on, and a value far in the future is old too")
  func old() {
    #expect(!view(ServedStore.value(104, minutesAgo: 20)).isOld)
    #expect(view(ServedStore.value(104, minutesAgo: 21)).isOld)
    #expect(!view(ServedStore.value(104, minutesAgo: -5)).isOld)
    #expect(view(ServedStore.value(104, minutesAgo: -21)).isOld)
    #expect(view().isOld)
  }

  @Test("a value in the future does not hide the newest past one")
  func future() {
    let view = view(ServedStore.value(300, minutesAgo: -600), ServedStore.value(104, minutesAgo: 3))
    #expect(view.newest?.concentration.milligramsPerDecilitre == 104)
  }

  @Test("an old value has no direction")
  func direction() {
    #expect(view(ServedStore.value(104, minutesAgo: 2, direction: .fortyFiveUp)).direction == "rising")
    #expect(view(ServedStore.value(104, minutesAgo: 40, direction: .fortyFiveUp)).direction == nil)
    #expect(view(ServedStore.value(104, minutesAgo: 2, direction: .notComputable)).direction == nil)
  }

  @Test("the page shows whether a value is from the trend, from the history, or imported")
  func source() {
    #expect(view(ServedStore.value(104, minutesAgo: 1)).trust == ["Measured in that minute by sensor 0M00009DHCR."])
    #expect(view(ServedStore.value(104, minutesAgo: 1, isTrend: false)).trust[0].hasPrefix("From the history"))
    #expect(
      view(ServedStore.value(104, minutesAgo: 1, device: "xDrip")).trust == [
        "Imported from xDrip. This computer did not read the sensor itself."
      ])
  }

  @Test("a problem of a sensor is described in a sentence")
  func state() {
    let sensor = ServedSensor(
      id: "", serial: "S", facts: WearFacts(ServedStore.identity, lastState: .failure))
    let trust = view(ServedStore.value(104, minutesAgo: 1, device: "S"), sensors: [sensor]).trust
    #expect(trust.count == 2 && trust[1].contains("has failed"))
  }

  @Test("the state of a sensor changes with time, also without a new reading")
  func aging() {
    let states = [0, 10 * 1_440 + 90, 11 * 1_440].map {
      ServedStore.sensor.state(at: ServedStore.now.adding(minutes: $0))
    }
    #expect(states == [.active, .expired, .shutdown])
  }

  @Test("a reading without a usable value is reported")
  func flagged() {
    let trust = view(ServedStore.value(104, minutesAgo: 50)).trust
    #expect(trust.last == "The sensor was read just now, but had no usable value then.")
  }

  @Test("today's statistics count each quarter of an hour once, from the local midnight on")
  func today() throws {
    // 15 values of one minute each in one quarter, one history value in each of three others, and one of yesterday.
    let minutes = (1...14).map { ServedStore.value(200, minutesAgo: $0) }
    let history = [30, 45, 60].map { ServedStore.value(100, minutesAgo: $0, isTrend: false) }
    let store = ServedStore(glucose: minutes + history + [ServedStore.value(40, minutesAgo: 13 * 60)])
    let (ranges, length) = try #require(store.view().today)
    #expect(length == 60)
    #expect(ranges.target == 75 && ranges.high == 25 && ranges.veryLow == 0)
    let west = LocalClock { _ in -2 * 3_600 }
    #expect(store.view(clock: west).today?.minutes == 60)
    // Two hours east of UTC the value of 23:00 is one of today.
    let east = LocalClock { _ in 2 * 3_600 }
    #expect(store.view(clock: east).today?.minutes == 75)
    #expect(view().today == nil)
  }

  @Test("a history value of a quarter counts instead of the minute values around a scan")
  func historyBeforeTrend() throws {
    let view = view(
      ServedStore.value(300, minutesAgo: 1), ServedStore.value(300, minutesAgo: 2),
      ServedStore.value(100, minutesAgo: 5, isTrend: false))
    #expect(try #require(view.today).ranges.target == 100)
  }

  @Test("the curve has the values of the chosen hours in the order of time")
  func curve() {
    let store = ServedStore(glucose: [1, 100, 181, 400].map { ServedStore.value(100, minutesAgo: $0) })
    #expect(store.view(hours: 3).curve.points.map(\.time) == [100, 1].map { ServedStore.now.adding(minutes: -$0) })
    #expect(store.view(hours: 24).curve.points.count == 4)
  }
}
