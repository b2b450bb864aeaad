// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

extension SampleRecord {
  private static let names: [StaticString] = [
    "schema", "id", "uid", "serial", "wear", "ring", "minute", "time", "raw", "quality", "temperature_c",
    "glucose_mg_dl", "model_glucose_mg_dl", "calibration", "family", "fingerprint", "salvaged", "source", "device",
    "bound", "note",
  ]

  /// The members that are neither null nor missing: `schema`, `ring` and `quality`.
  private static let required: UInt32 = 1 << 0 | 1 << 5 | 1 << 9

  /// Reads the form that libre writes; nil for any other, and for a record that has to be refused.
  init?(_ object: JSONObjects.Object, _ shared: inout SharedParts) {
    var json = PlainJSON(object.text)
    var record = SampleRecord()
    var found: UInt32 = 0
    let isRead = json.object { json, name in
      guard let number = json.position(of: name, in: Self.names) else { return json.ignored() }
      // Of a member that is there twice, the decoder decides which one counts.
      guard found & 1 << number == 0 else { return false }
      if json.null() { return Self.required & 1 << number == 0 }
      found |= 1 << number
      func set<Value>(_ member: inout Value?, _ value: Value?) -> Bool {
        member = value
        return value != nil
      }
      func setText(_ member: inout String) -> Bool {
        guard let text = json.string() else { return false }
        member = text
        return true
      }
      return switch number {
      case 0: setText(&record.schema)
      case 1: set(&record.id, json.string())
      case 2: set(&record.uid, json.string())
      case 3: set(&record.serial, json.string())
      case 4: set(&record.wear, json.integer())
      case 5: setText(&record.ring)
      case 6: set(&record.minute, json.integer())
      case 7: set(&record.time, json.string())
      case 8: set(&record.raw, Raw(&json))
      case 9: setText(&record.quality)
      case 10: set(&record.temperature, json.double())
      case 11: set(&record.glucose, json.double())
      case 12: set(&record.modelGlucose, json.double())
      case 13: set(&record.calibration, Calibration(&json, &shared))
      case 14: set(&record.family, json.string())
      case 15: set(&record.fingerprint, json.string())
      case 16: set(&record.salvaged, json.boolean())
      case 17: set(&record.source, json.string())
      case 18: set(&record.device, json.string())
      case 19: set(&record.bound, json.string())
      case 20: set(&record.note, json.string())
      default: false
      }
    }
    guard isRead, json.isAtEnd, found & Self.required == Self.required else { return nil }
    self = record
  }
}

extension SampleRecord.Raw {
  private static let names: [StaticString] = [
    "glucose", "temperature", "temperature_adjustment", "has_error", "error_field",
  ]

  init?(_ json: inout PlainJSON) {
    var raw = SampleRecord.Raw()
    var count = 0
    let isRead = json.object(of: Self.names) { json, name in
      count += 1
      if name == 3 {
        guard let value = json.boolean() else { return false }
        raw.hasError = value
        return true
      }
      guard let value = json.integer() else { return false }
      switch name {
      case 0: raw.glucose = value
      case 1: raw.temperature = value
      case 2: raw.adjustment = value
      default: raw.errorField = value
      }
      return true
    }
    guard isRead, count == Self.names.count else { return nil }
    self = raw
  }
}

extension Calibration {
  private static let names: [StaticString] = ["model", "version", "series", "software"]

  init?(_ json: inout PlainJSON, _ shared: inout SharedParts) {
    if let known = shared.calibration, json.skip(known.text) {
      self = known.value
      return
    }
    var (model, version): (String?, Int?)
    var basis: CalibrationBasis?
    var software: String?
    var numbers: [CalibrationDescription.Parameter] = []
    let start = json.index
    let isRead = json.object { json, name in
      switch json.position(of: name, in: Self.names) {
      case 0 where model == nil: model = json.string()
      case 1 where version == nil: version = json.integer()
      case 2 where basis == nil: basis = json.string().flatMap(CalibrationBasis.init)
      case 3 where software == nil:
        software = json.string()
        return software != nil
      case nil:
        guard numbers.count < Self.numberLimit, let name = json.string(name), let value = json.double(),
          !numbers.contains(where: { $0.name == name })
        else { return false }
        numbers.append(.init(name, value))
        return true
      default: return false
      }
      return true
    }
    guard isRead, let model, let version else { return nil }
    self.init(model: model, version: version, basis: basis, software: software, ordered: numbers)
    shared.calibration = (json.bytes(from: start), self)
  }
}
