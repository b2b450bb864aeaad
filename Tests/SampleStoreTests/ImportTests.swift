// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Testing

@testable import SampleStore

@Suite("List and removal of imports") final class ImportTests: StoreTest {
  private static let now = ReadingFixture.start.adding(minutes: 20_000)
  private static let all = HistoryQuery.withFingerSticks

  private static func imported(_ number: Int) -> HistoryEntry {
    .value(SampleID(high: 4, low: UInt64(number)), at: number * 15, 300 + Double(number))
  }

  private static func stick(_ number: Int, source: String? = "libreview") -> HistoryEntry {
    .stick(SampleID(high: 3, low: UInt64(number)), at: number, source: source)
  }

  private func importing(
    _ file: String = "a.csv", format: String = "libreview", _ work: (SensorStore) throws -> Void
  ) throws -> Int {
    let number = try store.beginImport(of: [file], at: Self.now)
    try work(store)
    #expect(try store.endImport(formats: [format], timeZone: nil, counts: OutcomeCounts()))
    return number
  }

  @Test("an import is listed with its files, formats, zone and counts, the latest first")
  func list() throws {
    var counts = OutcomeCounts()
    (counts.scans, counts.newScans, counts.added, counts.filled) = (2, 1, 3, 4)
    (counts.known, counts.conflicts, counts.reasons) = (5, 6, ["error codes": 7, "removed": 8])
    let first = try store.beginImport(of: ["b.csv", "-"], at: Self.now)
    #expect(try store.imports().map(\.formats) == [nil])
    #expect(try store.endImport(formats: ["libreview", "raw"], timeZone: "Europe/Rome", counts: counts))
    let second = try importing { _ in }
    let imports = try store.imports()
    #expect(imports.map(\.id) == [second, first])
    #expect(
      imports.last
        == StoredImport(
          id: first, at: Self.now, files: ["b.csv", "-"], formats: ["libreview", "raw"], timeZone: "Europe/Rome",
          counts: counts))
  }

  @Test("an import without an accepted file is not kept, and no number is used twice")
  func numbers() throws {
    let first = try store.beginImport(of: ["nothing"], at: Self.now)
    #expect(try !store.endImport(formats: [], timeZone: nil, counts: OutcomeCounts()))
    let second = try importing { _ = try $0.add(Self.imported(1)) }
    _ = try store.removeImport(second)
    let third = try importing { _ in }
    #expect(try Set([first, second, third]).count == 3 && store.imports().map(\.id) == [third])
    #expect(throws: StoreError.noSuchImport(second, known: [third])) { try store.removeImport(second) }
  }

  @Test("removing an import removes its values, returns their counts and is reported as removals")
  func remove() throws {
    _ = try store.add(Self.imported(1))
    let number = try importing { store in
      for entry in [Self.imported(1), Self.imported(2), Self.imported(5), Self.stick(90)] { _ = try store.add(entry) }
      _ = try store.add(sensor.scan(100))
    }
    let anchor = try store.anchor()
    let content = try store.removeImport(number)
    #expect((content.scans, content.samples, content.imported, content.fingerSticks) == (1, 22, 2, 1))
    #expect(content.span == ReadingFixture.start.adding(minutes: 15)...ReadingFixture.start.adding(minutes: 100))
    #expect(content.sources == [ReadingFixture.uid.description, "libreview"] && content.kept == 0)
    // Data from before any import is kept.
    #expect(try store.entries(Self.all) == [Self.imported(1)])
    #expect(try store.sensors().isEmpty && store.imports().isEmpty && store.faults().isEmpty)
    let removals = Set(try store.removals(after: anchor))
    let some = [SampleID(high: 4, low: 2), SampleID(of: ReadingFixture.uid, wear: 1, .trend, SensorMinute(100))]
    #expect(removals.count == 25 && removals.isSuperset(of: some))
  }

  /// An imported value, a finger-stick and a scan.
  private func bring(_ store: SensorStore) throws {
    for entry in [Self.imported(1), Self.stick(1)] { _ = try store.add(entry) }
    _ = try store.add(sensor.scan(100))
  }

  @Test("values in two imports are gone when both are removed, in either order", arguments: [true, false])
  func shared(isFirstRemovedFirst: Bool) throws {
    let numbers = [try importing { try bring($0) }, try importing { try bring($0) }]
    let ordered = isFirstRemovedFirst ? numbers : numbers.reversed()
    let first = try store.removeImport(ordered[0])
    #expect(first.values == 0 && first.scans == 0 && first.kept == 24)
    #expect(try store.entries(Self.all).count == 24)
    let second = try store.removeImport(ordered[1])
    #expect(second.values == 24 && second.scans == 1)
    #expect(try store.entries(Self.all).isEmpty && store.sensors().isEmpty)
  }

  @Test("values that the user's own scan has too are kept when the import is removed", arguments: [true, false])
  func scanned(isImportFirst: Bool) throws {
    if !isImportFirst { _ = try store.add(sensor.scan(110)) }
    let number = try importing { _ = try $0.add(sensor.scan(100)) }
    if isImportFirst { _ = try store.add(sensor.scan(110)) }
    let content = try store.removeImport(number)
    // Minutes 85 to 94 of the trend.
    #expect((content.scans, content.samples) == (1, 10))
    let alone = try folder.store("alone.sqlite")
    _ = try alone.add(sensor.scan(110))
    #expect(try store.remembered() == alone.remembered())
  }

  @Test("a scan read after the import of its dump belongs to the user, and so does a typed value")
  func ownAfterwards() throws {
    let number = try importing { store in
      _ = try store.add(sensor.scan(100))
      _ = try store.add(Self.stick(1, source: nil))
    }
    _ = try store.add(sensor.scan(100))
    _ = try store.add(Self.stick(1, source: nil), isTyped: true)
    let content = try store.removeImport(number)
    #expect(content.values == 0 && content.scans == 0)
    #expect(try store.entries(Self.all).count == 23)
  }

  @Test("an imported value equal to the sensor's own sample belongs to that import too")
  func returned() throws {
    let dump = try importing("a.hex", format: "hex") { _ = try $0.add(sensor.scan(1_000)) }
    let value = Double(sensor.counts(.history, 900)) / 10
    let table = try importing { store in
      let outcome = try store.add(.value(SampleID(high: 9, low: 9), at: 900, value))
      #expect(outcome == .known)
    }
    _ = try store.removeImport(dump)
    #expect(try store.samples().map(\.sample.minute) == [SensorMinute(900)])
    _ = try store.removeImport(table)
    #expect(try store.samples().isEmpty)
  }

  @Test("values removed with an import come back with a new import, and not with a merge")
  func again() throws {
    let other = try folder.store("other.sqlite")
    try bring(other)
    let number = try importing { try bring($0) }
    let before = try store.entries(Self.all)
    _ = try store.removeImport(number)
    let receipt = try store.merge(other)
    #expect((receipt.sensors, receipt.scans, receipt.samples, receipt.imported) == (0, 0, 0, 0))
    #expect(try store.entries(Self.all).isEmpty && store.sensors().isEmpty)
    let anchor = try store.anchor()
    _ = try importing { try bring($0) }
    #expect(try store.entries(Self.all) == before && store.removals(after: anchor).isEmpty)
  }

  @Test("a merge is an import, which can be removed and merged again")
  func merge() throws {
    let other = try folder.store("other.sqlite")
    _ = try other.add(sensor.scan(100))
    _ = try other.add(Self.stick(1))
    _ = try store.add(sensor.scan(110))
    let mine = try store.entries(Self.all)
    for _ in 1...2 {
      let number = try importing("other.sqlite", format: StoredImport.mergeFormat) { _ = try $0.merge(other) }
      #expect(try store.entries(Self.all).count == mine.count + 11)
      let content = try store.removeImport(number)
      #expect((content.scans, content.samples, content.fingerSticks) == (1, 10, 1))
      #expect(try store.entries(Self.all) == mine)
    }
    #expect(try other.entries(Self.all).count == 23)
  }

  @Test("imports are kept when a UID found later joins two rows of a sensor")
  func joined() throws {
    // One sensor known by UID only, and one by fingerprint only.
    let own = [sensor.with { $0.fingerprint = nil }.scan(40), sensor.scan(41)]
    _ = try store.add(own[0])
    let number = try importing { _ = try $0.add(sensor.withoutUID.scan(300)) }
    #expect(try store.sensors().count == 2)
    _ = try store.add(own[1])
    #expect(try store.sensors().count == 1)
    let content = try store.removeImport(number)
    #expect(content.scans == 1 && content.samples > 30)
    let alone = try folder.store("alone.sqlite")
    for scan in own { _ = try alone.add(scan) }
    // The history of both belongs to the user, in whatever order it was added.
    #expect(try store.remembered() == alone.remembered())
  }

  @Test("decoding a memory again with a known footer keeps the scan in its import")
  func decodedAgain() throws {
    let number = try importing { _ = try $0.add(sensor.withBadFooter.scan(100)) }
    var again = IncomingScan(sensor.with { $0.isFooterGood = false }.reading(100), footer: nil, timeZone: nil)
    again.isDecodedAgain = true
    _ = try store.add(again)
    #expect(try store.removeImport(number).samples == 22)
  }

  @Test("removing old values removes them from imports too")
  func vacuum() throws {
    let number = try importing { for minute in 1...20 { _ = try $0.add(Self.imported(minute)) } }
    _ = try store.removeAll(before: ReadingFixture.start.adding(minutes: 150))
    #expect(try store.removeImport(number).imported == 11)
    #expect(try store.entries().isEmpty && store.faults().isEmpty)
  }

  @Test("imported values that no import brought count as imported earlier, and stay when an import is removed")
  func noImport() throws {
    _ = try store.add(Self.imported(1))
    #expect(try store.imports().isEmpty && store.importedEarlier() == (values: 1, scans: 0))
    let number = try importing { for minute in 1...2 { _ = try $0.add(Self.imported(minute)) } }
    #expect(try store.importedEarlier() == (values: 1, scans: 0))
    #expect(try store.removeImport(number).imported == 1)
    #expect(try store.entries() == [Self.imported(1)])
  }
}

