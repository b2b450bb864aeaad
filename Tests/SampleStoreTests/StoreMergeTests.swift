// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Testing

@testable import SampleStore

struct StoreMergeTests {
  private let folder: StoreFolder
  private let left: SensorStore
  private let right: SensorStore
  private let sensor = ReadingFixture()
  private static let history45 = ReadingFixture.Place(.history, 45)

  init() throws {
    folder = try StoreFolder()
    (left, right) = (try folder.store("left.sqlite"), try folder.store("right.sqlite"))
  }

  private func stick(_ number: UInt64) -> HistoryEntry {
    .stick(SampleID(high: 3, low: number), at: Int(number), note: "n", source: "test")
  }

  private func all(_ store: SensorStore) throws -> Set<HistoryEntry> { Set(try store.entries(.withFingerSticks)) }

  @Test("a merge is a union: common data is stored once, and repeating it changes nothing")
  func union() throws {
    _ = try left.add(sensor.scan(100))
    try right.take(sensor.with { $0.second = 20 }.scan(110), sensor.other().scan(50))
    _ = try right.add(sensor.other(number: 9).with { $0.state = .notActivated }.scan(0))
    for (store, number) in [(left, UInt64(1)), (right, 1), (right, 2)] { _ = try store.add(stick(number)) }
    let before = try all(right)

    let receipt = try left.merge(right)
    #expect((receipt.sensors, receipt.scans, receipt.samples) == (2, 3, 11 + 19))
    #expect((receipt.filled, receipt.conflicts, receipt.imported, receipt.fingerSticks) == (0, 0, 0, 1))
    // The youngest scan of both stores dates the sensor.
    #expect(receipt.maximumDisagreementSeconds == 20)
    #expect(try all(right) == before)
    let merged = try all(left)
    #expect(merged.count == 22 + 11 + 19 + 2)

    let again = try left.merge(right)
    #expect((again.sensors, again.scans, again.samples) == (0, 0, 0))
    #expect((again.filled, again.conflicts, again.imported, again.fingerSticks) == (0, 0, 0, 0))
    #expect(try all(left) == merged)
    _ = try right.merge(left)
    #expect(try all(right) == merged)
    #expect(try left.sensors().map(\.wears.count).sorted() == [0, 1, 1] && left.faults() == [])
  }

