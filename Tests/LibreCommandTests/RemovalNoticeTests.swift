// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import SampleStore
import SampleSync
import StoreTestSupport
import Testing

@testable import CommandSupport

struct RemovalNoticeTests {
  private let history: StoredHistory
  private var store: SensorStore { history.store }
  private let start = Instant(secondsSince1970: 1_714_644_900)

  /// A store with three usable values of a sensor's history: of its minutes 60, 75 and 90.
  init() throws {
    history = try StoredHistory()
    try history.scan(SimulatedSensor(seed: 3), atAge: 100)
  }

  private func setup(_ name: String, _ values: [String: String]) throws -> Result<SinkSetup, LibreError> {
    .success(try SinkSetup(SinkSection(path: "/c", name: name, values: values, send: nil)))
  }

  /// Delivers all that is queued for a sink, whose records can be deleted later if its type has keys.
  private func deliver(_ setup: SinkSetup) throws {
    let sink = try #require(try store.sink(setup.name))
    try store.fillOutbox(of: sink.id, for: setup)
    while let batch = try store.nextBatch(of: sink.id, limit: 1_000) {
      var records: [SentRecord] = []
      if case .byKey(let key) = setup.type.removal {
        records = try batch.entries.map { entry in
          SentRecord(id: try #require(entry.id), key: try #require(key(entry)), time: try #require(entry.time))
        }
      }
      try store.delivered(batch.id, at: start, records: records)
    }
  }

  @Test("each enabled sink that got removed samples has a sentence about them: before, when it is queued, and after")
  func sentences() throws {
    let sensor = try #require(try store.sensors().first)
    let serial = try #require(sensor.identity.serial)
    let site = ["type": "nightscout", "url": "https://site.example"]
    let setups: SinkSetups = [
      "night": try setup("night", ["type": "nightscout-v3", "url": "https://shelf.example"]),
      "other": try setup("other", site), "off": try setup("off", site.merging(["enabled": "false"]) { $1 }),
    ]
    for name in setups.keys { try store.enrol(name, receiver: "x", at: start, sendsFrom: .firstSensor) }
    #expect(try RemovalNotice(of: sensor, in: store).sentences(setups, in: store).isEmpty)
    for setup in setups.values { try deliver(setup.get()) }
    let notice = try RemovalNotice(of: sensor, in: store)
    func sentences(isPlanned: Bool = false) throws -> [String] {
      try notice.sentences(setups, in: store, isPlanned: isPlanned).map { sentence in
        // Times are in the zone of this machine.
        sentence.replacing(/from .* to [0-9: -]+/, with: "FROM TO")
      }
    }
    let stays = "3 values of \(serial) FROM TO; version 1 of its interface cannot delete an entry by our id; "
    let end = "delete it on the site, where device is libre://SERIAL"
    #expect(
      try sentences(isPlanned: true) == [
        "night (nightscout-v3): would be deleted there: 3 values of \(serial) FROM TO",
        "other (nightscout): would stay there: \(stays)\(end)",
      ])
    try store.forget(sensor)
    #expect(
      try sentences() == [
        "night (nightscout-v3): deleted there with the next libre sync: 3 values of \(serial) FROM TO",
        "other (nightscout): still there: \(stays)\(end)",
      ])
    let night = try #require(try store.sink("night")).id
    try store.withdrawn(store.retracted(of: night, limit: 1_000), of: night, isRefused: true)
    #expect(try sentences()[0].contains("deleted there, except for 3 that it refused to delete"))
    _ = try store.retryParked(of: night)
    try store.withdrawn(store.retracted(of: night, limit: 1_000), of: night)
    #expect(try sentences()[0] == "night (nightscout-v3): deleted there: 3 values of \(serial) FROM TO")
  }
}
