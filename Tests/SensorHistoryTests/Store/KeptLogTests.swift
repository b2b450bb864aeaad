// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import LibreKit
import SampleStore
import StoreTestSupport
import TestSupport
import Testing

@testable import SensorHistory

/// A store whose log was kept, because a disk had failed a checkpoint.
struct KeptLogTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let before: [StoredSample]

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("history.sqlite")
    let sensor = SimulatedSensor(seed: 1)
    var options = DecodeOptions()
    options.readTime = .at(sensor.activatedAt.adding(minutes: 1_000))
    let reading = try DumpDecoder(options: options).decode(sensor.image(atAge: 1_000).bytes)
    let store = try StoreFile.openForWriting(path)
    _ = try store.remember(reading, calibration: .factory, zone: nil)
    try store.setKeepsLog(true)
    before = try StoreFile.openForReading(path).timeline()
  }

  @Test("the next command that writes to it has it in a new file, with everything")
  func renewed() throws {
    let old = try SQLiteConnection<SQLiteFailure>(path, for: .reading)
    #expect(!old.hasMoved)
    let store = try StoreFile.openForWriting(path)
    #expect(try old.hasMoved && !store.keepsLog())
    #expect(try store.timeline() == before && store.check().faults == [])
  }

  @Test("while another program has it open it stays, and is written to all the same")
  func open() throws {
    let other = try StoreFile.openForReading(path)
    #expect(try other.keepsLog())
    let store = try StoreFile.openForWriting(path)
    #expect(try store.keepsLog() && store.timeline() == before)
    withExtendedLifetime(other) {}
  }

  @Test("a store that another program has open is not repaired")
  func repairRefused() throws {
    let other = try StoreFile.openForReading(path)
    #expect(try other.keepsLog())
    let error = #expect(throws: LibreError.self) {
      try StoreFile.repair(path, at: Instant(secondsSince1970: 1_800_000_000))
    }
    guard case .isOpen(path, process: .some) = error?.cause as? StoreError else {
      Issue.record("it is \(error?.message ?? "repaired")")
      return
    }
    withExtendedLifetime(other) {}
  }
}
