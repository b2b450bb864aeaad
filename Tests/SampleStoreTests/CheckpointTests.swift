// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import HostSystem
  import TestSupport
  import Testing

  @testable import SampleStore

  /// A disk fails while the log is moved into the store's file.
  struct CheckpointTests {
    private static let name = "history.sqlite"

    /// Closes a store of one scan on a disk of which the `number`th access from then on fails.
    private func close(failing number: Int, lasts: Bool) throws -> (disk: FaultyDisk, file: [UInt8], said: [StoreError])
    {
      let disk = FaultyDisk(try StoreRun.files(named: Self.name) { _ in })
      let file = try #require(disk.contents[Self.name])
      var said: [StoreError] = []
      do {
        let store = try StoreRun.store(disk)
        store.reportsDisk = { said.append($0) }
        _ = try store.add(ReadingFixture().scan(1_000))
        disk.strike(.fails, at: number, lasts: lasts)
      }
      disk.mend()
      return (disk, file, said)
    }

    @Test("everything is in the log that stays, and the failure is said", arguments: [false, true])
    func failures(lasts: Bool) throws {
      let whole = try StoreRun.rows(
        of: StoreRun.store(
          FaultyDisk(try StoreRun.files(named: Self.name) { _ = try $0.add(ReadingFixture().scan(1_000)) })))
      var writes = 0
      for number in 1... {
        let (disk, file, said) = try close(failing: number, lasts: lasts)
        if disk.faultCount == 0 { break }
        if said.isEmpty { continue }
        writes += disk.faults[.write] ?? 0
        guard case .logKept = said[0], said.count == 1 else { throw said[0] }
        // What the failed checkpoint has written may be lost.
        var left = disk.contents
        left[Self.name] = file
        #expect(left["\(Self.name)-wal"]?.isEmpty == false, "access \(number)")
        let store = try StoreRun.store(FaultyDisk(left))
        #expect(try StoreRun.rows(of: store) == whole, "access \(number)")
        // The mark could be written, unless the disk goes on failing.
        #expect(try store.keepsLog() == !lasts, "access \(number)")
      }
      #expect(writes > 0)
    }

    @Test("a log that is kept stays when the store is opened, written to and closed again")
    func stays() throws {
      let folder = try StoreFolder()
      _ = try folder.store().add(ReadingFixture().scan(1_000))
      #expect(try folder.files()["\(Self.name)-wal"] == nil)
      try folder.store().setKeepsLog(true)
      let before = try folder.files()[Self.name]
      for minute in 1_001...1_003 { _ = try folder.store().add(ReadingFixture().scan(minute)) }
      #expect(try folder.files()[Self.name] == before)
      #expect(try folder.files()["\(Self.name)-wal"]?.isEmpty == false)
      #expect(try SensorStore(folder.path(), for: .reading).counts().scans == 4)
    }

    @Test("a log of more than a thousand pages is moved into the file while the store is open")
    func moved() throws {
      let folder = try StoreFolder()
      let store = try folder.store()
      let before = try folder.files()[Self.name]?.count ?? 0
      for minute in 1...400 { _ = try store.add(ReadingFixture().scan(minute)) }
      #expect(try #require(folder.files()[Self.name]).count > before)
    }
  }
#endif
