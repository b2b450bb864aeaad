// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import HostSystem
import Libre1Core
import LibreKit
import SampleStore
import SensorHistory

/// Converts batches of the outbox for sinks, with the facts about the sensor and the current value.
package struct BatchAssembly {
  private let store: SensorStore
  private let parts: Set<SampleBatch.Part>
  private let rings: Set<SampleRing>
  private let calibration: CalibrationChoice
  /// Values as of this change of the store; created with the first batch.
  private var values: (values: WearValues, anchor: StoreAnchor)?
  private var sensors: [StoredSensor.ID: StoredSensor] = [:]
  /// Time after which no batch has samples.
  private var end: Instant?

  /// Creates an assembly. Sensors are read once, with the first batch.
  init(_ store: SensorStore, _ setup: SinkSetup) {
    (self.store, parts, rings, calibration) = (store, setup.parts, setup.rings, setup.calibration)
  }

  /// Returns the next batch of a sink, as `nextBatch` does, with the values of the sink's calibration. Samples without
  /// a value yet return to the outbox: their neighbours may come with a later scan.
  mutating func next(
    of sink: StoredSink.ID, limit: Int, until end: Instant
  ) throws(LibreError) -> (batch: StoredBatch, entries: [HistoryEntry])? {
    self.end = end
    while let batch = try libre(store.nextBatch(of: sink, limit: limit, until: end)) {
      guard batch.sensor != nil, case .series = calibration else { return (batch, batch.entries) }
      let (samples, waiting, anchor) = try valued(batch)
      if waiting.isEmpty { return (batch, samples.map(HistoryEntry.sensor)) }
      try libre(store.wait(waiting, of: batch, since: anchor))
    }
    return nil
  }

  private mutating func valued(
    _ batch: StoredBatch
  ) throws(LibreError) -> (samples: [StoredSample], waiting: [StoredSample], anchor: StoreAnchor) {
    let anchor: StoreAnchor
    var made: WearValues
    if let values {
      (made, anchor) = values
    } else {
      anchor = try libre(store.anchor())
      made = try libre(WearValues(of: store, calibration: calibration))
    }
    var samples: [StoredSample] = []
    var waiting: [StoredSample] = []
    for sample in batch.samples {
      let entry = try libre(made.completed(.sensor(sample)))
      if case .sensor(let valued) = entry, valued.sample.usableConcentration != nil {
        samples.append(valued)
      } else {
        waiting.append(sample)
      }
    }
    values = (made, anchor)
    return (samples, waiting, anchor)
  }

  /// Returns the batch's key as a UUID (version 4: random bytes).
  static func key(of batch: StoredBatch) -> String {
    guard batch.key.count == 16 else { return HexText.string(of: batch.key) }
    return SampleID(bytes: batch.key, version: 4).description
  }

  static func context(now: Instant, person: String?) -> ExportContext {
    ExportContext(
      unit: .milligramsPerDecilitre, program: Program.name, version: Program.version, now: now,
      clock: LocalTime.clock, person: person)
  }

  /// `entries`: the batch's entries with their values; `held`: those that the receiver already has.
  mutating func sampleBatch(
    _ batch: StoredBatch, _ entries: [HistoryEntry], held: Set<SampleID>
  ) throws(LibreError) -> SampleBatch? {
    let isLast = try libre(!store.hasOthers(besides: batch))
    let (key, stage) = (Self.key(of: batch), batch.isHistorical ? SampleBatch.Stage.historical : .daily)
    guard let sensorID = batch.sensor else {
      return SampleBatch(
        key: key, stage: stage, parts: parts, sensor: nil, entries: entries, current: nil, held: held,
        isLastOfStage: isLast)
    }
    if sensors[sensorID] == nil {
      for sensor in try libre(store.sensors()) { sensors[sensor.id] = sensor }
    }
    guard let sensor = sensors[sensorID], let number = batch.samples.first?.wear else { return nil }
    let newest = try libre(store.newestSample(of: HistoryScope(of: sensor.id), rings: rings, isUsable: true))
    let isPresent = batch.samples.contains { $0.wear == newest?.wear && $0.sample.minute == newest?.minute }
    var current: CurrentGlucose?
    if isPresent, parts.contains(.trend), let newest {
      let now = newest.time ?? Instant(secondsSince1970: 0)
      current = try libre(store.latestValue(of: newest, calibration: calibration, now: now))?.current
    }
    // The last value of the previous sensor is not the current state, nor is one that does not count.
    let ofAll = try libre(store.newestSample(rings: rings, until: end, isUsable: true))
    let holdsNewest =
      ofAll?.sensor == sensor.id
      && batch.samples.contains { $0.wear == ofAll?.wear && $0.sample.minute == ofAll?.minute }
    // They need the trend, so that only a sink that gets it gets them.
    let rates =
      parts.contains(.trend) ? try store.trendRates(at: entries, of: sensor.id, calibration: calibration) : [:]
    return SampleBatch(
      key: key, stage: stage, parts: parts, sensor: sensor.wears.first { $0.number == number }?.facts, entries: entries,
      current: current, rates: rates, held: held, holdsNewest: holdsNewest, isLastOfStage: isLast)
  }
}
