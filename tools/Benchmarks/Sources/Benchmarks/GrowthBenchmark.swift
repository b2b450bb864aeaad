// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import GlucoseReport
import HistoryFormats
import LibreKit
import SampleSync
import TextFormats

/// Whether the work of single functions grows no faster than what they are given: each with two sizes, one four times the
/// other. Linear work has a ratio of about 4, quadratic work one of 16.
extension Benchmarks {
  private static let growth = (factor: 4, most: 6.0)
  /// Only the first bytes of an answer are read, however long it is. It was 1.0.
  private static let mostForAnswers = 2.0

  static func growsNoFasterThanItsInput() -> Bool {
    print("\nfour times as much takes how many times as long\n")
    var isGood = isLinear("GlucoseMetrics over values", of: 12_500) { size in
      let points = points(size)
      return { GlucoseMetrics(points, percentActive: 100, clock: .sensorAge)?.gri ?? 0 }
    }
    for (type, options) in receivers {
      let sink: any SampleSink
      do {
        sink = try type.make(options)
      } catch {
        print("\(type.name) cannot be made: \(error)")
        return false
      }
      // One document a request: there is no more to give it.
      if sink.maximumBatch == 1 { continue }
      isGood =
        isLinear("a delivery of \(type.name)", of: 1_000) { size in
          let batch = batch(size)
          return { byteCount(of: sink.delivery(of: batch, SinkState(), context)) }
        } && isGood
    }
    let table = StatusVerdict(hiding: [Secret("planted")])
    return isLinear("a verdict on an answer of megabytes", of: 2_500_000, most: mostForAnswers) { size in
      let answer = HTTPResponse(status: 500, body: Array(repeating: UInt8(ascii: "a"), count: size))
      return { table.verdict(on: answer, now: context.now) == .accepted(duplicates: nil) ? 1 : 0 }
    } && isGood
  }

  private static func isLinear(
    _ name: String, of size: Int, most: Double = growth.most, _ work: (_ size: Int) -> () -> Double
  ) -> Bool {
    let contenders = [1, growth.factor].map { factor in
      Stopwatch.Contender(
        name: name, repetitions: 4 / factor, items: 1, work: work(size * factor))
    }
    let (times, sink) = Stopwatch(runs: 9).smallest(of: contenders)
    let ratio = times[1] / times[0]
    print("\(name): \(Int(times[0] / 1_000)) µs for \(size), ratio \((ratio * 100).rounded() / 100) (sum \(sink))")
    return ratio <= most
  }

  // MARK: Inputs

  private static let start = Instant(secondsSince1970: 1_714_644_900)

  private static let context = ExportContext(
    unit: .milligramsPerDecilitre, program: "libre", version: "0", now: start, clock: .utc, person: nil)

  private static func points(_ count: Int) -> [GlucosePoint] {
    (0..<count).map { index in
      GlucosePoint(
        time: start.adding(minutes: 15 * index),
        concentration: GlucoseConcentration(milligramsPerDecilitre: 100 + 60 * sin(Double(index) / 9)))
    }
  }

  private static let receivers: [(type: SinkType, options: SinkOptions)] = SinkType.all.filter(\.takesSamples).map {
    type in
    let given = [
      "url": type.name == "mqtt" ? "mqtts://broker.example" : "https://receiver.example", "patient": "Patient/1",
      "user": "somebody", "client_user_id": "somebody",
      "path": "/tmp/samples.ndjson",
    ]
    var values: [String: String] = [:]
    for parameter in type.parameters {
      let standard = parameter.defaultValue ?? ""
      values[parameter.key] = standard.isEmpty ? given[parameter.key] ?? standard : standard
    }
    let options = SinkOptions(
      name: type.name, values: values, secret: type.secret == .none ? nil : Secret("planted-secret-of-many-letters"),
      allowsHTTP: false)
    return (type, options)
  }

  private static func batch(_ count: Int) -> SampleBatch {
    let sensor = SensorIdentity(
      uid: SensorUID(bits: 0xE007_A000_0025_905E), fingerprint: nil, serial: "0M00009DHCR", family: .libre1)
    let samples = (1...count).map { number in
      let minute = SensorMinute(15 * number)
      let raw = RawSample(
        ring: .history, minute: minute, glucose: 1_000, temperature: 6_500, temperatureAdjustment: 0, hasError: false,
        errorField: 0, isNeverWritten: false)
      let sample = GlucoseSample(
        raw: raw, temperatureCelsius: 32, concentration: GlucoseConcentration(milligramsPerDecilitre: 104),
        quality: .ok, time: start.adding(minutes: minute.value))
      return StoredSample(sensor: sensor, wear: 1, sample: sample, calibration: nil, isSalvaged: false)
    }
    let facts = WearFacts(sensor, activatedAt: start, lastState: .active)
    return SampleBatch(
      key: "0a2e4f1c-7c9d-4f6e-9d5b-3b1a2c3d4e5f", stage: .daily, parts: [.history], sensor: facts,
      entries: samples.map(HistoryEntry.sensor), current: nil)
  }

  private static func byteCount(of delivery: Delivery) -> Double {
    switch delivery {
    case .http(let request): Double(request.body.count)
    case .mqtt(let messages): Double(messages.count)
    case .lines(let bytes): Double(bytes.count)
    case .samples(let samples): Double(samples.count)
    }
  }
}
