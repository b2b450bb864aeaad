// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import Testing

/// What proves that two sensors were worn at the same time.
struct WornMeanwhileTests {
  private let folder: StoreFolder
  private let store: SensorStore
  private let known = ReadingFixture()
  private static let day = 1_440

  init() throws { (folder, store) = try StoreFolder.opened() }

  /// Another sensor, started so many minutes after the known one.
  private func other(after minutes: Int) -> ReadingFixture {
    ReadingFixture().with {
      $0.uid = ReadingFixture.otherUID
      $0.fingerprint = SensorFingerprint(bytes: Array(17...32))
      $0.startedAt = ReadingFixture.start.adding(minutes: minutes)
    }
  }

  private func isProven(by reading: SensorReading) throws -> Bool {
    try store.sensorWornMeanwhile(reading) != nil
  }

  @Test(
    "a sensor that was started before the last scan of another one was worn at the same time, whichever began first")
  func overlap() throws {
    _ = try store.add(known.scan(5 * Self.day))
    #expect(try isProven(by: other(after: 3 * Self.day).reading(3 * Self.day)))
    #expect(try isProven(by: other(after: -3 * Self.day).reading(4 * Self.day)))
    let found = try #require(try store.sensorWornMeanwhile(other(after: 3 * Self.day).reading(60)))
    #expect(found.startedAt == ReadingFixture.start.adding(minutes: 3 * Self.day))
    #expect(found.lastReadAt == ReadingFixture.start.adding(minutes: 5 * Self.day))
  }

  @Test("one that was started after the last scan replaced it, and two minutes are the error of the clocks")
  func change() throws {
    _ = try store.add(known.scan(5 * Self.day))
    #expect(!(try isProven(by: other(after: 5 * Self.day).reading(Self.day))))
    #expect(!(try isProven(by: other(after: 5 * Self.day - 2).reading(Self.day))))
    #expect(try isProven(by: other(after: 5 * Self.day - 3).reading(Self.day)))
  }

  @Test("one that had been scanned for the last time before the other was started was worn before it")
  func earlier() throws {
    _ = try store.add(known.scan(5 * Self.day))
    #expect(!(try isProven(by: other(after: -20 * Self.day).reading(14 * Self.day))))
    #expect(!(try isProven(by: other(after: -4 * Self.day).reading(4 * Self.day + 2))))
    #expect(try isProven(by: other(after: -4 * Self.day).reading(4 * Self.day + 3)))
  }

  @Test("a scan of a sensor that has ended does not prove that it was worn until then")
  func ended() throws {
    _ = try store.add(known.scan(10 * Self.day))
    _ = try store.add(known.with { $0.state = .expired }.scan(15 * Self.day))
    #expect(!(try isProven(by: other(after: 12 * Self.day).reading(Self.day))))
    #expect(try isProven(by: other(after: 9 * Self.day).reading(Self.day)))
  }

  @Test("a scan whose time is not certain proves nothing, neither of the one sensor nor of the other")
  func uncertain() throws {
    _ = try store.add(known.with { $0.source = .modificationTime }.scan(5 * Self.day))
    #expect(!(try isProven(by: other(after: 3 * Self.day).reading(Self.day))))
    _ = try store.add(known.scan(5 * Self.day + 60))
    #expect(!(try isProven(by: other(after: 3 * Self.day).with { $0.source = .modificationTime }.reading(Self.day))))
    #expect(!(try isProven(by: other(after: 3 * Self.day).with { $0.state = .shutdown }.reading(Self.day))))
    #expect(try isProven(by: other(after: 3 * Self.day).reading(Self.day)))
  }

  @Test("a sensor that is given to another store is there with all its scans and samples, and not here any more")
  func taken() throws {
    _ = try store.add(known.scan(600))
    _ = try store.add(other(after: 60).scan(900))
    let theirs = try folder.store("theirs.sqlite")
    let sensor = try store.sensor(ReadingFixture.otherUID.description)
    try theirs.take(sensor, from: store)
    try store.forget(sensor)
    #expect(try store.sensors().map(\.identity.uid) == [ReadingFixture.uid])
    let taken = try #require(try theirs.sensors().first)
    #expect(try theirs.sensors().count == 1 && taken.identity.uid == ReadingFixture.otherUID)
    #expect(taken.wears.map(\.scans) == [1] && taken.wears[0].historySamples == sensor.wears[0].historySamples)
    // Given back, although it was forgotten here.
    try store.take(taken, from: theirs)
    #expect(try store.sensors().count == 2)
  }
}
