// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

final class HistoryReadingTests: StoreTest {
  private func minute(_ minute: Int, second: Int64 = 0) -> Instant {
    Instant(secondsSince1970: ReadingFixture.start.secondsSince1970 + Int64(minute) * 60 + second)
  }

  private static func id(_ number: UInt64) -> SampleID { SampleID(high: 7, low: number) }

  private func imported(_ number: UInt64, _ minutes: Int, source: String = "libreview") -> HistoryEntry {
    .value(Self.id(number), at: minutes, 40, source: source, device: "reader 1", bound: .low)
  }

  private func stick(_ number: UInt64, _ minutes: Int) -> HistoryEntry {
    .stick(Self.id(number), at: minutes, 101.5, note: "before lunch")
  }

  @Test("a range includes its first and its last second")
  func range() throws {
    _ = try store.add(sensor.scan(100))
    let all = [90, 75, 60, 45, 30, 15]
    let (never, always) = (Instant(secondsSince1970: .min), Instant(secondsSince1970: .max))
    for (from, to, found) in [
      (minute(30), minute(60), [60, 45, 30]), (minute(30, second: 1), minute(60, second: -1), [45]),
      (minute(30, second: -1), minute(60, second: 1), [60, 45, 30]),
      (minute(30, second: -59), minute(30, second: 59), [30]), (nil, minute(30), [30, 15]),
      (minute(75), nil, [90, 75]),
      (minute(60), minute(30), []), (minute(-500), minute(0), []), (minute(-500), minute(14, second: 59), []),
      (Instant.writable.lowerBound, Instant.writable.upperBound, all), (never, always, all), (always, nil, []),
    ] as [(Instant?, Instant?, [Int])] {
      let samples = try store.samples(.of { ($0.rings, $0.from, $0.to) = ([.history], from, to) })
      #expect(samples.map(\.sample.minute.value) == found)
    }
  }

  @Test("one sensor can be queried without values of other programs")
  func oneSensor() throws {
    let receipt = try store.add(sensor.scan(40))
    _ = try store.add(sensor.other().scan(50))
    _ = try store.add(imported(1, 10))
    #expect(try store.entries(.of { $0.scope = HistoryScope(of: receipt.sensorID) }).count == 18)
    #expect(try store.entries().count == 38)
  }

  @Test("imported values and finger-sticks are returned unchanged, sorted by time with the samples")
  func others() throws {
    _ = try store.add(sensor.scan(17))
    let (early, late, stick) = (imported(1, 1), imported(2, 14), stick(3, 16))
    for entry in [early, late, stick] { #expect(try store.add(entry) == .added) }
    #expect(try store.entries().filter { $0.stored == nil } == [late, early])
    let all = try store.entries(.of { ($0.includesFingerSticks, $0.isNewestFirst) = (true, false) })
    #expect(all.filter { $0.stored == nil } == [early, late, stick] && all.count == 17 + 3)
    #expect(all.compactMap(\.time) == all.compactMap(\.time).sorted())
    #expect(try store.entries(.of { ($0.includesFingerSticks, $0.rings) = (true, []) }) == [stick])
    #expect(try store.entries(.of { $0.rings = [.trend] }).contains(early) == false)
    #expect(try store.entries(.of { ($0.from, $0.to) = (minute(14), minute(14)) }).contains(late))
    #expect(try !store.entries(.of { ($0.from, $0.to) = (minute(14, second: 1), minute(20)) }).contains(late))
  }

  @Test("a query can be limited to sources, or to libre's own sensors, or exclude sources, whatever their names are")
  func chosenSources() throws {
    let own = try store.add(sensor.scan(17)).sensorID
    for (number, source) in ["libreview", "o'reilly", "xdrip"].enumerated() {
      _ = try store.add(imported(UInt64(number), 20 + number, source: source))
    }
    _ = try store.add(stick(9, 30))
    _ = try store.add(.stick(Self.id(10), at: 31, source: "xdrip"))
    #expect(try store.sources() == ["libre", "libreview", "o'reilly", "xdrip"])
    func found(
      _ sources: Set<String>, sensors: Set<StoredSensor.ID> = [], ignoring: Set<String> = ["xdrip"]
    ) throws -> [String] {
      let scope = try store.scope(sensors: sensors, sources: sources, ignoring: ignoring)
      let names = try store.entries(.of { ($0.scope, $0.includesFingerSticks) = (scope, true) }).map { entry in
        switch entry {
        case .sensor: "sensor"
        case .imported(let imported): imported.source
        case .fingerStick(let stick): "stick of \(stick.source ?? "libre")"
        case .bloodPressure: "blood pressure"
        }
      }
      return Set(names).sorted()
    }
    #expect(try found(["o'reilly"]) == ["o'reilly"])
    // A source that is requested by name is not ignored.
    #expect(try found(["libreview", "xdrip"]) == ["libreview", "stick of xdrip", "xdrip"])
    #expect(try found(["libre"]) == ["sensor", "stick of libre"])
    #expect(try found(["libreview"], sensors: [own]) == ["libreview", "sensor"])
    #expect(try found([], sensors: [own]) == ["sensor"])
    #expect(try found([]) == ["libreview", "o'reilly", "sensor", "stick of libre", "stick of xdrip"])
    let others = try found([], ignoring: ["libreview", "o'reilly", "nobody"])
    #expect(others == ["sensor", "stick of libre", "stick of xdrip", "xdrip"])
    #expect(throws: StoreError.noSuchSource("libreviev", known: ["libre", "libreview", "o'reilly", "xdrip"])) {
      try found(["libre", "libreviev"])
    }
  }

