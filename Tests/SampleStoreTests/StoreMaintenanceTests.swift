// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Testing

@testable import SampleStore

final class StoreMaintenanceTests: StoreTest {
  private func minute(_ minute: Int) -> Instant { ReadingFixture.start.adding(minutes: minute) }

  @Test("a valid store has no faults, and a row with a dangling reference is one")
  func faults() throws {
    _ = try store.add(sensor.scan(100))
    #expect(try store.faults() == [])
    try folder.database().execute("DELETE FROM sensor")
    let expected = ["wear", "scan"].map { "a row of \($0) refers to a missing row of sensor" }
    #expect(try Set(store.faults()).isSuperset(of: expected))
  }

  @Test("samples older than a given time are removed to the second, and the rest is kept")
  func retention() throws {
    for age in [100, 200] { _ = try store.add(sensor.scan(age)) }
    _ = try store.add(.stick(SampleID(high: 1, low: 1), at: 10))
    // A sample without a time is never old.
    _ = try store.add(sensor.other().with { $0.source = .unknown }.scan(100))
    let all = try store.samples().count
    let rehearsed = try store.rehearse { () throws(StoreError) in try store.removeAll(before: minute(150)) }
    #expect(try store.samples().count == all)
    #expect(try store.removeAll(before: minute(150)) == rehearsed && rehearsed == 16 + 9 + 1)
    let dated = try store.samples().filter { $0.sample.time != nil }
    #expect(dated.map(\.sample.minute.value).min() == 150 && dated.count == 16 + 4)
    #expect(try store.sensors().map { $0.wears.map(\.scans) } == [[1], [1]])
    #expect(try store.entries(.withFingerSticks).count == 20 + 22 && store.faults() == [])
    #expect(try store.removeAll(before: minute(150)) == 0)
  }

  @Test("a check does not report samples of a stored scan as missing if they were removed for their age")
  func keptScan() throws {
    _ = try store.add(sensor.scan(200))
    _ = try store.removeAll(before: minute(100))
    #expect(try holds(sensor, 90) && holds(sensor, 105))
    #expect(try !holds(sensor.with { $0.life = 3 }, 105) && !holds(sensor, 300) && !holds(sensor, 105, wear: 2))
  }

  private func holds(_ sensor: ReadingFixture, _ minute: Int, wear: Int = 1) throws -> Bool {
    try store.holds(sensor.raw(.history, minute), sensor: store.only().id, wear: wear)
  }

  @Test("counts are found as a sample, or as a conflict with one")
  func conflicts() throws {
    let other = sensor.with { $0.altered = [.init(.history, 45): 77] }
    try store.take(sensor.scan(100), other.scan(101))
    #expect(try holds(sensor, 45) && holds(other, 45))
    #expect(try !holds(other.with { $0.altered = [.init(.history, 45): 78] }, 45))
  }

  @Test("shrinking frees disk space and keeps the data")
  func shrink() throws {
    func size() throws -> Int { try folder.files()["history.sqlite"]?.count ?? 0 }
    // Its tables alone.
    try store.shrink()
    let empty = try size()
    for age in stride(from: 480, through: 19_200, by: 240) { _ = try store.add(sensor.scan(age)) }
    try store.shrink()
    let full = try size()
    _ = try store.removeAll(before: minute(18_000))
    let rest = try store.samples()
    #expect(!rest.isEmpty)
    try store.shrink()
    #expect(try size() - empty < (full - empty) / 2)
    #expect(try store.samples() == rest)
  }

  @Test("stored scans are returned with their memories, in the order of storage")
  func scans() throws {
    try store.take(sensor.scan(100), sensor.with { $0.state = .notActivated }.scan(0))
    var scans: [StoredScan] = []
    try store.forEachScan { scan in
      scans.append(scan)
      return true
    }
    #expect(scans.map(\.wear) == [1, nil] && scans[0].id == sensor.reading(100).id)
    let memory = scans[0].memory
    #expect(memory.bytes == sensor.reading(100).memory.bytes)
    #expect(memory.readAt == minute(100) && memory.uid == ReadingFixture.uid)
    #expect(scans[0].readAtSource == .file && scans[0].source.tool == "libre test")
    #expect(scans[0].footer == ReadingFixture.footer && !scans[0].isSalvaged)
    var seen = 0
    try store.forEachScan { _ in
      seen += 1
      return false
    }
    #expect(seen == 1)
  }

  @Test("a user's calibration is read back unchanged, replaces an earlier one, and can be deleted")
  func userCalibration() throws {
    _ = try store.add(sensor.scan(100))
    let id = try store.only().id
    let points = [(30, 101.1, 97), (60, 1e-9, 0.1)].map {
      UserCalibration.Point(
        time: minute($0.0), factory: .init(milligramsPerDecilitre: $0.1), blood: .init(milligramsPerDecilitre: $0.2))
    }
    let first = UserCalibration(slope: 1.0625, intercept: -3.1415926, points: points, madeAt: minute(61))
    try store.setUserCalibration(first, sensor: id, wear: 1)
    #expect(try store.onlyWear().userCalibration == first)
    let second = UserCalibration(slope: 1, intercept: 5, points: [], madeAt: minute(90))
    try store.setUserCalibration(second, sensor: id, wear: 1)
    #expect(try store.onlyWear().userCalibration == second)
    #expect(second.applied(to: .init(milligramsPerDecilitre: 100)).milligramsPerDecilitre == 105)
    #expect(first.applied(to: .init(milligramsPerDecilitre: 100)).milligramsPerDecilitre == 106.25 - 3.1415926)
    try store.setUserCalibration(nil, sensor: id, wear: 1)
    #expect(try store.onlyWear().userCalibration == nil)
    // The factory's values do not change.
    #expect(try store.samples().allSatisfy { $0.calibration?.model == "factory" })
  }

