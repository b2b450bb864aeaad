// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import HostSystem
import Testing

@testable import SampleStore

@Suite("A copy of the store") final class StoreBackupTests: StoreTest {
  override init() throws {
    try super.init()
    _ = try store.add(sensor.scan(100))
  }

  private func copy(_ name: String = "copy.sqlite") throws -> SensorStore {
    try folder.store().copy(to: folder.path(name))
    return try SensorStore(folder.path(name), for: .reading)
  }

  @Test("has the same content as the store, is valid, and is one file")
  func same() throws {
    let copy = try copy()
    #expect(try copy.remembered() == store.remembered() && copy.faults() == [])
    #expect(try copy.counts().samples == store.counts().samples && copy.counts().scans == 1)
    #expect(try folder.files().keys.sorted().filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    #expect(try copy.counts().bytes == folder.files()["copy.sqlite"]?.count)
  }

  @Test("shows the state before another writer's open transaction, and does not wait for it")
  func openTransaction() throws {
    let before = try store.remembered()
    let other = try folder.store()
    try other.transaction { () throws(StoreError) in
      _ = try other.add(sensor.scan(200))
      let copied = try? copy().remembered()
      #expect(copied == before)
    }
    #expect(try store.remembered().count > before.count)
  }

  @Test("contains no bytes of removed data")
  func removed() throws {
    let removed = SampleID(high: 0x1234_5678_9ABC_DEF0, low: 0x0FED_CBA9_8765_4321)
    _ = try store.add(.stick(removed, at: 0), isTyped: true)
    let id: [UInt8] = [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0]
    func isIn(_ name: String) throws -> Bool { Data(try #require(folder.files()[name])).range(of: Data(id)) != nil }
    _ = try copy("before.sqlite")
    #expect(try isIn("before.sqlite"))
    _ = try store.removeAll(before: ReadingFixture.start.adding(minutes: 1))
    _ = try copy("after.sqlite")
    #expect(try !isIn("after.sqlite"))
  }

  @Test("is recognised as an older copy of its store until it is written to; no other store is")
  func older() throws {
    let copy = try copy()
    #expect(try copy.isOlderCopy(of: store) && !store.isOlderCopy(of: copy))
    _ = try store.add(sensor.scan(200))
    let newer = try self.copy("newer.sqlite")
    #expect(try copy.isOlderCopy(of: store) && copy.isOlderCopy(of: newer) && !newer.isOlderCopy(of: copy))
    // After a write it has data that the store never had, even if the store continues to grow.
    _ = try folder.store("copy.sqlite").add(sensor.scan(150))
    _ = try store.add(sensor.scan(300))
    #expect(try !SensorStore(folder.path("copy.sqlite"), for: .reading).isOlderCopy(of: store))
    let other = try folder.store("other.sqlite")
    _ = try other.add(sensor.scan(100))
    #expect(try !other.isOlderCopy(of: store) && !store.isOlderCopy(of: other))
  }
}
