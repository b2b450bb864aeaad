// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats

/// A few invented entries of every kind, in a zone whose summer time ended on 27 October 2024 at 01:00 UTC.
enum WriterEntries {
  static let uid = SensorUID(bits: 0xE007_A000_0025_905E)
  static let libre1 = SensorIdentity(
    uid: uid, fingerprint: SensorFingerprint(bytes: Array(1...16)), serial: "0M00009DHCR", family: .libre1)
  static let nameless = SensorIdentity(uid: nil, fingerprint: nil, serial: nil, family: .unknown)
  static let factory = CalibrationDescription(
    model: "factory", version: 1, parameters: [.init("i1", 0), .init("i2", 803), .init("slope", 0.1)])

  static func id(_ number: UInt64) -> SampleID {
    SampleID(high: 0x1111_2222_3333_5444, low: 0x8000_0000_0000_0000 | number)
  }

  static func sample(
    _ ring: SampleRing, minute: Int, time: String?, glucose: Double?, quality: SampleQuality = .ok,
    errors: UInt16? = nil, celsius: Double = 32.034, of sensor: SensorIdentity = libre1, wear: Int = 1,
    isSalvaged: Bool = false
  ) -> HistoryEntry {
    let raw = RawSample(
      ring: ring, minute: SensorMinute(minute), glucose: 1319, temperature: 6552, temperatureAdjustment: -8,
      hasError: errors != nil, errorField: errors ?? 800, isNeverWritten: quality == .neverWritten)
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: celsius,
      concentration: glucose.map { GlucoseConcentration(milligramsPerDecilitre: $0) }, quality: quality,
      time: time.flatMap(Instant.init(rfc3339:)))
    return .sensor(
      StoredSample(
        sensor: sensor, wear: wear, sample: sample, calibration: glucose == nil ? nil : factory, isSalvaged: isSalvaged)
    )
  }

  /// Blood pressure in mmHg with all facts, and in kPa with a mean and without a cuff.
  static let pressures: [HistoryEntry] = [
    .bloodPressure(
      BloodPressure(
        id: id(20), time: Instant("2024-05-02T10:55:00Z"), systolic: 138, diastolic: 88, mean: nil, pulse: 60, user: 1,
        conditions: ["irregular_pulse"], source: "Cuff \"1\"")),
    .bloodPressure(
      BloodPressure(
        id: id(21), time: Instant("2024-05-02T11:00:00Z"), systolic: 18.9, diastolic: 11, mean: 15.9,
        unit: .kilopascals)),
  ]

  /// History, trend, a flagged sample, an imported value and an imported limit, a finger-stick.
  static let all: [HistoryEntry] = [
    sample(.history, minute: 14_415, time: "2024-05-02T10:15:00Z", glucose: 104.48083),
    sample(.trend, minute: 14_420, time: "2024-05-02T10:20:00Z", glucose: 105.5, isSalvaged: true),
    sample(
      .history, minute: 14_430, time: "2024-05-02T10:30:00Z", glucose: nil, quality: .error, errors: 0x22),
    value("clarity", "Dexcom \"G6\", old", "2024-05-02T10:35:00Z", 99, ring: .trend, id: id(4)),
    value("libreview", nil, "2024-05-02T10:45:00Z", 40, bound: .low, id: id(5)),
    stick(nil, "2024-05-02T10:50:00Z", 88, note: "before <lunch> & \"run\"", id: id(9)),
  ]

  /// The same time of day twice, an hour apart: 02:30 in summer time and 02:30 after it.
  static let night: [HistoryEntry] = [
    sample(.history, minute: 30, time: "2024-10-27T00:30:00Z", glucose: 90, wear: 2),
    sample(.history, minute: 90, time: "2024-10-27T01:30:00Z", glucose: 91, wear: 2),
  ]

  /// Entries that no value format accepts: without a time, flagged with a value, without a finite value.
  static let unusable: [HistoryEntry] = [
    sample(.history, minute: 15, time: nil, glucose: 100),
    sample(.trend, minute: 20, time: "2024-05-02T10:20:00Z", glucose: 100, quality: .warmUp),
    value("x", nil, "2024-05-02T10:20:00Z", .infinity, id: id(13)),
  ]

  static func context(
    _ unit: GlucoseUnit = .milligramsPerDecilitre, person: String? = nil, zoneName: String? = "Europe/Rome"
  ) -> ExportContext {
    ExportContext(
      unit: unit, program: "libre", version: "0.1.0", now: Instant(secondsSince1970: 1_730_000_000),
      clock: LocalClock(zoneName: zoneName) {
        (1_711_846_800..<1_729_990_800).contains($0.secondsSince1970) ? 7200 : 3600
      },
      person: person)
  }

  static func text(_ writer: any HistoryWriter, _ entries: [HistoryEntry], _ context: ExportContext = context())
    -> String
  {
    written(writer, entries, context).text
  }

  static func written(
    _ writer: any HistoryWriter, _ entries: [HistoryEntry], _ context: ExportContext = context()
  ) -> (text: String, leftOut: [String: Int]) {
    var document = writer.document(context)
    var bytes = document.begin()
    for entry in entries { bytes += document.add(entry) }
    bytes += document.end()
    return (String(decoding: bytes, as: UTF8.self), document.leftOut)
  }
}
