// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import HistoryFormats
import SampleStore
import StoreTestSupport
import TestSupport
import Testing

@testable import LibreKit
@testable import SensorHistory

@Suite("Import of histories of other programs") struct HistoryImportTests {
  private let folder: TemporaryDirectory
  private let store: SensorStore

  init() throws {
    folder = try TemporaryDirectory(isInMemory: true)
    store = try StoreFile.openForWriting(folder.path + "/history.sqlite")
  }

  private struct Told {
    var tallies: [ImportTally] = []
    var failures: [LibreError] = []
  }

  private func importing(
    _ text: String, ignoring: Set<String> = [], _ set: (inout ImportOptions) -> Void = { _ in },
    subjects: ((String) throws(LibreError) -> SensorStore)? = nil, storing: @escaping (Int) throws -> Void = { _ in }
  ) throws -> Told {
    let path = try folder.write(text, to: "file")
    var told = Told()
    var options = ImportOptions(dateOrder: .dayFirst, clock: LocalClock(zoneName: "Europe/Rome") { _ in 7_200 })
    set(&options)
    let importer = Importer(
      into: store, decoder: DumpDecoder(), options: options, ignoredSources: ignoring, subjects: subjects
    ) { event in
      switch event {
      case .done(let tally): told.tallies.append(tally)
      case .failed(_, _, let error): told.failures.append(error)
      case .storing(_, let values): #expect(throws: Never.self) { try storing(values) }
      case .checking: break
      }
    }
    try importer.add(path)
    try importer.finish()
    return told
  }

  /// Rows of LibreView: minutes since 1 May, and a value; type 0 is history, 1 scan, 2 strip.
  private func libreView(_ rows: [(minute: Int, value: String)], type: Int = 0) -> String {
    let head =
      "Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,"
      + "Scan Glucose mg/dL,Strip Glucose mg/dL\r\n"
    return head
      + rows.map { row in
        let (day, hour, minute) = (row.minute / 1_440 + 1, row.minute / 60 % 24, row.minute % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let columns = (0..<3).map { $0 == type ? row.value : "" }.joined(separator: ",")
        return "FreeStyle Libre,0M1,\(two(day))-05-2024 \(two(hour)):\(two(minute)),\(type),\(columns)\r\n"
      }.joined()
  }

  private func values() throws -> [Double?] {
    try store.entries { ($0.isNewestFirst, $0.includesFingerSticks) = (false, true) }
      .map(\.concentration?.milligramsPerDecilitre)
  }

  @Test("every row of a file of several batches is stored once, and found as known the next time")
  func batches() throws {
    let rows = (0..<2_500).map { (minute: 15 * $0, value: "\(50 + $0 % 300)") }
    let text = libreView(rows)
    let first = try importing(text)
    let tally = try #require(first.tallies.first)
    #expect(first.failures.isEmpty && tally.counts.added == 2_500 && tally.counts.known == 0)
    #expect(tally.format == "libreview" && tally.hasLocalTimes && tally.timeZone == "Europe/Rome")
    let again = try importing(text)
    #expect(again.tallies.map(\.counts.added) == [0] && again.tallies.map(\.counts.known) == [2_500])
    #expect(try values() == rows.compactMap { Double($0.value) })
  }

  @Test("a file with an invalid value is refused as a whole, and with the option only that value is left out and named")
  func fault() throws {
    var rows = (0..<1_500).map { (minute: 15 * $0, value: "\(50 + $0 % 300)") }
    rows[1_200].value = "much"
    rows[1_300].value = "NA"
    let bad = HistoryError.badField(line: 1_202, name: "Historic Glucose", value: "\"much\"")
    let told = try importing(libreView(rows))
    #expect(told.tallies.isEmpty && told.failures == [.history(bad)])
    #expect(try values().isEmpty)
    let tally = try #require(try importing(libreView(rows)) { $0.keepsGoing = true }.tallies.first)
    #expect(
      tally.counts.added == 1_498 && tally.counts.reasons == ["invalid records": 1, "records without a value": 1])
    #expect(tally.refusals == [bad.message])
    #expect(try values().count == 1_498)
  }

  @Test("a file that ends in the middle is refused as a whole, and with the option what it has is stored and reported")
  func incomplete() throws {
    let text = String(libreView((0..<20).map { (minute: 15 * $0, value: "100") }).dropLast(12))
    let told = try importing(text)
    #expect(told.tallies.isEmpty && told.failures.map(\.code) == ["truncated"])
    #expect(try values().isEmpty)
    let kept = try importing(text) { $0.keepsGoing = true }
    #expect(kept.tallies.map(\.counts.added) == [19] && kept.failures.map(\.code) == ["truncated"])
  }

