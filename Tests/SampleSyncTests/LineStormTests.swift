// SPDX-License-Identifier: Apache-2.0
import SampleSync
import SensorHistory

#if SQLite
  import CGMModel
  import Libre1Core
  import SampleStore
  import Libre1Core
  import StoreTestSupport
  import TestSupport
  import Testing

  @testable import LibreKit

  /// Simulates days of one sensor in which everything that can fail does, from the reader to the receiver.
  @Suite("Random faults from sensor to receiver")
  struct LineStormTests {
    @Test(
      "the store and the receiver end up with exactly the sensor's own values",
      arguments: 1...UInt64(TestTier.rounds(2, full: 20)))
    func storm(seed: UInt64) async throws {
      let comment = Comment(rawValue: "seed \(seed)")
      let storm = try LineStorm(seed: seed)
      for _ in 1...24 { try await storm.round() }
      let store = try await storm.calm()
      let timeline = try store.timeline()
      let held = Set(timeline.map { LineStorm.Place(ring: $0.sample.ring, minute: $0.sample.minute.value) })

      // No sample is stored twice, no stored sample is missing, and every sample comes from a scan.
      #expect(held.count == timeline.count, comment)
      #expect(held.isSuperset(of: storm.acknowledged), comment)
      #expect(held.isSubset(of: storm.shown), comment)
      // All samples equal those of the sensor, and those of a store without faults.
      let truth = Dictionary(
        uniqueKeysWithValues: try storm.truth.timeline().map {
          (LineStorm.Place(ring: $0.sample.ring, minute: $0.sample.minute.value), $0.sample)
        })
      for stored in timeline {
        let sample = stored.sample
        let place = LineStorm.Place(ring: sample.ring, minute: sample.minute.value)
        var expected = truth[place]
        if sample.concentration == nil, !storm.valued.contains(place), let known = expected {
          expected = GlucoseSample(
            raw: known.raw, temperatureCelsius: known.temperatureCelsius, concentration: nil, quality: known.quality)
        }
        // The minute of the first scan; it never differs from the published one.
        expected?.time = storm.startTold?.adding(minutes: sample.minute.value)
        #expect(sample == expected, comment)
        #expect(sample.raw.bits == storm.sensor.bits(sample.ring, sample.minute.value), comment)
      }
      let late = try #require(storm.startTold).secondsSince1970 - storm.sensor.activatedAt.secondsSince1970
      #expect((0..<120).contains(late), comment)
      let sensors = try store.sensors()
      #expect(sensors.count == 1 && sensors.allSatisfy { $0.wears.count == 1 }, comment)
      #expect(sensors.allSatisfy { $0.wears.allSatisfy(\.conflicts.isEmpty) }, comment)
      #expect(try store.check().faults == [], comment)

      // The receiver has each sample under its id, got it under one key only, and has nothing else.
      let sendable = Set(
        timeline.filter { $0.sample.quality == .ok && $0.sample.concentration != nil }
          .map { PlainRequest.Line(.sensor($0)) })
      let end = storm.server.now
      #expect(Set(end.samples.values) == sendable && end.samples.count == sendable.count, comment)
      #expect(end.times.values.allSatisfy { $0 == 1 } && end.changedKeys == 0, comment)
      let sink = try store.enrolledSink(SyncBench.name)
      #expect(sink.queued == 0 && sink.parked == 0 && sink.stop == nil, comment)
      // There were enough faults, and some samples were still delivered.
      #expect(storm.tally.diskFaults > 5 && storm.tally.remembered > 3 && storm.tally.errors.count > 1, comment)
    }
  }

  extension RawSample {
    /// Returns the sample as a record of six bytes stores it.
    fileprivate var bits: UInt64 {
      RecordFields(
        glucose: Int(glucose), temperature: Int(temperature), temperatureAdjustment: Int(temperatureAdjustment),
        hasError: hasError, errorField: Int(errorField ?? 0)
      ).bits
    }
  }

  extension SimulatedSensor {
    fileprivate func bits(_ ring: SampleRing, _ minute: Int) -> UInt64 {
      switch ring {
      case .history: historyRecord(minute: minute).bits
      case .trend: trendRecord(minute: minute).bits
      }
    }
  }
#endif
