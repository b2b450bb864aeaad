// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The parts that the last record had.
struct SharedParts {
  var calibration: (text: [UInt8], value: Calibration)?
  var sensor: (texts: [String?], identity: SensorIdentity)?
}

/// The members of a `libre.sample/1`.
struct SampleRecord: Decodable {
  var schema = ""
  var id: String?
  var uid: String?
  var serial: String?
  var wear: Int?
  var ring = ""
  var minute: Int?
  var time: String?
  var raw: Raw?
  var quality = ""
  var temperature: Double?
  var glucose: Double?
  /// The model's value. Exports of libre before this member have it in `glucose_mg_dl`.
  var modelGlucose: Double?
  var calibration: Calibration?
  var family: String?
  var fingerprint: String?
  var salvaged: Bool?
  var source: String?
  var device: String?
  var bound: String?
  var note: String?

  struct Raw: Decodable {
    var glucose = 0
    var temperature = 0
    var adjustment = 0
    var hasError = false
    var errorField = 0

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
  }

  /// Returns the entry.
  ///
  /// - Throws: `badField` for an invalid value, `badLine` for values that contradict each other.
  func entry(_ object: JSONObjects.Object, _ shared: inout SharedParts) throws(HistoryError) -> HistoryEntry {
    let fields = RecordFields(line: object.line)
    guard schema == NDJSONReader.schema else { throw fields.bad("schema", schema) }
    if ring != "finger_stick", raw != nil { return .sensor(try stored(object, fields, &shared)) }
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

  private func stored(
    _ object: JSONObjects.Object, _ fields: RecordFields, _ shared: inout SharedParts
  ) throws(HistoryError) -> StoredSample {
    // The age has two bytes in a sensor's memory.
    guard let minute, (1...65_535).contains(minute) else { throw fields.bad("minute", minute.map(String.init)) }
    guard let wear, (1...65_535).contains(wear) else { throw fields.bad("wear", wear.map(String.init)) }
    let quality: SampleQuality = try fields.value("quality", quality)
    if let calibration, calibration.version < 1 { throw fields.bad("calibration.version", "\(calibration.version)") }
    let raw = try rawSample(minute: minute, isNeverWritten: quality == .neverWritten, fields)
    if let words = contradiction(raw, quality) { throw .badLine(object.line, words) }
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: temperature,
      concentration: value.map(GlucoseConcentration.init(milligramsPerDecilitre:)), quality: quality,
      time: try fields.time(time))
    // The sample's own id follows from its sensor.
    _ = try fields.id(id)
    let texts = [uid, fingerprint, serial, family]
    let identity: SensorIdentity
    if let known = shared.sensor, known.texts == texts {
      identity = known.identity
    } else {
      identity = try sensor(fields)
      shared.sensor = (texts, identity)
    }
    return StoredSample(
      sensor: identity, wear: wear, sample: sample,
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

  private func rawSample(minute: Int, isNeverWritten: Bool, _ fields: RecordFields) throws(HistoryError) -> RawSample {
    guard let raw else { throw fields.bad("raw", nil) }
    return RawSample(
      ring: try fields.value("ring", ring), minute: SensorMinute(minute),
      glucose: try fields.number("raw.glucose", raw.glucose, 0...16_383),
      temperature: try fields.number("raw.temperature", raw.temperature, 0...16_380, step: 4),
      temperatureAdjustment: try fields.number("raw.temperature_adjustment", raw.adjustment, -2_044...2_044, step: 4),
      hasError: raw.hasError, errorField: try fields.number("raw.error_field", raw.errorField, 0...2_047),
      isNeverWritten: isNeverWritten)
  }

  private func sensor(_ fields: RecordFields) throws(HistoryError) -> SensorIdentity {
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

/// The model in `{"model":"factory","version":1,"i1":0,…}`: all other members are its parameters.
struct Calibration: Decodable {
  private let model: String
  let version: Int
  private let basis: CalibrationBasis?
  private let software: String?
  private let numbers: [String: Double]
  /// The numbers in the order of the text; nil if it is not known.
  private var ordered: [CalibrationDescription.Parameter]?

  static let numberLimit = 64
  /// The members that are not numbers of the model.
  static let otherMembers = ["model", "version", "series", "software"]

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
    software = try members.decodeIfPresent(String.self, forKey: Key(stringValue: "software"))
    // A dictionary has another order at each run, and the first error found would differ with it.
    let names = members.allKeys.map(\.stringValue).filter { !Self.otherMembers.contains($0) }.sorted()
    for key in names.map(Key.init(stringValue:)) {
      guard numbers.count < Self.numberLimit else {
        throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "too many numbers")
      }
      numbers[key.stringValue] = try members.decode(Double.self, forKey: key)
    }
    self.numbers = numbers
  }

  init(
    model: String, version: Int, basis: CalibrationBasis?, software: String? = nil,
    ordered: [CalibrationDescription.Parameter]
  ) {
    (self.model, self.version, self.basis, self.software) = (model, version, basis, software)
    self.ordered = ordered
    numbers = [:]
  }

  /// Returns the description with the parameters in the order of the text, which a decoder does not keep.
  func description(_ object: JSONObjects.Object) -> CalibrationDescription {
    if let ordered {
      return CalibrationDescription(
        model: model, version: version, parameters: ordered, basis: basis, software: software)
    }
    let text = object.text[(Self.position(of: "calibration", in: object.text[...]) ?? 0)...]
    let order = numbers.keys.map { ($0, Self.position(of: $0, in: text) ?? text.endIndex) }.sorted {
      ($0.1, $0.0) < ($1.1, $1.0)
    }
    return CalibrationDescription(
      model: model, version: version,
      parameters: order.compactMap { name, _ in numbers[name].map { .init(name, $0) } }, basis: basis,
      software: software)
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
