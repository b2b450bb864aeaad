// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import TestSupport

/// A sensor that makes readings with literal counts: a ring and a minute have the same counts in every reading.
struct ReadingFixture {
  static let uid = SensorUID(bits: 0xE007_A000_0025_905E)!
  static let otherUID = SensorUID(bits: 0xE007_A000_0025_905F)!
  static let fingerprint = SensorFingerprint(bytes: Array(1...16))!
  /// 2024-05-02T10:15:00Z.
  static let start = Instant(secondsSince1970: 1_714_644_900)
  static let footer = [UInt8](repeating: 0x5A, count: 24)

  var uid: SensorUID? = Self.uid
  var fingerprint: SensorFingerprint? = Self.fingerprint
  /// Number of the sensor and of its wear: other numbers give other counts.
  var life = 0
  var startedAt = Self.start
  /// Seconds after the start of the minute at which it is read.
  var second: Int64 = 0
  /// Seconds by which the computer's clock is ahead.
  var clockError: Int64 = 0
  var source = ReadTimeSource.file
  var state = SensorState.active
  var isSalvaged = false
  var isFooterGood = true
  /// The calibration that computes values; nil if there is none.
  var calibration: CalibrationDescription? = Self.factory(version: 1)
  var problems: [ReadingProblem] = []
  /// Counts that differ from the sensor's own, by ring and minute.
  var altered: [Place: Int] = [:]
  /// Minutes that the sensor flagged in this reading.
  var flagged: Set<Place> = []
  /// Minutes with an unusable value, and the reason.
  var doubtful: [Place: SampleQuality] = [:]
  /// Slots in which all bytes are zero.
  var empty: Set<Place> = []

  struct Place: Hashable {
    let ring: SampleRing
    let minute: Int

    init(_ ring: SampleRing, _ minute: Int) {
      self.ring = ring
      self.minute = minute
    }
  }

  static func factory(version: Int) -> CalibrationDescription {
    CalibrationDescription(model: "factory", version: version, parameters: [.init("i1", 0), .init("i2", 803.5)])
  }

  func with(_ change: (inout ReadingFixture) -> Void) -> ReadingFixture {
    var copy = self
    change(&copy)
    return copy
  }

  /// Another sensor of the person, started this many minutes after this one.
  func other(after minutes: Int = 0, number: Int = 1) -> ReadingFixture {
    with {
      $0.uid = SensorUID(bits: 0xE007_A000_0025_905E + UInt64(number))
      $0.fingerprint = SensorFingerprint(bytes: [UInt8](repeating: UInt8(number), count: 16))
      $0.life = number
      $0.startedAt = startedAt.adding(minutes: minutes)
    }
  }

  /// The same sensor, started again this many minutes after its start.
  func restarted(after minutes: Int) -> ReadingFixture {
    with { ($0.life, $0.startedAt) = (life + 1, startedAt.adding(minutes: minutes)) }
  }

  /// The same sensor read with a damaged footer, and so without values.
  var withBadFooter: ReadingFixture { with { ($0.isFooterGood, $0.calibration) = (false, nil) } }

  var withoutUID: ReadingFixture { with { $0.uid = nil } }
  var nameless: ReadingFixture { with { ($0.uid, $0.fingerprint) = (nil, nil) } }

  func counts(_ ring: SampleRing, _ minute: Int) -> Int {
    altered[Place(ring, minute)] ?? 1_000 + (minute * 37 + life * 101 + (ring == .trend ? 7 : 0)) % 997
  }

  func raw(_ ring: SampleRing, _ minute: Int) -> RawSample {
    let place = Place(ring, minute)
    let isEmpty = empty.contains(place)
    return RawSample(
      ring: ring, minute: SensorMinute(minute), glucose: UInt16(isEmpty ? 0 : counts(ring, minute)),
      temperature: isEmpty ? 0 : 6_552, temperatureAdjustment: isEmpty ? 0 : -8, hasError: flagged.contains(place),
      errorField: flagged.contains(place) ? 0x21 : 800, isNeverWritten: isEmpty)
  }

