// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import SampleStore

@Suite("Different values of the same time") final class SameTimeValuesTests: StoreTest {
  /// An id that shows its minute and ordinal.
  private static func id(_ imported: ImportedSample, _ ordinal: Int) -> SampleID {
    SampleID(high: UInt64(imported.time.secondsSince1970), low: UInt64(ordinal))
  }

  private static func value(
    _ milligrams: Double, minute: Int = 0, bound: ImportedSample.Bound? = nil
  ) -> HistoryEntry {
    let time = ReadingFixture.start.adding(minutes: minute)
    let id = SampleID(high: UInt64(time.secondsSince1970), low: 1)
    return .value(milligrams, at: time, source: "table", bound: bound, id: id)
  }

  /// Stores a file in batches of one value, and returns the outcomes.
  @discardableResult private func add(
    _ entries: [HistoryEntry], to store: SensorStore? = nil
  ) throws -> [EntryOutcome?] {
    let store = store ?? self.store
    let values = SameTimeValues(since: try store.anchor(), id: Self.id)
    let outcomes = try entries.flatMap { try store.add([$0], from: ForeignWears(), among: values) }
    try store.settle(values)
    return outcomes
  }

  /// The ordinal in an id, whose last digits it is.
  private static func ordinal(_ entry: HistoryEntry) -> Double {
    Double(entry.id.flatMap { Int($0.description.suffix(4), radix: 16) } ?? 0)
  }

  private func stored(in store: SensorStore? = nil) throws -> [[Double]] {
    try (store ?? self.store).entries(HistoryQuery()).map { entry in
      [Self.ordinal(entry), entry.concentration?.milligramsPerDecilitre ?? .nan]
    }.sorted { $0[0] < $1[0] }
  }

  @Test("get their ordinals by size, whatever the order of the file")
  func bySize() throws {
    let expected: [[Double]] = [[1, 104], [2, 130], [3, 161]]
    for (number, order) in [[104.0, 130, 161], [161, 130, 104], [130, 161, 104]].enumerated() {
      let store = try folder.store("\(number).sqlite")
      #expect(try add(order.map { Self.value($0) }, to: store) == [.added, .added, .added])
      #expect(try stored(in: store) == expected)
    }
  }

  @Test("are known in any order once they are stored, and keep their ids when another file adds one")
  func known() throws {
    try add([Self.value(130), Self.value(161)])
    #expect(try add([Self.value(161), Self.value(130)]) == [.known, .known])
    // The ids of an earlier file may have been sent.
    #expect(try add([Self.value(161), Self.value(104)]) == [.known, .added])
    #expect(try stored() == [[1, 130], [2, 161], [3, 104]])
  }

  @Test(
    "are removed with the import that brought them, whatever their order in its file",
    arguments: [[104.0, 130], [130, 104]])
  func removed(order: [Double]) throws {
    let number = try store.beginImport(of: ["table.csv"], at: ReadingFixture.start)
    try add(order.map { Self.value($0) })
    _ = try store.endImport(formats: ["table"], timeZone: nil)
    #expect(try store.removeImport(number).imported == 2 && store.entries().isEmpty)
  }

  @Test("include the same number as an exact value and as a bound")
  func bounds() throws {
    #expect(try add([Self.value(40), Self.value(40, bound: .low), Self.value(40)]) == [.added, .added, .known])
  }

  @Test("are left out if the next free id is that of a removed value, which they may be")
  func removed() throws {
    try add([Self.value(104), Self.value(161)])
    let second = try #require(store.entries(HistoryQuery()).first { Self.ordinal($0) == 2 }?.id)
    #expect(try store.remove(second))
    for order in [[104.0, 161], [161, 104]] {
      #expect(try add(order.map { Self.value($0) }) == order.map { $0 == 104 ? .known : .leftOut })
      #expect(try stored() == [[1, 104]])
    }
  }

  @Test("are in conflict, and counted, when there are more than there are ordinals")
  func conflict() throws {
    let count = SameTimeValues.ordinals.upperBound
    let outcomes = try add((1...(count + 1)).map { Self.value(100 + Double($0)) })
    #expect(outcomes == Array(repeating: .added, count: count) + [.conflict])
    #expect(try stored().count == count)
  }

  @Test("keep the ids that the file itself has")
  func given() throws {
    guard case .imported(var second) = Self.value(90) else { return }
    second.id = Self.id(second, 2)
    try add([.imported(second), Self.value(104)])
    #expect(try stored() == [[1, 104], [2, 90]])
  }
}