  @Test("merged stores take the start of the youngest scan of both, and the difference is reported")
  func anchors() throws {
    _ = try left.add(sensor.scan(100))
    _ = try right.add(sensor.with { $0.second = 35 }.scan(200))
    let (first, second) = (try left.merge(right), try right.merge(left))
    #expect((first.maximumDisagreementSeconds, first.maximumMoveSeconds) == (35, 0))
    #expect((second.maximumDisagreementSeconds, second.maximumMoveSeconds) == (0, 35))
    for store in [left, right] { #expect(try store.onlyWear().anchor.activatedAt == ReadingFixture.start) }
  }

  @Test("data removed here stays removed, whatever another store has")
  func tombstones() throws {
    _ = try left.add(stick(1))
    _ = try left.remove(SampleID(high: 3, low: 1))
    _ = try right.add(stick(1))
    #expect(try left.merge(right).fingerSticks == 0)
    #expect(try all(left).isEmpty)
    _ = try right.merge(left)
    #expect(try all(right).count == 1)
  }

  @Test("conflicts, errors, values and revisions are merged, with the same result in both directions")
  func everything() throws {
    let other = CalibrationDescription(model: "linear", version: 1, parameters: [.init("slope", 0.1)])
    _ = try left.add(sensor.with { $0.flagged = [Self.history45] }.scan(100))
    let bad = sensor.with { ($0.isSalvaged, $0.altered) = (true, [.init(.trend, 99): 77]) }
    _ = try left.add(bad.scan(101))
    _ = try right.add(
      IncomingScan(
        sensor.reading(102), others: [sensor.with { $0.calibration = other }.reading(102)],
        footer: ReadingFixture.footer, timeZone: nil))
    _ = try right.add(sensor.with { $0.calibration = ReadingFixture.factory(version: 2) }.scan(103))
    let copy = try folder.store("copy.sqlite")
    _ = try copy.merge(left)
    let receipt = try left.merge(right)
    #expect(receipt.filled == 1)
    _ = try right.merge(copy)
    #expect(try all(left) == all(right))
    func facts(_ store: SensorStore) throws -> Set<[String]> {
      let database = try folder.database(store.path.split(separator: "/").last.map(String.init) ?? "")
      let rows = try database.statement(
        """
        SELECT ring, minute, model, version, glucose_mg_dl FROM revision
          JOIN calibration ON calibration.id = calibration
        UNION ALL SELECT ring, minute, glucose, has_error, is_salvaged FROM conflict
        """)
      var facts: Set<[String]> = []
      while let row = try rows.next() { facts.insert(row.map { "\($0)" }) }
      return facts
    }
    #expect(try facts(left) == facts(right) && facts(left).count { $0[2].contains("linear") } == 22)
    let conflicts = try left.onlyWear().conflicts
    #expect(try conflicts.count == 1 && conflicts == right.onlyWear().conflicts)
  }

  @Test("a record that is a conflict in one store and kept in the other never conflicts with itself")
  func crossedConflicts() throws {
    let other = sensor.with { $0.altered = [Self.history45: 77] }
    for (store, scans) in [(left, [sensor, other]), (right, [other, sensor])] {
      for (index, fixture) in scans.enumerated() { _ = try store.add(fixture.scan(100 + index)) }
    }
    _ = try left.merge(right)
    let conflicts = try left.onlyWear().conflicts
    #expect(conflicts.map(\.other.glucose) == [77] && conflicts.map(\.kept) == [sensor.raw(.history, 45)])
  }

  @Test("a user's calibration is copied to a store without one, and never replaces one")
  func userCalibration() throws {
    func calibration(_ slope: Double) -> UserCalibration {
      UserCalibration(slope: slope, intercept: -3, points: [], madeAt: ReadingFixture.start)
    }
    for (store, slope) in [(left, 1.5), (right, 0.5)] {
      _ = try store.add(sensor.scan(100))
      try store.setUserCalibration(calibration(slope), sensor: try store.only().id, wear: 1)
    }
    let third = try folder.store("third.sqlite")
    for (store, other) in [(left, right), (third, left)] {
      _ = try store.merge(other)
      #expect(try store.onlyWear().userCalibration == calibration(1.5))
    }
  }

  @Test("a rehearsed merge gives the same counts and changes nothing")
  func rehearsal() throws {
    _ = try left.add(sensor.scan(100))
    _ = try right.add(sensor.scan(200))
    let anchor = try left.anchor()
    let rehearsed = try left.rehearse { () throws(StoreError) in try left.merge(right) }
    #expect(try left.samples().count == 22 && left.anchor() == anchor)
    #expect(try rehearsed.samples == 16 + 7 && left.merge(right) == rehearsed)
  }

  @Test("an older copy restores neither samples nor memories that were removed for their age")
  func retention() throws {
    for age in [100, 1_000] { _ = try left.add(sensor.scan(age)) }
    _ = try right.merge(left)
    let limit = ReadingFixture.start.adding(minutes: 600)
    #expect(try left.removeAll(before: limit) > 0)
    let kept = try left.remembered()
    let receipt = try left.merge(right)
    #expect(receipt.scans == 0 && receipt.samples == 0)
    // A store that removed the same samples and never had the sensor takes only newer ones.
    let third = try folder.store("third.sqlite")
    _ = try third.removeAll(before: limit)
    _ = try third.merge(right)
    for store in [left, third] { #expect(try store.remembered() == kept && store.onlyWear().scans == 1) }
  }
}
