// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import TextFormats

/// Libre's own format: one `libre.sample/1` on each line, or an array of them. Import restores all facts about an
/// entry.
///
/// | member | becomes |
/// |---|---|
/// | `ring` `finger_stick` | a finger-stick |
/// | `raw` | a sensor's sample, of the sensor with this `uid`, or else this `fingerprint` |
/// | neither | an imported value of this `source` |
///
/// A line of the schema `libre.blood_pressure/1` becomes a blood pressure.
///
/// A line that is invalid, or contradicts itself, is refused; the error is reported after all others were read.
///
/// Source: LibreDocuments/Contract, "Sample" and "Other documents".
public struct NDJSONReader: HistoryReader {
  public init() {}

  public let name = "ndjson"
  public let summary = "libre's own export, one JSON object a line (libre.sample/1)"

  static let schema = SampleJSON.schema

  public func hasSignature(_ file: any HistoryFile) -> Bool {
    let head = file.head
    return head.looksLikeJSONObjects
      && [Self.schema, BloodPressureJSON.schema].contains { head.contains(text: "\"\($0)\"") }
  }

  @discardableResult public func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: "objects of the schema \(Self.schema)") }
    var refused: (first: HistoryError, count: Int)?
    try file.forEachObject(SampleRecord.self) { (record, object) throws(HistoryError) in
      let found: HistoryEntry
      do throws(HistoryError) {
        found = try record.entry(object)
      } catch {
        refused = (refused?.first ?? error, (refused?.count ?? 0) + 1)
        return
      }
      try entry(found)
    }
    if let refused { throw refused.count == 1 ? refused.first : .severalRefused(refused.count, first: refused.first) }
    return HistoryFacts()
  }
}

/// The members of a `libre.sample/1`.
private struct SampleRecord: Decodable {
  let schema: String
  let id: String?
  let uid: String?
  let serial: String?
  let wear: Int?
  let ring: String?
  let minute: Int?
  let time: String?
  let raw: Raw?
  let quality: String?
  let temperature: Double?
  let glucose: Double?
  /// The model's value. Exports of libre before this member have it in `glucose_mg_dl`.
  let modelGlucose: Double?
  let calibration: Calibration?
  let family: String?
  let fingerprint: String?
  let salvaged: Bool?
  let source: String?
  let device: String?
  let bound: String?
  let note: String?
  let systolic: Double?
  let diastolic: Double?
  let mean: Double?
  let unit: String?
  let pulse: Double?
  let user: Int?
  let conditions: [String]?

  struct Raw: Decodable {
    let glucose: Int
    let temperature: Int
    let adjustment: Int
    let hasError: Bool
    let errorField: Int

    private enum CodingKeys: String, CodingKey {
      case glucose, temperature
      case adjustment = "temperature_adjustment"
      case hasError = "has_error"
      case errorField = "error_field"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case schema, id, uid, serial, wear, ring, minute, time, raw, quality
    case temperature = "temperature_c"
    case glucose = "glucose_mg_dl"
    case modelGlucose = "model_glucose_mg_dl"
    case calibration, family, fingerprint, salvaged, source, device, bound, note
    case systolic, diastolic, mean, unit, user, conditions
    case pulse = "pulse_per_minute"
  }

  /// Returns the entry.
  ///
  /// - Throws: `badField` for an invalid value, `badLine` for values that contradict each other.
  func entry(_ object: JSONObjects.Object) throws(HistoryError) -> HistoryEntry {
    let fields = Fields(line: object.line)
    if schema == BloodPressureJSON.schema { return .bloodPressure(try pressure(fields)) }
    guard schema == NDJSONReader.schema else { throw fields.bad("schema", schema) }
    guard let ring else { throw fields.bad("ring", nil) }
    guard let quality else { throw fields.bad("quality", nil) }
    if ring != "finger_stick", raw != nil { return .sensor(try stored(object, ring: ring, quality: quality, fields)) }
    guard let time = try fields.time(time) else { throw fields.bad("time", nil) }
    guard let glucose else { throw fields.bad("glucose_mg_dl", nil) }
    guard quality == SampleQuality.ok.rawValue else { throw fields.bad("quality", quality) }
    let concentration = GlucoseConcentration(milligramsPerDecilitre: glucose)
    guard ring != "finger_stick" else {
      return .fingerStick(
        FingerStick(
          id: try fields.id(id), time: time, concentration: concentration, note: note, source: source))
    }
    guard let source else { throw fields.bad("source", nil) }
    return .imported(
      ImportedSample(
        id: try fields.id(id), source: source, device: device, ring: try fields.value("ring", ring), time: time,
        concentration: concentration,
        bound: try bound.map { (text) throws(HistoryError) in try fields.value("bound", text) }
      ))
  }

