// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import Libre1Core
import LibreDocuments
import LibreKit
import NFCTransport

/// Other programs' histories: refused with a reason, or entries with a time and a number, which every writer takes and our
/// own lines give back.
enum ImportTargets {
  static let all = Catalogue.standard.historyReaders.map { reader in
    DatabaseInput.formats.contains(reader.name)
      ? FuzzTarget(
        name: "import-\(reader.name)", seeds: { try DatabaseInput.seeds(reader.name) }, words: words, longest: 32_768,
        testRuns: 60,
        run: { bytes in try DatabaseInput.with(bytes) { try read(bytes, at: $0, reader) } })
      : FuzzTarget(
        name: "import-\(reader.name)", seeds: { seeds(reader.name) }, words: words, testRuns: 150,
        run: { try read($0, at: nil, reader) })
  }

  private static let words = [
    "2024-05-02T10:15:00Z", "02.05.2024 10:15", "5/2/2024 10:15 AM", "mg/dL", "mmol/L", "Low", "High", "\"", "\"\"",
    ",", ";", "\t", "\r\n", "{\"", "\":", "null", "[", "]", "1e308", "-1", "NaN", "\\u0000", "\\ud83d", "<Record ",
    "/>", "&amp;", "<![CDATA[", "startDate=\"", "value=\"", "libre.sample/1", "\"ring\":\"trend\"", "\"raw\":{",
    "\"type\":\"cbg\"", "\"sgv\":",
  ]

