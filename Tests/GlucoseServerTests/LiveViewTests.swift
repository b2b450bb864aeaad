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

  @Test(
    "a value is old from its 21st minute on or far in the future, and then without a direction; of two, the past counts"
  )
  func old() {
    for (minutes, isOld) in [(20, false), (21, true), (-5, false), (-21, true)] {
      let view = view(ServedStore.value(104, minutesAgo: minutes, direction: .fortyFiveUp))
      #expect(view.isOld == isOld && view.direction == (isOld ? nil : "rising"), "\(minutes)")
    }
    #expect(view().isOld)
    #expect(view(ServedStore.value(104, minutesAgo: 2, direction: .notComputable)).direction == nil)
    let view = view(ServedStore.value(300, minutesAgo: -600), ServedStore.value(104, minutesAgo: 3))
    #expect(view.newest?.concentration.milligramsPerDecilitre == 104)
  }

  @Test("the page shows where a value is from, a problem of its sensor, and a reading without a usable value")
  func source() {
    #expect(view(ServedStore.value(104, minutesAgo: 1)).trust == ["Measured in that minute by sensor 0M00009DHCR."])
    #expect(view(ServedStore.value(104, minutesAgo: 1, isTrend: false)).trust[0].hasPrefix("From the history"))
    #expect(
      view(ServedStore.value(104, minutesAgo: 1, device: "xDrip")).trust == [
        "Imported from xDrip. This computer did not read the sensor itself."
      ])
    let failed = ServedSensor(id: "", serial: "S", facts: WearFacts(ServedStore.identity, lastState: .failure))
    let trust = view(ServedStore.value(104, minutesAgo: 1, device: "S"), sensors: [failed]).trust
    #expect(trust.count == 2 && trust[1].contains("has failed"))
    let flagged = view(ServedStore.value(104, minutesAgo: 50)).trust
    #expect(flagged.last == "The sensor was read just now, but had no usable value then.")
  }

  @Test("the state of a sensor changes with time, also without a new reading")
  func aging() {
    let states = [0, 10 * 1_440 + 90, 11 * 1_440].map {
      ServedStore.sensor.state(at: ServedStore.now.adding(minutes: $0))
    }
    #expect(states == [.active, .expired, .shutdown])
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