  @Test("the newest sample and import are taken from the sources and sensors of the scope")
  func newestOfScope() throws {
    let own = try store.add(sensor.scan(17)).sensorID
    _ = try store.add(imported(1, 20, source: "xdrip"))
    _ = try store.add(imported(2, 30, source: "libreview"))
    #expect(try store.newestImport(of: HistoryScope(sources: ["xdrip"])) == minute(20))
    #expect(try store.newestImport(of: HistoryScope(ignoredSources: ["libreview"])) == minute(20))
    #expect(try store.newestImport(of: HistoryScope(of: own)) == nil)
    #expect(try store.newestSample(of: HistoryScope(of: own), isUsable: false)?.sensor == own)
    #expect(try store.newestSample(of: HistoryScope(sensors: []), isUsable: false) == nil)
  }

  @Test("a query after an anchor returns exactly the new and the changed entries")
  func changes() throws {
    _ = try store.add(sensor.with { $0.flagged = [.init(.history, 30)] }.scan(40))
    let first = try store.anchor()
    #expect(try store.entries(.of { $0.after = first }).isEmpty)
    _ = try store.add(sensor.scan(42))
    let changed = try store.samples(.of { $0.after = first })
    // Two minutes of trend, and the value that replaces the error.
    #expect(changed.map(\.sample.minute.value) == [42, 41, 30])
    for entry in [stick(1, 5), imported(2, 6)] { _ = try store.add(entry) }
    let second = try store.anchor()
    for (anchor, count) in [(first, 5), (second, 0)] {
      #expect(try store.entries(.of { ($0.after, $0.includesFingerSticks) = (anchor, true) }).count == count)
    }
  }

  @Test("an anchor is a text that only its own store accepts")
  func anchors() throws {
    _ = try store.add(sensor.scan(40))
    let anchor = try store.anchor()
    #expect(StoreAnchor(anchor.description) == anchor)
    let start = "0011223344556677"
    for text in ["", "1", "-1", start, start + "-", start + "--1", "00112233445566-1", "x-1"] {
      #expect(StoreAnchor(text) == nil, "\(text)")
    }
    let other = try folder.store("other.sqlite")
    #expect(throws: StoreError.badAnchor(anchor.description)) { try other.entries(.of { $0.after = anchor }) }
    #expect(throws: StoreError.badAnchor(anchor.description)) { try other.removals(after: anchor) }
    // An anchor from the future: the store is an older copy of itself.
    let future = StoreAnchor(store: anchor.store, change: anchor.change + 1)
    #expect(throws: StoreError.badAnchor(future.description)) { try store.entries(.of { $0.after = future }) }
  }

  @Test("a query can be stopped, and another can run inside it")
  func stopped() throws {
    _ = try store.add(sensor.scan(40))
    var seen = 0
    try store.forEach(.of()) { _ throws(StoreError) in
      seen += 1
      let inner = try? store.entries().count
      #expect(inner == 18)
      return seen < 5
    }
    #expect(seen == 5)
  }

  @Test("all reads in a snapshot see the same state")
  func snapshot() throws {
    _ = try store.add(sensor.scan(40))
    let reader = try SensorStore(folder.path(), for: .reading)
    try reader.snapshot { () throws(StoreError) in
      let anchor = try reader.anchor()
      _ = try store.add(sensor.scan(50))
      let (now, count) = (try reader.anchor(), try? reader.entries().count)
      #expect(now == anchor && count == 18)
    }
    #expect(try reader.samples().count == 29)
  }
}
