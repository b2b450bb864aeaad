// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The parts that the last record had.
struct SharedParts {
  var calibration: (text: [UInt8], value: CalibrationDescription)?
  var sensor: (texts: [String?], identity: SensorIdentity)?
}

/// The values of a `libre.sample/1`, or of a row of libre's own table, as they stand there.
struct SampleRecord {
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
  var calibration: CalibrationDescription?
  var family: String?
  var fingerprint: String?
  var salvaged: Bool?
  var source: String?
  var device: String?
  var bound: String?
  var note: String?

  struct Raw {
    var glucose = 0
    var temperature = 0
    var adjustment = 0
    var hasError = false
    var errorField: Int?
  }

  /// Returns the entry.
  func entry(_ fields: LineFields, _ shared: inout SharedParts) throws(HistoryError) -> HistoryEntry {
    guard schema == SampleJSON.schema else { throw fields.bad("schema", schema) }
    if ring != "finger_stick", raw != nil { return .sensor(try stored(fields, &shared)) }
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
    _ fields: LineFields, _ shared: inout SharedParts
  ) throws(HistoryError) -> StoredSample {
    // The age has two bytes in a sensor's memory.
    guard let minute, (1...65_535).contains(minute) else { throw fields.bad("minute", minute.map(String.init)) }
    guard let wear, (1...65_535).contains(wear) else { throw fields.bad("wear", wear.map(String.init)) }
    let quality: SampleQuality = try fields.value("quality", quality)
    if let calibration, calibration.version < 1 { throw fields.bad("calibration.version", "\(calibration.version)") }
    let raw = try rawSample(minute: minute, isNeverWritten: quality == .neverWritten, fields)
    if let words = contradiction(raw, quality) { throw .badLine(fields.line, words) }
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
      calibration: calibration, isSalvaged: salvaged ?? false)
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
      (raw.glucose, raw.temperature, raw.temperatureAdjustment, raw.errorField ?? 0) != (0, 0, 0, 0)
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

  private func rawSample(minute: Int, isNeverWritten: Bool, _ fields: LineFields) throws(HistoryError) -> RawSample {
    guard let raw else { throw fields.bad("raw", nil) }
    return RawSample(
      ring: try fields.value("ring", ring), minute: SensorMinute(minute),
      glucose: try fields.number("raw.glucose", raw.glucose, 0...16_383),
      temperature: try fields.number("raw.temperature", raw.temperature, 0...16_380, step: 4),
      temperatureAdjustment: try fields.number("raw.temperature_adjustment", raw.adjustment, -2_044...2_044, step: 4),
      hasError: raw.hasError,
      errorField: try raw.errorField.map { (field) throws(HistoryError) in
        try fields.number("raw.error_field", field, 0...2_047)
      },
      isNeverWritten: isNeverWritten)
  }

  private func sensor(_ fields: LineFields) throws(HistoryError) -> SensorIdentity {
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

extension SampleRecord {
  private static let members = SampleJSON.Member.allCases
  private static let names = JSONNames(
    members.map(\.rawValue),
    required: [SampleJSON.Member.schema, .ring, .quality].map(\.rawValue))

  /// Reads the members of an object; false for a text that is not an object.
  mutating func read(_ json: inout JSONCursor, _ shared: inout SharedParts) -> Bool {
    json.object(of: Self.names) { json, name in
      switch Self.members[name] {
      case .schema: json.string(into: &schema)
      case .id: json.string(into: &id)
      case .uid: json.string(into: &uid)
      case .serial: json.string(into: &serial)
      case .wear: json.integer(into: &wear)
      case .ring: json.string(into: &ring)
      case .minute: json.integer(into: &minute)
      case .time: json.string(into: &time)
      case .raw: readRaw(&json)
      case .quality: json.string(into: &quality)
      case .temperature: json.double(into: &temperature)
      case .glucose: json.double(into: &glucose)
      case .modelGlucose: json.double(into: &modelGlucose)
      case .calibration: readCalibration(&json, &shared)
      case .family: json.string(into: &family)
      case .fingerprint: json.string(into: &fingerprint)
      case .salvaged: json.boolean(into: &salvaged)
      case .source: json.string(into: &source)
      case .device: json.string(into: &device)
      case .bound: json.string(into: &bound)
      case .note: json.string(into: &note)
      // These follow from other members, or belong to the history that the entry was taken from.
      case .referenceID, .errors, .glucoseInMillimoles, .modelGlucoseInMillimoles, .supersededBy: json.skipValue()
      }
    }
  }

  private static let rawMembers = SampleJSON.RawMember.allCases
  private static let rawNames = JSONNames(
    rawMembers.map(\.rawValue),
    required: [SampleJSON.RawMember.glucose, .temperature, .adjustment, .hasError].map(\.rawValue))

  private mutating func readRaw(_ json: inout JSONCursor) -> Bool {
    var raw = Raw()
    let isRead = json.object(of: Self.rawNames) { json, name in
      switch Self.rawMembers[name] {
      case .glucose: json.integer(into: &raw.glucose)
      case .temperature: json.integer(into: &raw.temperature)
      case .adjustment: json.integer(into: &raw.adjustment)
      case .hasError: json.boolean(into: &raw.hasError)
      case .errorField: json.integer(into: &raw.errorField)
      }
    }
    self.raw = raw
    return isRead
  }

  /// The most numbers of a model.
  static let numberLimit = 64
  /// The members of a model that are not its numbers.
  static let calibrationMembers = ["model", "version", "series", "software"]
  private static let calibrationNames = JSONNames(calibrationMembers, required: ["model", "version"])

  /// Reads the model in `{"model":"factory","version":1,"i1":0,…}`: all other members are its numbers.
  private mutating func readCalibration(_ json: inout JSONCursor, _ shared: inout SharedParts) -> Bool {
    if let known = shared.calibration, json.skip(known.text) {
      calibration = known.value
      return true
    }
    var (model, version) = ("", 0)
    var (series, software) = (String?.none, String?.none)
    var numbers: [CalibrationDescription.Parameter] = []
    let start = json.index
    let isRead = json.object(of: Self.calibrationNames) { json, name in
      guard numbers.count < Self.numberLimit, let value = json.double() else { return false }
      if !numbers.contains(where: { $0.name == name }) { numbers.append(.init(name, value)) }
      return true
    } _: { json, name in
      switch name {
      case 0: json.string(into: &model)
      case 1: json.integer(into: &version)
      case 2: json.string(into: &series)
      default: json.string(into: &software)
      }
    }
    let read = CalibrationDescription(
      model: model, version: version, parameters: numbers, basis: series.flatMap(CalibrationBasis.init),
      software: software)
    calibration = read
    if isRead, json.wrongMember == nil { shared.calibration = (json.bytes(from: start), read) }
    return isRead
  }
}
