// SPDX-License-Identifier: Apache-2.0
import SampleStore
import Testing

final class StoreFailureTests: StoreTest {
  /// The error of a program that runs its own code in a transaction.
  private enum Refusal: StoreFailure, Hashable {
    case refused
    case store(StoreError)

    init(_ error: StoreError) { self = .store(error) }
  }

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
    let change = { () throws(Refusal) in _ = try reader.attempt(reader.add(self.sensor.scan(40)), or: Refusal.self) }
    #expect(throws: expected) { try reader.transaction(change) }
    #expect(throws: expected) { try reader.snapshot(change) }
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
