// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import LibreDocuments
import LibreKit
import SampleStore
import SensorHistory
import StoreTestSupport
import TestSupport
import Testing
import TextFormats

struct HistoryListingTests {
  private let history: StoredHistory
  private let sensor = SimulatedSensor(seed: 7)

  init() throws { history = try StoredHistory() }

  private func listed(
    _ format: OutputFormat, unit: GlucoseUnit = .milligramsPerDecilitre, after: StoreAnchor? = nil,
    _ change: (inout HistoryQuery) -> Void = { _ in }
  ) throws -> String {
    let store = try history.shown
    var query = HistoryQuery()
    query.after = after
    change(&query)
    var listing = HistoryListing(
      format: format, unit: unit, style: Style(isColored: false), rings: query.rings,
      showsCalibration: false, now: Instant(secondsSince1970: 1_714_644_900))
    var bytes = listing.begin()
    let changes = try store.snapshot { () throws(StoreError) in
      let changes = try store.changes(after: after)
      try store.forEachEntry(query) { entry in
        bytes += listing.add(entry)
        return true
      }
      return changes
    }
    bytes += listing.end(deleted: changes.removed, anchor: changes.next)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text.utf8) }

  @Test("the document has the same samples as ndjson, between its name and the anchor")
  func document() throws {
    let reading = try history.scan(sensor, atAge: 5_000)
    let document = try json(try listed(.json))
    #expect(document["schema"] == .string("libre.history/1"))
    #expect(document.keys == ["schema", "samples", "deleted", "anchor"])
    let lines = try listed(.ndjson).split(separator: "\n").map { try json(String($0)) }
    #expect(document["samples"].elements == lines)
    #expect(lines.map { $0["minute"].number } == reading.history.map { Double($0.minute.value) })
    #expect(document["anchor"].text.flatMap(StoreAnchor.init) != nil)
  }

  @Test("values that do not count name the sensor that does; in a table of one sensor nothing names one")
  func superseded() throws {
    for uid in [TwoSensors.earlier, TwoSensors.later] {
      let reading = try TwoSensors.reading(of: uid, at: TwoSensors.taps[0])
      _ = try history.store.remember(reading, calibration: .factory, zone: nil)
    }
    let mark: (inout HistoryQuery) -> Void = { $0.marksSuperseded = true }
    let samples = try json(try listed(.json, mark))["samples"].elements
    #expect(try samples == listed(.ndjson, mark).split(separator: "\n").map { try json(String($0)) })
    for sample in samples {
      let time = try #require(sample["time"].text.flatMap { Instant(rfc3339: $0) })
      let isSuperseded = sample["uid"].text == "\(TwoSensors.earlier)" && time >= TwoSensors.change
      #expect(sample["superseded_by"].text == (isSuperseded ? "\(TwoSensors.later)" : nil))
      #expect(sample.keys.contains("superseded_by") == isSuperseded)
    }
    let marked = samples.count { $0.keys.contains("superseded_by") }
    #expect(marked == 10)
    let names = try history.store.sensors().map { try #require($0.identity.serial) }
    let words = "\(names[1]), does not count: \(names[0]) does"
    #expect(try listed(.table, mark).split(separator: "\n").count { $0.hasSuffix(words) } == marked)
    #expect(try listed(.csv, mark) == listed(.csv))
    let scope = HistoryScope(of: try #require(try history.store.sensors().last).id)
    let ofOne = try [true, false].map { isMarked in
      try listed(.table) { ($0.scope, $0.marksSuperseded) = (scope, isMarked) }
    }
    #expect(ofOne[0] == ofOne[1])
  }

  @Test("an empty list is a valid document")
  func empty() throws {
    let text = try listed(.json)
    let document = try json(text)
    #expect(document["samples"] == .array([]) && document["deleted"] == .array([]))
    #expect(
      text.hasPrefix("{\n  \"schema\": \"libre.history/1\",\n  \"samples\": [],\n  \"deleted\": [],\n  \"anchor\": \""))
    #expect(text.hasSuffix("\"\n}\n"))
    #expect(try listed(.table).isEmpty && listed(.ndjson).isEmpty)
    #expect(try listed(.csv).hasPrefix("kind,source,"))
  }

  @Test("after an anchor the document has only new samples, and the ids of removed ones")
  func anchor() throws {
    try history.scan(sensor, atAge: 5_000)
    let time = sensor.activatedAt.adding(minutes: 4_990)
    try history.add(150, at: time)
    let first = try json(try listed(.json))
    let anchor = try #require(first["anchor"].text.flatMap(StoreAnchor.init))
    #expect(try json(try listed(.json, after: anchor))["samples"] == .array([]))
    try history.scan(sensor, atAge: 5_060)
    let id = try #require(first["samples"].elements.first { $0["source"] == .string("libreview") }?["id"].text)
    #expect(try history.store.remove(try #require(SampleID(text: id))))
    let next = try json(try listed(.json, after: anchor))
    #expect(next["samples"].elements.map { $0["minute"].number } == [5_055, 5_040, 5_025, 5_010])
    #expect(next["deleted"] == .array([.string(id)]))
  }

  @Test("the table has a line for each sample, and never shows the value of a flagged one")
  func table() throws {
    var sensor = sensor
    sensor.disturbedMinutes = [4_960...4_990]
    let reading = try history.scan(sensor, atAge: 5_000)
    let lines = try listed(.table).split(separator: "\n").map(String.init)
    #expect(lines[0].split(separator: " ").joined(separator: " ") == "time mg/dL quality from")
    #expect(lines.count == reading.history.count + 2 && lines.last == Program.disclaimer)
    for (line, sample) in zip(lines.dropFirst(), reading.history) {
      let words = line.split(separator: " ").map(String.init)
      let value = sample.quality == .ok ? sample.concentration.map(GlucoseUnit.milligramsPerDecilitre.shown) : "–"
      #expect(words.count == 6 && words[3] == value && words[4] == sample.quality.rawValue, "\(line)")
      #expect(words[5] == reading.sensor.serial)
    }
    #expect(lines.contains { $0.contains("–  error") })
  }

  @Test("the table distinguishes rings, bounds, finger-sticks and samples without a time")
  func kinds() throws {
    let time = try #require(Instant(rfc3339: "2024-05-02T10:15:00Z"))
    try history.add(40, at: time, source: "dexcom\u{1B}[2J", bound: .low)
    let stick = FingerStick(99, at: time.adding(minutes: 1), note: "lunch", id: SampleID(high: 1, low: 2))
    #expect(try history.store.add(.fingerStick(stick)) == .added)
    try history.scan(sensor, atAge: 20, isDated: false)
    let lines = try listed(.table) {
      $0.rings = Set(SampleRing.allCases)
      $0.includesFingerSticks = true
    }.split(separator: "\n").map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
    #expect(lines[1].hasSuffix("99 ok finger-stick, lunch"))
    #expect(lines[2].hasSuffix("history <40 ok dexcom?[2J"))
    #expect(lines[3].hasPrefix("trend – warm up"))
  }

  @Test("for an empty result, a hint names the existing samples")
  func hint() throws {
    try history.scan(sensor, atAge: 5_000)
    try history.scan(SimulatedSensor(seed: 8), atAge: 100, isDated: false)
    var query = HistoryQuery()
    query.from = sensor.activatedAt.adding(minutes: 6_000)
    let newest = LocalTime.text(sensor.activatedAt.adding(minutes: 4_995))
    let hint = try history.shown.hint(nothingFoundBy: query)
    #expect(hint.hasPrefix("no samples since ") && hint.contains("; the newest is from \(newest)"))
    #expect(hint.hasSuffix(" have no time, because their sensor was never read at a known time"))
    let empty = try StoredHistory()
    #expect(try empty.shown.hint(nothingFoundBy: HistoryQuery()) == "no samples")
  }
}