  /// The value of the model, whatever the quality.
  private var value: Double? { modelGlucose ?? glucose }

  private func pressure(_ fields: Fields) throws(HistoryError) -> BloodPressure {
    guard let time = try fields.time(time) else { throw fields.bad("time", nil) }
    guard let unit else { throw fields.bad("unit", nil) }
    func number(_ name: String, _ value: Double?) throws(HistoryError) -> Double? {
      guard let value else { return nil }
      guard value > 0, value < 1_000 else { throw fields.bad(name, "\(value)") }
      return value
    }
    guard let systolic = try number("systolic", systolic) else { throw fields.bad("systolic", nil) }
    guard let diastolic = try number("diastolic", diastolic) else { throw fields.bad("diastolic", nil) }
    if let user, !(0...255).contains(user) { throw fields.bad("user", "\(user)") }
    if let word = conditions?.first(where: {
      !$0.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz_".utf8.contains) || $0.isEmpty
    }) {
      throw fields.bad("conditions", word)
    }
    return BloodPressure(
      id: try fields.id(id), time: time, systolic: systolic, diastolic: diastolic, mean: try number("mean", mean),
      unit: try fields.value("unit", unit), pulse: try number("pulse_per_minute", pulse), user: user,
      conditions: conditions ?? [], source: source)
  }

  private func stored(
    _ object: JSONObjects.Object, ring: String, quality: String, _ fields: Fields
  ) throws(HistoryError) -> StoredSample {
    // The age has two bytes in a sensor's memory.
    guard let minute, (1...65_535).contains(minute) else { throw fields.bad("minute", minute.map(String.init)) }
    guard let wear, (1...65_535).contains(wear) else { throw fields.bad("wear", wear.map(String.init)) }
    let quality: SampleQuality = try fields.value("quality", quality)
    if let calibration, calibration.version < 1 { throw fields.bad("calibration.version", "\(calibration.version)") }
    let raw = try rawSample(ring: ring, minute: minute, isNeverWritten: quality == .neverWritten, fields)
    if let words = contradiction(raw, quality) { throw .badLine(object.line, words) }
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: temperature,
      concentration: value.map(GlucoseConcentration.init(milligramsPerDecilitre:)), quality: quality,
      time: try fields.time(time), id: try fields.id(id))
    return StoredSample(
      sensor: try sensor(fields), wear: wear, sample: sample,
      calibration: calibration?.description(object), isSalvaged: salvaged ?? false)
  }

  /// Returns a contradiction between two members, by the rules of value, quality and minute (LibreDocuments/Contract,
  /// "Value", "Quality" and "Minute"); nil without one.
  private func contradiction(_ raw: RawSample, _ quality: SampleQuality) -> String? {
    if raw.ring == .history, raw.minute.value % 15 != 0 {
      return "history minutes are multiples of 15, got minute \(raw.minute)"
    }
    if raw.hasError != (quality == .error) {
      return "has_error is \(raw.hasError), but the quality is \(quality.rawValue)"
    }
    if quality == .neverWritten,
      (raw.glucose, raw.temperature, raw.temperatureAdjustment, raw.errorField) != (0, 0, 0, 0)
    {
      return "the quality is never_written, but raw is not all 0"
    }
    if raw.glucose == 0, quality == .ok { return "raw.glucose is 0, but the quality is ok" }
    if value != nil, raw.hasError { return "has_error is true, but there is a value" }
    if value != nil, raw.glucose == 0 { return "raw.glucose is 0, but there is a value" }
    if let glucose, let modelGlucose, glucose != modelGlucose {
      return "glucose_mg_dl is \(glucose), but model_glucose_mg_dl is \(modelGlucose)"
    }
    return nil
  }

