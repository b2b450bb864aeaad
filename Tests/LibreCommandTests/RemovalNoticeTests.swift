// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore
import SampleSync
import TestSupport
import Testing

@testable import CommandSupport

struct RemovalNoticeTests {
  private let folder: TemporaryDirectory
  private let store: SensorStore
  private let start = Instant(secondsSince1970: 1_714_644_900)
  private let serial = "0M00009DHCR"

  /// A store with three samples of a sensor.
  init() throws {
    folder = try TemporaryDirectory(isInMemory: true)
    store = try SensorStore(folder.path("history.sqlite"), for: .writing)
    let sensor = SensorIdentity(
      uid: try SensorUID(printed: "E007A0000025905E"), fingerprint: nil, serial: serial, family: .libre1)
    let factory = CalibrationDescription(
      model: "factory", version: 1, parameters: [.init("i1", 0), .init("i2", 803.5)])
    for minute in [15, 30, 45] {
      let raw = RawSample(
        ring: .history, minute: SensorMinute(minute), glucose: 1_000, temperature: 6_552, temperatureAdjustment: -8,
        hasError: false, errorField: 800, isNeverWritten: false)
      let sample = GlucoseSample(
        raw: raw, temperatureCelsius: 32, concentration: GlucoseConcentration(milligramsPerDecilitre: 104),
        quality: .ok,
        time: start.adding(minutes: minute))
      let stored = StoredSample(sensor: sensor, wear: 1, sample: sample, calibration: factory, isSalvaged: false)
      #expect(try store.add(.sensor(stored)) == .added)
    }
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
