// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TestSupport
import Testing
import TextFormats

@testable import SampleSync

/// Compares each type's field map with the data that its sinks send. The values themselves are in the tests of each sink.
struct FieldMapTests {
  @Test("every place in the sent data is in the field map, and every field of the map is sent")
  func places() throws {
    for (name, variants) in Dictionary(grouping: try Self.variants, by: \.type.name) {
      let type = variants[0].type
      var seen: Set<SinkField> = []
      for variant in variants {
        for parcel in FieldMapParcel.all where parcel.isGlucose || type.parts.contains(.bloodPressure) {
          for (path, value) in try variant.leaves(of: parcel) {
            let fields = type.fields.filter { $0.covers(path) }
            // Nothing stands where there is no sensor, and in the list that a receiver of measured values gets of a limit.
            if fields.isEmpty, value == .null || value == .array([]), type.fields.contains(where: { $0.isBelow(path) })
            {
              continue
            }
            #expect(!fields.isEmpty, "\(name): \(path) is in no map")
            // A specific field wins over one for everything below it.
            let own = fields.filter { $0.theirs == path }
            seen.formUnion(own.isEmpty ? fields : own)
          }
        }
      }
      let missing = type.fields.filter { !seen.contains($0) }
      #expect(missing.isEmpty, "\(name): never sent: \(missing.map { "\($0.ours ?? "always") at \($0.theirs)" })")
    }
  }

  @Test("a constant field does not change with the value, the sensor or the person")
  func constants() throws {
    for variant in try Self.variants {
      for pair in FieldMapParcel.pairs where pair[0].isGlucose || variant.type.parts.contains(.bloodPressure) {
        let sent = try pair.map { parcel in
          Dictionary(grouping: try variant.leaves(of: parcel.with(parcel.batch.parts, held: []))) { $0.path }
        }
        for field in variant.type.fields where field.ours == nil && !field.theirs.hasSuffix("*") {
          let values = sent.map { Set(($0[field.theirs] ?? []).map(\.value)) }
          // Where something of ours stands at the same place, as an update's own address does.
          let isShared = variant.type.fields.contains { $0.theirs == field.theirs && $0.ours != nil }
          #expect(isShared || values[0] == values[1], "\(variant.type.name): \(field.theirs)")
        }
      }
    }
  }

  @Test("a field that belongs to an optional part is not sent without it")
  func parts() throws {
    for variant in try Self.variants {
      for (path, value) in try FieldMapParcel.all.prefix(2).flatMap({ try variant.leaves(of: $0.with([.history])) }) {
        let fields = variant.type.fields.filter { $0.theirs == path }
        #expect(
          fields.isEmpty || fields.contains { $0.parts.isEmpty },
          "\(variant.type.name): \(path) is \(value) without \(fields.flatMap(\.parts))")
      }
    }
  }

  /// Each type with all options that change the sent data.
  private static var variants: [FieldMapVariant] {
    get throws { try SinkFixtures.all().map { FieldMapVariant(type: $0.type, sink: $0.sink) } }
  }
}

extension SinkField {
  fileprivate func covers(_ path: String) -> Bool {
    theirs == path || theirs.hasSuffix("*") && path.hasPrefix(theirs.dropLast())
  }

  fileprivate func isBelow(_ path: String) -> Bool {
    path.isEmpty ? theirs.hasPrefix("[]") : theirs.hasPrefix("\(path).") || theirs.hasPrefix("\(path)[]")
  }
}

/// A sink whose deliveries are split into values.
struct FieldMapVariant {
  let type: SinkType
  let sink: any SampleSink

