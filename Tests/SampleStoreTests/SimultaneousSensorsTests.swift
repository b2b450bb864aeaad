// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Testing

@testable import SampleStore

@Suite("Sensors worn at the same time") final class SimultaneousSensorsTests: StoreTest {
  @Test("are found with their common time, in whatever order they were read")
  func found() throws {
    for (number, order) in [[sensor, sensor.other(after: 100)], [sensor.other(after: 100), sensor]].enumerated() {
      let store = try folder.store("\(number).sqlite")
      for fixture in order { _ = try store.add(fixture.scan(1_000)) }
      let found = try #require(try store.simultaneousSensors(from: nil, to: nil))
      #expect(found.first.uid == ReadingFixture.uid && found.second.uid == ReadingFixture.otherUID)
      // A scan has the values of eight hours: the second sensor's begin and the first sensor's end.
      #expect(found.from > ReadingFixture.start.adding(minutes: 100 + 480))
      #expect(found.to <= ReadingFixture.start.adding(minutes: 1_000))
    }
  }

  @Test("are not sensors with a start that cannot be one", arguments: [Int64.min, -900_000_000_000_000_000, .max])
  func impossibleStart(start: Int64) throws {
    for fixture in [sensor, sensor.other(after: 100)] { _ = try store.add(fixture.scan(1_000)) }
    try folder.database().execute("UPDATE wear SET activated_at = \(start) WHERE id = 1")
    let reading = try SensorStore(folder.path(), for: .reading)
    #expect(try reading.simultaneousSensors(from: nil, to: nil) == nil)
    #expect(try reading.simultaneousSensors(from: ReadingFixture.start, to: nil) == nil)
  }

  @Test("are not sensors that follow each other, with less than an hour in common, and not one sensor in several scans")
  func following() throws {
    _ = try store.add(sensor.scan(1_000))
    // Its first value is at most 15 minutes old when the last one of the first sensor is measured.
    _ = try store.add(sensor.other(after: 940).scan(500))
    for age in [600, 700] { _ = try store.add(sensor.scan(age)) }
    #expect(try store.simultaneousSensors(from: nil, to: nil) == nil)
  }

  @Test("are looked for in the given time and among the chosen sensors only")
  func scope() throws {
    for fixture in [sensor, sensor.other(after: 0)] { _ = try store.add(fixture.scan(1_000)) }
    #expect(try store.simultaneousSensors(from: nil, to: nil) != nil)
    #expect(try store.simultaneousSensors(from: ReadingFixture.start.adding(minutes: 970), to: nil) == nil)
    #expect(try store.simultaneousSensors(from: nil, to: ReadingFixture.start.adding(minutes: 530)) == nil)
    let one = try store.sensor(ReadingFixture.uid.description).id
    let scope = try store.scope(sensors: [one], sources: [], ignoring: [])
    #expect(try store.simultaneousSensors(from: nil, to: nil, of: scope) == nil)
  }
}