@Suite("Removal of one sample of a sensor") final class SampleRemovalTests: StoreTest {
  private func sample(_ ring: SampleRing, _ minute: Int) throws -> StoredSample {
    try #require(try store.samples().first { $0.sample.ring == ring && $0.sample.minute.value == minute })
  }

  @Test("the removal is reported, and no scan, import or merge restores the sample")
  func stays() throws {
    _ = try store.add(sensor.scan(100))
    let other = try folder.store("other.sqlite")
    _ = try other.add(sensor.scan(100))
    let anchor = try store.anchor()
    let removed = try sample(.trend, 95)
    #expect(try store.remove(removed) && !store.remove(removed))
    let told = SampleID(of: ReadingFixture.uid, wear: 1, .trend, SensorMinute(95))
    #expect(try store.removals(after: anchor) == [told])
    let receipt = try store.add(sensor.scan(101))
    #expect((receipt.added, receipt.known, receipt.leftOut) == (1, 20, 1))
    _ = try store.merge(other)
    #expect(try store.add(.sensor(removed)) == .leftOut)
    #expect(try !store.samples().contains { $0.sample.ring == .trend && $0.sample.minute.value == 95 })
    #expect(try store.removals(after: anchor) == [told])
    #expect(try store.holds(removed.sample.raw, sensor: store.only().id, wear: 1))
  }

  @Test("another value for a removed minute is left out too, with its conflict")
  func contradicted() throws {
    _ = try store.add(sensor.scan(100))
    let other = try folder.store("other.sqlite")
    try other.take(sensor.with { $0.altered = [.init(.history, 45): 77] }.scan(100), sensor.scan(101))
    #expect(try other.onlyWear().conflicts.count == 1)
    #expect(try store.remove(sample(.history, 45)) && store.merge(other).samples == 1 && store.faults().isEmpty)
  }

  @Test("it stays removed when its wear is renumbered, and the same minute of another wear is kept")
  func renumbered() throws {
    let later = sensor.restarted(after: 20 * 1_440)
    _ = try store.add(later.scan(100))
    #expect(try store.remove(sample(.history, 45)))
    // The first wear of the sensor becomes known last.
    _ = try store.add(sensor.scan(100))
    #expect(try store.only().wears.map(\.number) == [1, 2])
    let receipt = try store.add(later.scan(101))
    #expect((receipt.wear, receipt.added, receipt.leftOut) == (2, 1, 1))
    #expect(try store.samples().count { $0.sample.ring == .history && $0.sample.minute.value == 45 } == 1)
  }
}