  /// Returns each sent value of a batch with its place: of the preparation requests, and of the delivery itself.
  func leaves(of parcel: FieldMapParcel) throws -> [(path: String, value: JSONValue)] {
    var leaves: [(path: String, value: JSONValue)] = []
    var memory = SinkState()
    while let step = sink.preparation(for: parcel.batch, memory, parcel.context) {
      if !step.request.body.isEmpty {
        leaves += Self.leaves(try JSONValue(parsing: step.request.body), at: "\(step.purpose): ")
      }
      try step.learn(step.example, &memory)
    }
    switch sink.delivery(of: parcel.batch, memory, parcel.context) {
    case .http(let request):
      let dull = ["Content-Type", "Accept", "Prefer", "libre-signature", "terra-signature"]
      for header in request.headers where !dull.contains(header.name) {
        if case .plain(let value) = header.value { leaves.append(("header \(header.name)", .string(value))) }
      }
      if type.name == InfluxSink.type.name {
        leaves += Self.points(request.bodyText)
      } else {
        leaves += Self.leaves(try JSONValue(parsing: request.body), at: "")
      }
    case .mqtt(let messages):
      for message in messages {
        let place = Self.place(of: message.topic)
        if message.topic.hasSuffix("/status") {
          leaves.append((place, .string(message.payloadText)))
        } else {
          leaves += Self.leaves(try JSONValue(parsing: message.payload), at: "\(place) ")
        }
      }
    case .lines(let bytes):
      for line in bytes.split(separator: 0x0A) { leaves += Self.leaves(try JSONValue(parsing: line), at: "") }
    case .samples: Issue.record("only a program's receiver gets samples")
    }
    return leaves
  }

  private static func place(of topic: String) -> String {
    let levels = topic.split(separator: "/").map(String.init)
    if levels.last == "config" { return "discovery" }
    return levels.count == 3 ? "TOPIC/SOURCE/\(levels[2])" : "TOPIC/\(levels[1])"
  }

  private static func leaves(_ value: JSONValue, at place: String) -> [(path: String, value: JSONValue)] {
    switch value {
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { key, value in
        leaves(value, at: place.isEmpty || place.hasSuffix(" ") ? place + key : "\(place).\(key)")
      }
    case .array(let elements) where !elements.isEmpty: elements.flatMap { leaves($0, at: "\(place)[]") }
    default: [(place, value)]
    }
  }

  /// Parses the line protocol; names and values contain no space and no comma here.
  private static func points(_ text: String) -> [(path: String, value: JSONValue)] {
    text.split(separator: "\n").flatMap { line -> [(path: String, value: JSONValue)] in
      let words = line.split(separator: " ").map(String.init)
      let head = words[0].split(separator: ",").map(String.init)
      func pairs(_ kind: String, _ parts: [String]) -> [(path: String, value: JSONValue)] {
        parts.map { part in
          let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
          let number = kind == "field" ? Double(pair[1].hasSuffix("i") ? String(pair[1].dropLast()) : pair[1]) : nil
          let text = pair[1].filter { $0 != "\"" }
          return ("\(head[0]) \(kind) \(pair[0])", number.map(JSONValue.number) ?? .string(text))
        }
      }
      return pairs("tag", Array(head.dropFirst())) + pairs("field", words[1].split(separator: ",").map(String.init))
        + [("\(head[0]) time", .number(Double(words[2]) ?? .nan))]
    }
  }
}

struct FieldMapParcel {
  let batch: SampleBatch
  let context: ExportContext

  private var entry: HistoryEntry { batch.entries[0] }

  var isGlucose: Bool { if case .bloodPressure = entry { false } else { true } }

  func with(_ parts: Set<SampleBatch.Part>, held: Set<SampleID>? = nil) -> FieldMapParcel {
    FieldMapParcel(
      batch: SampleBatch(
        key: batch.key, stage: batch.stage, parts: parts, sensor: batch.sensor, entries: batch.entries,
        current: batch.current, rates: rates, held: held ?? batch.held, holdsNewest: true), context: context)
  }

  private var rates: [SampleID: Double] {
    entry.id.flatMap { id in batch.current?.ratePerMinute.map { [id: $0] } } ?? [:]
  }

  /// Entries of each kind, each twice with all properties different.
  static let pairs: [[FieldMapParcel]] =
    [SampleRing.history, .trend].map { ring in
      [sensor(ring, isOther: false), sensor(ring, isOther: true)]
    } + [
      [imported(isOther: false), imported(isOther: true)], [fingerStick(isOther: false), fingerStick(isOther: true)],
      [bloodPressure(isOther: false), bloodPressure(isOther: true)],
    ]

  static let all =
    pairs.flatMap(\.self) + [imported(isOther: false, bound: .low), imported(isOther: true, bound: .high)]

  private static func context(_ isOther: Bool) -> ExportContext {
    ExportContext(
      unit: .milligramsPerDecilitre, program: "libre", version: "0.1.0",
      now: SinkFixtures.instant(isOther ? "2024-12-02T10:16:03Z" : "2024-05-02T10:16:03Z"),
      clock: LocalClock(zoneName: isOther ? "Asia/Tokyo" : "Europe/Rome") { _ in isOther ? 32_400 : 7_200 },
      person: isOther ? "cub" : "white_bear")
  }

