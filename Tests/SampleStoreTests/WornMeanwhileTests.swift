// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import Testing

/// What proves that two sensors were worn at the same time.
final class WornMeanwhileTests: StoreTest {
  private static let day = 1_440

  private func isProven(by reading: SensorReading) throws -> Bool {
    try store.sensorWornMeanwhile(reading) != nil
  }

  @Test("a sensor that is scanned was worn when another one was, whose last scan is of its fifth day")
  func times() throws {
    let day = Self.day
    _ = try store.add(sensor.scan(5 * day))
    for (start, age, isWorn, words) in [
      (3 * day, 3 * day, true, "it was started before the last scan of the other"),
      (-3 * day, 4 * day, true, "it was started first, and scanned while the other was worn"),
      (5 * day, day, false, "it was started after that, and replaced it"),
      (5 * day - 2, day, false, "two minutes are the error of the clocks"), (5 * day - 3, day, true, "three are not"),
      (-20 * day, 14 * day, false, "it was scanned for the last time before the other was started"),
      (-4 * day, 4 * day + 2, false, "again within two minutes"), (-4 * day, 4 * day + 3, true, "and not within three"),
    ] { #expect(try isProven(by: sensor.other(after: start).reading(age)) == isWorn, "\(words)") }
    let found = try #require(try store.sensorWornMeanwhile(sensor.other(after: 3 * day).reading(60)))
    #expect(found.startedAt == ReadingFixture.start.adding(minutes: 3 * day))
    #expect(found.lastReadAt == ReadingFixture.start.adding(minutes: 5 * day))
  }

  @Test("a scan of a sensor that has ended does not prove that it was worn until then")
  func ended() throws {
    try store.take(sensor.scan(10 * Self.day), sensor.with { $0.state = .expired }.scan(15 * Self.day))
    #expect(!(try isProven(by: sensor.other(after: 12 * Self.day).reading(Self.day))))
    #expect(try isProven(by: sensor.other(after: 9 * Self.day).reading(Self.day)))
  }

  @Test("a scan whose time is not certain proves nothing, neither of the one sensor nor of the other")
  func uncertain() throws {
    let other = sensor.other(after: 3 * Self.day)
    _ = try store.add(sensor.with { $0.source = .modificationTime }.scan(5 * Self.day))
    #expect(!(try isProven(by: other.reading(Self.day))))
    _ = try store.add(sensor.scan(5 * Self.day + 60))
    #expect(!(try isProven(by: other.with { $0.source = .modificationTime }.reading(Self.day))))
    #expect(!(try isProven(by: other.with { $0.state = .shutdown }.reading(Self.day))))
    #expect(try isProven(by: other.reading(Self.day)))
  }

  @Test("a sensor that is given to another store is there with all its scans and samples, and not here any more")
  func taken() throws {
    try store.take(sensor.scan(600), sensor.other(after: 60).scan(900))
    let theirs = try folder.store("theirs.sqlite")
    let given = try store.sensor(ReadingFixture.otherUID.description)
    try theirs.take(given, from: store)
    try store.forget(given)
    #expect(try store.sensors().map(\.identity.uid) == [ReadingFixture.uid])
    let taken = try #require(try theirs.sensors().first)
    #expect(try theirs.sensors().count == 1 && taken.identity.uid == ReadingFixture.otherUID)
    #expect(taken.wears.map(\.scans) == [1] && taken.wears[0].historySamples == given.wears[0].historySamples)
    // Given back, although it was forgotten here.
    try store.take(taken, from: theirs)
    #expect(try store.sensors().count == 2)
  }
}