  @Test("the list of imports has the counts of what is stored at every moment, also of an import that never ends")
  func interrupted() throws {
    let number = try store.beginImport(of: ["file"], at: Instant(secondsSince1970: 0))
    var moments = 0
    _ = try importing(libreView((0..<40_000).map { (minute: $0, value: "\(100 + $0 % 7)") })) { _ in
    } storing: { values in
      let stored = try #require(try StoreFile.openForReading(store.path).imports().first)
      #expect(stored.id == number && stored.formats == nil && stored.counts.added == values)
      moments += 1
    }
    #expect(moments > 0)
    let stored = try #require(try StoreFile.openForReading(store.path).imports().first)
    #expect(stored.formats == nil && stored.counts.added == 40_000)
    let again = try importing(libreView([(0, "100"), (1, "NA")]))
    #expect(again.tallies.map(\.counts.known) == [1])
    let counts = try #require(try store.imports().first).counts
    #expect(counts.known == 1 && counts.reasons == ["records without a value": 1])
  }

  @Test("the same file with its times in another zone or order is refused, and named with the earlier import")
  func otherZone() throws {
    let text = libreView([(0, "120"), (15, "121")])
    let number = try store.beginImport(of: ["file"], at: Instant(secondsSince1970: 1_714_644_900))
    #expect(try importing(text).failures.isEmpty)
    #expect(try store.endImport(formats: ["libreview"], timeZone: "Europe/Rome"))
    _ = try store.beginImport(of: ["file"], at: Instant(secondsSince1970: 1_714_645_900))
    let zone = try importing(text) { $0.clock = LocalClock(zoneName: "Europe/Berlin") { _ in 7_200 } }
    let refusal = HistoryError.importedBefore(
      number: number, at: Instant(secondsSince1970: 1_714_644_900), then: "in Europe/Rome", now: "in Europe/Berlin")
    #expect(zone.tallies.isEmpty && zone.failures == [.history(refusal)])
    let order = try importing(text) { $0.dateOrder = .monthFirst }
    #expect(order.failures.map(\.code) == ["imported_before"] && order.failures[0].message.contains("the order dmy"))
    #expect(try importing(text).tallies.map(\.counts.known) == [2])
    #expect(try values() == [120, 121])
    _ = try store.endImport(formats: ["libreview"], timeZone: nil)
    for stored in try store.imports() { _ = try store.removeImport(stored.id) }
    #expect(try importing(text) { $0.dateOrder = .monthFirst }.failures.isEmpty)
  }

  @Test("values of a clock that was never set, and of the future, are left out and counted")
  func impossibleTimes() throws {
    let text = "time,mg_dL\n1969-12-31T00:00:00Z,100\n2024-05-02T10:00:00Z,101\n2031-01-01T00:00:00Z,102\n"
    let tally = try #require(try importing(text) { $0.now = Instant(secondsSince1970: 1_714_644_900) }.tallies.first)
    #expect(tally.counts.reasons == ["of a time before 2000": 1, "of a time in the future": 1])
    #expect(try values() == [101])
  }

  @Test("values of an ignored source are left out and counted")
  func ignored() throws {
    func line(_ source: String, _ minute: Int) -> String {
      """
      {"schema":"libre.sample/1","id":null,"uid":null,"serial":null,"wear":null,"ring":"history","minute":null,\
      "time":"2024-05-02T10:\(minute):00Z","raw":null,"quality":"ok","errors":[],"temperature_c":null,\
      "glucose_mg_dl":1\(minute),"source":"\(source)","device":null,"bound":null}

      """
    }
    let text = line("clarity", 10) + line("xdrip", 11) + line("clarity", 12)
    let tally = try #require(try importing(text, ignoring: ["clarity"]).tallies.first)
    #expect(tally.counts.added == 1 && tally.counts.leftOut == 2)
    #expect(tally.counts.reasons == ["from the ignored source clarity": 2])
    #expect(try !tally.hasLocalTimes && tally.timeZone == nil && values() == [111])
  }

  @Test("values that the user removed are not imported again")
  func removed() throws {
    let text = libreView([(0, "100"), (15, "101")])
    _ = try importing(text)
    let ids = try store.entries { $0.isNewestFirst = false }.compactMap(\.id)
    #expect(try ids.count == 2 && store.remove(ids[0]))
    let again = try importing(text)
    #expect(again.tallies.map(\.counts.known) == [1])
    #expect(again.tallies.map(\.counts.reasons) == [["removed earlier with libre add --remove": 1]])
    #expect(try values() == [101])
  }

  @Test("unusable values are reported with their reason")
  func passedOver() throws {
    let told = try importing(libreView([(0, "LO"), (15, "99"), (30, "HI")], type: 2))
    #expect(told.tallies.map(\.counts.reasons) == [["finger-sticks outside the meter's range": 2]])
    #expect(told.tallies.map(\.counts.added) == [1])
  }