  private static func parcel(
    _ entry: HistoryEntry, isOther: Bool, sensor: WearFacts? = nil, current: CurrentGlucose? = nil
  ) -> FieldMapParcel {
    let batch = SampleBatch(
      key: isOther ? "11111111-0000-4000-8000-000000000000" : SinkFixtures.key,
      stage: isOther ? .historical : .daily, parts: Set(SampleBatch.Part.allCases), sensor: sensor, entries: [entry],
      current: current, held: isOther ? Set([entry.id].compactMap(\.self)) : [], holdsNewest: true)
    return FieldMapParcel(batch: batch, context: context(isOther))
  }

  private static func sensor(_ ring: SampleRing, isOther: Bool) -> FieldMapParcel {
    let minute = isOther ? 3_030 : 14_415
    let start = SinkFixtures.instant(isOther ? "2024-11-20T08:00:00Z" : "2024-04-22T10:00:00Z")
    let identity = SensorIdentity(
      uid: isOther ? SensorUID(bits: 0xE007_A000_0099_9999) : SinkFixtures.uid,
      fingerprint: nil, serial: isOther ? "0M0009999ZZ" : SinkFixtures.serial, family: .libre1)
    let raw = RawSample(
      ring: ring, minute: SensorMinute(minute), glucose: isOther ? 1_201 : 884, temperature: isOther ? 6_411 : 6_552,
      temperatureAdjustment: isOther ? 4 : -8, hasError: false, errorField: isOther ? 12 : 800, isNeverWritten: false)
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: isOther ? 30.5 : 32.03,
      concentration: GlucoseConcentration(milligramsPerDecilitre: isOther ? 211.25 : 104), quality: .ok,
      time: start.adding(minutes: minute))
    let stored = StoredSample(
      sensor: identity, wear: isOther ? 2 : 1, sample: sample,
      calibration: CalibrationDescription(model: "factory", version: 1, parameters: [.init("i1", isOther ? 1 : 0)]),
      isSalvaged: isOther)
    let facts = WearFacts(
      identity, wear: isOther ? 2 : 1, activatedAt: start, maxLifeMinutes: 20_160,
      lastState: isOther ? .expired : .active, lastReadAt: start.adding(minutes: minute + 3))
    let current = CurrentGlucose(
      minute: SensorMinute(minute), concentration: GlucoseConcentration(milligramsPerDecilitre: isOther ? 211.25 : 104),
      ratePerMinute: isOther ? -2.25 : 1.24)
    return parcel(.sensor(stored), isOther: isOther, sensor: facts, current: current)
  }

  private static func imported(isOther: Bool, bound: ImportedSample.Bound? = nil) -> FieldMapParcel {
    let time = SinkFixtures.noon.adding(minutes: isOther ? 60 : 0)
    let value = HistoryEntry.value(
      isOther ? 401 : 41, at: time, source: isOther ? "juggluco" : "libreview", device: isOther ? "phone" : "reader",
      bound: bound, id: SampleID(high: 7, low: isOther ? 8 : 9))
    return parcel(value, isOther: isOther)
  }

  private static func bloodPressure(isOther: Bool) -> FieldMapParcel {
    parcel(
      .bloodPressure(
        BloodPressure(
          id: SampleID(high: 21, low: isOther ? 22 : 23), time: SinkFixtures.noon.adding(minutes: isOther ? 95 : 25),
          systolic: isOther ? 18.9 : 138, diastolic: isOther ? 11 : 88, mean: isOther ? 15.9 : 120,
          unit: isOther ? .kilopascals : .millimetresOfMercury, pulse: isOther ? 72 : 61, user: 1,
          conditions: isOther ? ["cuff_loose"] : ["irregular_pulse"], source: isOther ? "Cuff 2" : "Cuff 1")),
      isOther: isOther)
  }

  private static func fingerStick(isOther: Bool) -> FieldMapParcel {
    let stick = FingerStick(
      isOther ? 88 : 123, at: SinkFixtures.noon.adding(minutes: isOther ? 75 : 5), note: isOther ? "before" : "after",
      source: isOther ? "contour" : nil, id: SampleID(high: 11, low: isOther ? 12 : 13))
    return parcel(.fingerStick(stick), isOther: isOther)
  }
}