  /// Every kind of entry, each once.
  private static let entries: [HistoryEntry] = {
    let time = Instant(secondsSince1970: 1_714_644_900)
    let raw = RawSample(
      ring: .history, minute: SensorMinute(45), glucose: 1_319, temperature: 6_552, temperatureAdjustment: -8,
      hasError: false, errorField: 0, isNeverWritten: false)
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: 32.03, concentration: GlucoseConcentration(milligramsPerDecilitre: 104.4808),
      quality: .ok, time: time)
    return [
      .sensor(
        StoredSample(
          sensor: SensorIdentity(
            uid: SensorUID(bits: 0xE007_A000_0025_905E), fingerprint: nil, serial: "0M1", family: .libre1), wear: 1,
          sample: sample,
          calibration: CalibrationDescription(model: "factory", version: 1, parameters: [.init("i1", 0)]),
          isSalvaged: false)),
      .imported(
        ImportedSample(
          source: "clarity", device: "8ABC12, \"G6\"", ring: .trend, time: time.adding(minutes: 15),
          concentration: GlucoseConcentration(milligramsPerDecilitre: 99), bound: .low)),
      .fingerStick(
        FingerStick(
          time: time.adding(minutes: 30), concentration: GlucoseConcentration(milligramsPerDecilitre: 90),
          note: "<lunch> & \"run\"\nmore")),
    ]
  }()

  /// Of formats that libre does not write.
  private static let texts = [
    "clarity":
      "\"Index\",\"Timestamp (YYYY-MM-DDThh:mm:ss)\",\"Event Type\",\"Glucose Value (mg/dL)\",\"Transmitter ID\"\r\n"
      + "\"1\",\"2024-05-02T12:15:10\",\"EGV\",\"110\",\"8ABC12\"\r\n\"2\",\"2024-05-02T12:20:10\",\"EGV\",\"Low\",\"8ABC12\"\r\n",
    "nightscout":
      #"[{"type":"sgv","sgv":110,"date":1714644910000,"device":"x"},{"type":"mbg","mbg":99,"date":1714644920000}]"#,
    "sidiary": "DAY;TIME;UDT_CGMS;BG_LEVEL;REMARK\r\n02.05.2024;12:10;110;;\r\n02.05.2024;12:11;;98;x\r\n",
    "table": "local_time,kind,mg_dL\n2024-05-02 12:15:10,scan,110\n2024-05-02 12:15:11,finger,111\n",
    "glucometerutils": "\"2024-05-02 12:15:10\",\"110.00\",\"\",\"blood sample\",\"\"\n",
    "juggluco": "Sensorid\tnr\tUnixTime\tYYYY-mm-dd-HH:MM:SS\tTZ\tMin\tmg/dL\n"
      + "0M1\t13\t1714644910\t2024-05-02T12:15:00\t2\t14415\t110\n",
    "libreview": "Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,Scan Glucose mg/dL\r\n"
      + "FreeStyle Libre,0M1,22-05-2024 12:10,0,110,\r\nFreeStyle Libre,0M1,22-05-2024 12:11,1,,111\r\n",
  ]

  private static func seeds(_ format: String) -> [[UInt8]] {
    (texts[format].map { [Array($0.utf8)] } ?? [])
      + Catalogue.standard.historyWriters.filter { $0.name == format }.flatMap { writer in
        GlucoseUnit.allCases.map { written(entries, writer, $0) }
      }
  }

  private static func written(
    _ entries: [HistoryEntry], _ writer: any HistoryWriter, _ unit: GlucoseUnit
  ) -> [UInt8] {
    let context = ExportContext(
      unit: unit, program: "libre", version: "0.1.0", now: Instant(secondsSince1970: 1_716_379_200),
      clock: LocalClock(zoneName: "Europe/Rome") { _ in 7_200 }, person: "white_bear")
    var document = writer.document(context)
    var bytes = document.begin()
    for entry in entries { bytes += document.add(entry) }
    return bytes + document.end()
  }

  /// On a clock two hours ahead of UTC, on which one hour never was and another came twice.
  private static func options(_ unit: GlucoseUnit?, _ order: ImportOptions.DateOrder?) -> ImportOptions {
    // From 2024-03-29T10:00:00Z to 2024-03-31T01:00:00Z it was put back.
    let clock = LocalClock { (1_711_706_400..<1_711_846_800).contains($0.secondsSince1970) ? 3_600 : 7_200 }
    return ImportOptions(dateOrder: order, unit: unit, clock: clock)
  }

  private static func read(_ bytes: [UInt8], at path: String?, _ reader: any HistoryReader) throws {
    for (unit, order) in [(nil, nil), (GlucoseUnit.milligramsPerDecilitre, ImportOptions.DateOrder.dayFirst)] {
      let (found, failure) = entries(bytes, at: path, piece: 4_096, reader, options(unit, order))
      let (inPieces, failureInPieces) = entries(bytes, at: path, piece: 7, reader, options(unit, order))
      try require(found == inPieces && told(failure) == told(failureInPieces), "in small pieces it is the same file")
      try check(found, isOurs: ["ndjson", "csv"].contains(reader.name))
      if failure == nil { break }
    }
  }

  private static func entries(
    _ bytes: [UInt8], at path: String?, piece: Int, _ reader: any HistoryReader, _ options: ImportOptions
  ) -> (found: [HistoryEntry], failure: HistoryError?) {
    var found: [HistoryEntry] = []
    do {
      _ = try reader.read(FuzzedFile(bytes: bytes, piece: piece, path: path), options) { found.append($0) }
      return (found, nil)
    } catch {
      return (found, error)
    }
  }

  /// Without the words of the XML parser, which finds another fault on a line where a piece ends in it.
  private static func told(_ failure: HistoryError?) -> HistoryError? {
    guard case .badLine(let line, let words) = failure, words.hasPrefix("invalid XML: ") else { return failure }
    return .badLine(line, "invalid XML")
  }

  private static func check(_ found: [HistoryEntry], isOurs: Bool) throws {
    for entry in found {
      try require(
        entry.concentration?.milligramsPerDecilitre.isFinite ?? true, "no number is NaN or infinite: \(entry)")
      if !isOurs {
        try require(entry.time != nil && entry.concentration != nil, "an entry has a time and a number: \(entry)")
      }
    }
    for writer in Catalogue.standard.historyWriters where writer.name != "ndjson" {
      for unit in GlucoseUnit.allCases { _ = written(found, writer, unit) }
    }
    if found.isEmpty { return }
    let ours = NDJSONWriter()
    let lines = written(found, ours, .milligramsPerDecilitre)
    let (again, failure) = entries(lines, at: nil, piece: 4_096, NDJSONReader(), options(nil, nil))
    if let failure {
      throw OracleFailure(
        description: "our own lines are refused: \(failure)\n\(String(decoding: lines, as: UTF8.self))")
    }
    try require(again.map(\.time) == found.map(\.time) && again.map(\.id) == found.map(\.id), "times and ids")
    for (one, other) in zip(again, found) {
      try require(one.isNear(other), "our own lines give back every number")
      // A file may have more places than we write.
      if isOurs, one.numbers.map(\.value) == other.numbers.map(\.value) {
        try require(one == other, "our own lines give back every entry as it was")
      }
    }
    try require(written(again, ours, .milligramsPerDecilitre) == lines, "our own lines give back what is in them")
  }
}

extension HistoryEntry {
  /// Its concentration and, of a sensor's sample, what that was made of, with the last place that we write of it.
  fileprivate var numbers: [(value: Double?, place: Double)] {
    let own = [(concentration?.milligramsPerDecilitre, 1e-4)]
    guard case .sensor(let stored) = self else { return own }
    let parameters = stored.calibration?.parameters ?? []
    return own + [(stored.sample.temperatureCelsius, 1e-2)] + parameters.map { ($0.value, 1e-12) }
  }

  /// Whether it has the other's numbers, but for places that we do not write.
  fileprivate func isNear(_ other: HistoryEntry) -> Bool {
    let (own, others) = (numbers, other.numbers)
    return own.count == others.count
      && zip(own, others).allSatisfy { own, other in
        guard let value = own.value, let twin = other.value else { return own.value == nil && other.value == nil }
        // Half a place, and what a double of that size cannot tell apart.
        return abs(value - twin) <= 0.51 * own.place + abs(value) * 1e-15
      }
  }
}

/// A file in memory, given out in pieces.
private struct FuzzedFile: HistoryFile {
  let bytes: [UInt8]
  let piece: Int
  let path: String?

  var head: [UInt8] { Array(bytes.prefix(65_536)) }

  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError) {
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try chunk(Array(bytes[start..<min(start + piece, bytes.count)]))
    }
  }
}