  @Test("values of the same time as others are reported, because they may be another person's")
  func sameTime() throws {
    _ = try importing(libreView([(0, "120"), (15, "121")]))
    let other = try #require(try importing(libreView([(0, "180"), (15, "121"), (30, "122")])).tallies.first)
    #expect((other.counts.added, other.counts.known, other.sameTime) == (2, 1, 1))
    // Two scans in a minute are usual.
    #expect(try importing(libreView([(0, "120"), (0, "121")], type: 1)).tallies.map(\.sameTime) == [0])
  }

  @Test("each subject of a table goes into its own store in one pass, as from a table of its own")
  func subjects() throws {
    let rows = (0..<2_500).flatMap { quarter in
      ["S1", "S2"].map { "\($0),\(1_714_521_600 + 900 * quarter),\($0 == "S1" ? 100 : 200)\n" }
    }
    var stores: [String: SensorStore] = [:]
    let tallies = try importing(
      "subject,time,mg_dL\n" + rows.joined(),
      subjects: { name throws(LibreError) in
        #expect(stores[name] == nil)
        let store = try StoreFile.openInMemory()
        stores[name] = store
        return store
      }
    ).tallies
    #expect(tallies.map(\.subject) == ["S1", "S2"] && tallies.map(\.counts.added) == [2_500, 2_500])
    #expect(try values().isEmpty)
    for (name, milligrams) in [("S1", 100.0), ("S2", 200)] {
      let points = try #require(stores[name]).glucoseHistory(from: nil, to: nil).points
      #expect(points.count == 2_500)
      #expect(points.allSatisfy { $0.concentration.milligramsPerDecilitre == milligrams })
    }
  }

  @Test("a file that does not name its subjects is refused when one is chosen, and when each is to be kept")
  func noSubjects() throws {
    let table = "time,mg_dL\n2024-05-02T10:00:00Z,100\n"
    let dump = String(repeating: "00", count: 344)
    for text in [table, libreView([(0, "120")]), dump] {
      for told in try [importing(text) { $0.subject = "S1" }, importing(text, subjects: { _ in store })] {
        #expect(told.failures == [.history(.noSubjects)])
      }
    }
    #expect(try values().isEmpty)
  }
}

@Suite("Ids of values of other programs") struct EntryIdentitiesTests {
  private func value(
    _ milligrams: Double = 104, source: String = "libreview", device: String? = "0M1", ring: SampleRing = .trend,
    minute: Int = 0, id: SampleID? = nil
  ) -> HistoryEntry {
    let time = LiteralMemory.readAt.adding(minutes: minute)
    return .value(milligrams, at: time, source: source, device: device, ring: ring, id: id)
  }

  private func ids(_ entries: HistoryEntry...) -> [SampleID?] { entries.map { $0.identifiedInFile().id } }

  private func id(ordinal: Int) throws -> SampleID {
    guard case .imported(let imported) = value() else { throw StoreError.sensorUnknown }
    return imported.id(ordinal: ordinal)
  }

  /// Computed by Python's `uuid.uuid5` of the namespace of LibreDocuments/Contract, "Ids".
  @Test("are computed from their names")
  func names() throws {
    let plain = "imported/libreview/0M1/trend/2024-05-02T10:15:00Z"
    #expect(ids(value()) == [SampleID(name: plain)])
    #expect(try (1...3).map { try id(ordinal: $0) } == ["", "/2", "/3"].map { SampleID(name: plain + $0) })
    #expect(ids(value()).first??.description == "b01924e8-5439-5cc2-9191-e19d75ee97c7")
    #expect(try id(ordinal: 2).description == "3aeb63bd-4b6b-56fb-8f96-33bdb6e2fef8")
  }

  @Test("are different for any two pairs of a source and a device")
  func separators() {
    let pairs: [(String, String?)] = [
      ("a/b", "c"), ("a", "b/c"), ("a", "b%2Fc"), ("a%2Fb", "c"), ("a", "-"), ("a", nil), ("a", ""), ("a", "%2D"),
      ("", "a"), ("a", "b"),
    ]
    let ids = pairs.compactMap { value(source: $0.0, device: $0.1).identified().id }
    #expect(Set(ids).count == pairs.count)
  }

  @Test("depend on device, ring and time, and not on the value")
  func facts() {
    let found = ids(
      value(104), value(161), value(99, device: "0M2"), value(98, ring: .history), value(1, minute: 1))
    #expect(found[0] == found[1] && Set(found).count == 4)
  }

  @Test("are taken from the file if they fit the value, and otherwise not")
  func given() throws {
    let second = try id(ordinal: 2)
    #expect(ids(value(161, id: second)) == [second])
    #expect(ids(value(161, id: value(minute: 1).identified().id)) == [value().identified().id])
    #expect(ids(value(161, id: SampleID(high: 1, low: 2))) == [value().identified().id])
  }
}