  private func rawSample(
    ring: String, minute: Int, isNeverWritten: Bool, _ fields: Fields
  ) throws(HistoryError) -> RawSample {
    guard let raw else { throw fields.bad("raw", nil) }
    return RawSample(
      ring: try fields.value("ring", ring), minute: SensorMinute(minute),
      glucose: try fields.number("raw.glucose", raw.glucose, 0...16_383),
      temperature: try fields.number("raw.temperature", raw.temperature, 0...16_380, step: 4),
      temperatureAdjustment: try fields.number("raw.temperature_adjustment", raw.adjustment, -2_044...2_044, step: 4),
      hasError: raw.hasError, errorField: try fields.number("raw.error_field", raw.errorField, 0...2_047),
      isNeverWritten: isNeverWritten)
  }

  private func sensor(_ fields: Fields) throws(HistoryError) -> SensorIdentity {
    var known: SensorUID?
    if let uid {
      known = try? SensorUID(printed: uid)
      if known == nil { throw fields.bad("uid", uid) }
    }
    let print = fingerprint.flatMap { HexText.bytes(of: $0) }.flatMap(SensorFingerprint.init(bytes:))
    if let fingerprint, print == nil { throw fields.bad("fingerprint", fingerprint) }
    guard known != nil || print != nil else { throw fields.bad("uid", nil) }
    return SensorIdentity(
      uid: known, fingerprint: print, serial: serial,
      family: try family.map { (text) throws(HistoryError) in try fields.value("family", text) } ?? .unknown)
  }
}

/// Reads the members' texts, with errors that name the line.
private struct Fields {
  let line: Int

  func bad(_ name: String, _ value: String?) -> HistoryError {
    .badField(line: line, name: name, value: value.map(SafeText.quoted) ?? "missing")
  }

  func value<Value: RawRepresentable>(
    _ name: String, _ text: String
  ) throws(HistoryError) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: text) else { throw bad(name, text) }
    return value
  }

  func number<Number: FixedWidthInteger>(
    _ name: String, _ value: Int, _ range: ClosedRange<Int>, step: Int = 1
  ) throws(HistoryError) -> Number {
    guard range.contains(value), value % step == 0, let number = Number(exactly: value) else {
      throw bad(name, "\(value)")
    }
    return number
  }

  func time(_ text: String?) throws(HistoryError) -> Instant? {
    guard let text else { return nil }
    guard let time = Instant(rfc3339: text) else { throw bad("time", text) }
    return time
  }

  /// Reads a UUID.
  func id(_ text: String?) throws(HistoryError) -> SampleID? {
    guard let text else { return nil }
    guard let bytes = HexText.bytes(of: text), bytes.count == 16 else { throw bad("id", text) }
    return SampleID(bytes: bytes)
  }
}

/// The model in `{"model":"factory","version":1,"i1":0,…}`: all other members are its parameters.
private struct Calibration: Decodable {
  private let model: String
  let version: Int
  private let basis: CalibrationBasis?
  private let numbers: [String: Double]

  private static let numberLimit = 64

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    model = try members.decode(String.self, forKey: Key(stringValue: "model"))
    version = try members.decode(Int.self, forKey: Key(stringValue: "version"))
    var numbers: [String: Double] = [:]
    basis = try members.decodeIfPresent(String.self, forKey: Key(stringValue: "series")).flatMap(
      CalibrationBasis.init)
    // A dictionary has another order at each run, and the first error found would differ with it.
    let names = members.allKeys.map(\.stringValue).filter { !["model", "version", "series"].contains($0) }.sorted()
    for key in names.map(Key.init(stringValue:)) {
      guard numbers.count < Self.numberLimit else {
        throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "too many numbers")
      }
      numbers[key.stringValue] = try members.decode(Double.self, forKey: key)
    }
    self.numbers = numbers
  }

  /// Returns the description with the parameters in the order of the text, which a decoder does not keep.
  func description(_ object: JSONObjects.Object) -> CalibrationDescription {
    let text = object.text[(Self.position(of: "calibration", in: object.text[...]) ?? 0)...]
    let order = numbers.keys.map { ($0, Self.position(of: $0, in: text) ?? text.endIndex) }.sorted {
      ($0.1, $0.0) < ($1.1, $1.0)
    }
    return CalibrationDescription(
      model: model, version: version,
      parameters: order.compactMap { name, _ in numbers[name].map { .init(name, $0) } }, basis: basis)
  }

  private static func position(of name: String, in text: ArraySlice<UInt8>) -> Int? {
    let quoted = Array("\"\(name)\"".utf8)
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "\"")), text.endIndex - start >= quoted.count {
      if text[start..<start + quoted.count].elementsEqual(quoted) { return start }
      rest = text[(start + 1)...]
    }
    return nil
  }
}
