// SPDX-License-Identifier: Apache-2.0
import SampleStore
import Testing

struct StoreFailureTests {
  /// The error of a program that runs its own code in a transaction.
  private enum Refusal: StoreFailure, Hashable {
    case refused
    case store(StoreError)

    init(_ error: StoreError) { self = .store(error) }
  }

  private let folder: StoreFolder
  private let store: SensorStore
  private let sensor = ReadingFixture()

  init() throws { (folder, store) = try StoreFolder.opened() }

  @Test("a transaction whose closure throws another error is rolled back and rethrows that error")
  func transaction() throws {
    #expect(throws: Refusal.refused) {
      try store.transaction { () throws(Refusal) in
        _ = try store.attempt(store.add(sensor.scan(40)), or: Refusal.self)
        try store.transaction { () throws(Refusal) in throw .refused }
      }
    }
    #expect(try store.samples().isEmpty)
    #expect(try store.add(sensor.scan(40)).added == 18)
  }

  @Test("an error of the store inside such a closure is reported as that error")
  func storeError() throws {
    let reader = try SensorStore(folder.path(), for: .reading)
    let expected = Refusal.store(.readOnly(path: folder.path()))
    #expect(throws: expected) { try reader.transaction { () throws(Refusal) in try change(reader) } }
    #expect(throws: expected) { try reader.snapshot { () throws(Refusal) in try change(reader) } }
  }

  private func change(_ store: SensorStore) throws(Refusal) {
    _ = try store.attempt(store.add(sensor.scan(40)), or: Refusal.self)
  }

  @Test("a query stops with the error of its closure, and the store can still be used")
  func query() throws {
    _ = try store.add(sensor.scan(40))
    var seen = 0
    #expect(throws: Refusal.refused) {
      try store.forEach(.of()) { _ throws(Refusal) in
        seen += 1
        if seen == 3 { throw .refused }
        return true
      }
    }
    #expect(seen == 3)
    #expect(try store.samples().count == 18)
  }
}