  func sample(_ ring: SampleRing, _ minute: Int) -> GlucoseSample {
    let raw = raw(ring, minute)
    let isHonest = calibration != nil && !raw.hasError && !raw.isNeverWritten
    // Each version of a model has a different value.
    let value = Double(raw.glucose) / 10 + Double((calibration?.version ?? 0) - 1) / 8
    return GlucoseSample(
      raw: raw, temperatureCelsius: calibration == nil ? nil : 32.03,
      concentration: isHonest ? GlucoseConcentration(milligramsPerDecilitre: value) : nil,
      quality: raw.isNeverWritten ? .neverWritten : raw.hasError ? .error : doubtful[Place(ring, minute)] ?? .ok)
  }

  /// The scan at an age: 16 minutes of trend, 8 hours of history.
  func scan(_ age: Int) -> IncomingScan {
    IncomingScan(reading(age), footer: isFooterGood ? Self.footer : nil, timeZone: "Europe/Rome")
  }

  func reading(_ age: Int) -> SensorReading {
    let time = startedAt.secondsSince1970 + Int64(age) * 60 + second + clockError
    let readAt = source == .unknown ? nil : Instant(secondsSince1970: time)
    let isWorn = state != .notActivated
    let newest = age / 15
    let history = isWorn ? (0..<min(32, newest)).map { sample(.history, (newest - $0) * 15) } : []
    let trend = isWorn ? (0..<min(16, age)).map { sample(.trend, age - $0) } : []
    let activatedAt = isWorn ? readAt?.adding(minutes: -age) : nil
    let sensor = SensorDescription(
      identity: SensorIdentity(uid: uid, fingerprint: fingerprint, serial: nil, family: .libre1), patchInfo: nil,
      region: .european, state: state, ageMinutes: age, maxLifeMinutes: 20_700, initializations: 0,
      activatedAt: activatedAt, endOfLife: [], failure: nil)
    let facts = "\(uid?.description ?? "-") \(readAt?.rfc3339 ?? "-") \(life) \(age) \(isSalvaged) \(isFooterGood)"
    let counts = (history + trend).map { "\($0.raw.glucose)\($0.raw.hasError)" }
    return SensorReading(
      id: SampleID(name: facts + counts.joined()), readAt: readAt, readAtSource: source,
      source: ReadingSource(tool: "libre test", path: nil, format: nil, dump: nil, sha256: "00"), reader: nil,
      sensor: sensor,
      integrity: MemoryIntegrity(
        header: .ok, body: isSalvaged ? .bad(stored: 1, computed: 2) : .ok,
        footer: isFooterGood ? .ok : .bad(stored: 3, computed: 4)),
      calibration: calibration, history: history, trend: trend, current: nil,
      problems: problems
        + (isFooterGood || calibration != nil ? [] : [.footerNotTrusted(.bad(stored: 3, computed: 4))]),
      isSalvaged: isSalvaged, memory: MemoryImage(bytes: [UInt8](repeating: UInt8(age & 0xFF), count: 344)))
  }
}

extension HistoryEntry {
  /// A value of another program, this many minutes after the fixture's start.
  static func value(
    _ id: SampleID, at minutes: Int, seconds: Int64 = 0, _ milligrams: Double = 104, source: String = "libreview",
    device: String? = nil, ring: SampleRing = .history, bound: ImportedSample.Bound? = nil
  ) -> HistoryEntry {
    let time = Instant(secondsSince1970: ReadingFixture.start.secondsSince1970 + Int64(minutes) * 60 + seconds)
    return .value(milligrams, at: time, source: source, device: device, ring: ring, bound: bound, id: id)
  }

  static func stick(
    _ id: SampleID, at minutes: Int, _ milligrams: Double = 99, note: String? = nil, source: String? = nil
  ) -> HistoryEntry {
    let time = ReadingFixture.start.adding(minutes: minutes)
    return .fingerStick(FingerStick(milligrams, at: time, note: note, source: source, id: id))
  }
}