  @Test("values of another model are stored with the factory's, only for counts that were kept")
  func revisions() throws {
    let linear = CalibrationDescription(model: "linear", version: 1, parameters: [.init("slope", 0.1)])
    func scan(_ fixture: ReadingFixture, _ age: Int) -> IncomingScan {
      IncomingScan(
        fixture.reading(age), others: [fixture.with { $0.calibration = linear }.reading(age)],
        footer: ReadingFixture.footer, timeZone: nil)
    }
    for _ in 1...2 {
      _ = try store.add(scan(sensor, 30))
      #expect(try store.samples().allSatisfy { $0.calibration?.model == "factory" } && revisionCount() == 18)
    }
    // Other counts for minute 15 were not kept, so their value does not belong to that minute.
    _ = try store.add(scan(sensor.with { $0.altered = [.init(.history, 15): 77] }, 31))
    #expect(try revisionCount() == 19)
  }

  @Test("a later version of a model is shown and the earlier value kept; an earlier version is not shown")
  func versions() throws {
    let later = sensor.with { $0.calibration = ReadingFixture.factory(version: 2) }
    try store.take(sensor.scan(30), later.scan(31))
    let shown = try #require(try store.samples().last)
    #expect(shown.calibration?.version == 2)
    #expect(shown.sample.concentration == later.sample(.history, 15).concentration)
    #expect(try revisionCount() == 17)
    let other = try folder.store("other.sqlite")
    try other.take(later.scan(30), sensor.scan(31))
    #expect(try other.samples().last?.calibration?.version == 2)
  }

  private func revisionCount() throws -> Int {
    Int(try folder.database().row("SELECT count(*) FROM revision")?.first?.integer ?? -1)
  }

  @Test("setting a new start moves all times of a sensor, and all its samples are reported as changed")
  func reanchor() throws {
    try store.take(sensor.with { $0.second = 30 }.scan(100), sensor.with { $0.second = 10 }.scan(200))
    let (known, anchor) = (try store.only(), try store.anchor())
    let rehearsed = try store.reanchor(known, wear: 1, at: nil, isRehearsal: true)
    #expect(try store.only() == known)
    let (before, after) = try store.reanchor(known, wear: 1, at: nil)
    #expect(rehearsed == (before, after) && before == known.wears[0].anchor)
    #expect(after.activatedAt == Instant(secondsSince1970: ReadingFixture.start.secondsSince1970 + 10))
    #expect(try store.samples(.of { $0.after = anchor }).count == 45)

    let moment = ReadingFixture.start.adding(minutes: -3)
    _ = try store.reanchor(known, wear: 1, at: moment)
    #expect(try store.samples().last?.sample.time == moment.adding(minutes: 15))
    let wear = try store.onlyWear()
    #expect(wear.anchor.origin == .user && wear.disagreements.map(\.seconds) == [210, 190])
    for second in [Int64.min, 0, Instant.writable.upperBound.secondsSince1970 + 1, .max] {
      let impossible = Instant(secondsSince1970: second)
      #expect(throws: StoreError.impossibleActivation(impossible)) {
        try store.reanchor(known, wear: 1, at: impossible)
      }
    }
  }

  @Test("a forgotten sensor is removed with all its data, and its ids are reported")
  func forget() throws {
    try store.take(sensor.with { $0.state = .notActivated }.scan(0), sensor.scan(100))
    let known = try store.only()
    try store.setUserCalibration(
      UserCalibration(slope: 1, intercept: 0, points: [], madeAt: minute(1)), sensor: known.id, wear: 1)
    let anchor = try store.anchor()
    let samples = try store.samples()
    try store.forget(known)
    #expect(try store.sensors().isEmpty && store.entries().isEmpty && store.faults() == [])
    #expect(Set(try store.removals(after: anchor)) == Set(samples.compactMap(\.id)) && samples.count == 22)
    for table in ["sensor", "wear", "scan", "sample", "user_calibration"] {
      #expect(try folder.database().row("SELECT count(*) FROM \(table)")?.first == .integer(0), "\(table)")
    }
    #expect(try store.add(sensor.scan(50)).added == 19)
    // Samples that were added again are not removals, and the others are.
    let back = Set(try store.samples().compactMap(\.id))
    #expect(Set(try store.removals(after: anchor)) == Set(samples.compactMap(\.id)).subtracting(back))
    #expect(!back.isDisjoint(with: samples.compactMap(\.id)))
  }

  @Test("a forgotten sensor returns with a scan and not with a merge")
  func forgottenForGood() throws {
    let other = try folder.store("other.sqlite")
    for store in [store, other] { _ = try store.add(sensor.scan(100)) }
    try store.forget(try store.only())
    let receipt = try store.merge(other)
    #expect(try receipt.forgotten == 1 && receipt.samples == 0 && store.sensors().isEmpty)
    _ = try store.add(sensor.scan(100))
    #expect(try store.merge(other).forgotten == 0 && store.samples().count == 22)
  }
}
