// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// The document `libre.sample/1` (LibreDocuments/Contract, "Other documents"): one entry of a history with all facts.
///
/// | member | sensor | imported | finger-stick |
/// |---|---|---|---|
/// | `uid` `serial` `wear` `minute` | its own | null | null |
/// | `ring` | `history` or `trend` | the same | `finger_stick` |
/// | `raw` `temperature_c` | what the sensor stored | null | null |
/// | `quality` `errors` | those of the sample | `ok`, empty | `ok`, empty |
/// | further | `calibration` `family` `fingerprint` (`salvaged` `superseded_by`) | `source` `device` `bound` | `source` `note` |
package enum SampleJSON {
  package static let schema = "libre.sample/1"
  /// The member for the user's own name for the person.
  package static let referenceID = Member.referenceID.rawValue

  /// The members in their order, for all that reads, describes or lists them. What writes them has the names as literals,
  /// which is faster; a test compares both.
  package enum Member: String, CaseIterable, Sendable {
    case schema, id
    case referenceID = "reference_id"
    case uid, serial, wear, ring, minute, time, raw, quality, errors
    case temperature = "temperature_c"
    case glucose = "glucose_mg_dl"
    case glucoseInMillimoles = "glucose_mmol_l"
    case modelGlucose = "model_glucose_mg_dl"
    case modelGlucoseInMillimoles = "model_glucose_mmol_l"
    case calibration, family, fingerprint, salvaged
    case supersededBy = "superseded_by"
    case source, device, bound, note
  }

  package enum RawMember: String, CaseIterable, Sendable {
    case glucose, temperature
    case adjustment = "temperature_adjustment"
    case hasError = "has_error"
    case errorField = "error_field"
  }

  /// Writes an entry; a blood pressure by its own schema (`BloodPressureJSON`). `unit` may add a value in mmol/L to the one
  /// in mg/dL. `person` is the user's own name for the person, for the member `reference_id`.
  package static func write(
    _ entry: HistoryEntry, unit: GlucoseUnit, person: String? = nil, to writer: inout JSONWriter
  ) {
    if case .bloodPressure(let pressure) = entry {
      return BloodPressureJSON.write(pressure, person: person, to: &writer)
    }
    writer.object { json in
      json.key("schema")
      json.string(schema)
      json.key("id")
      json.value(entry.id)
      json.memberIfKnown(referenceID, person)
      switch entry {
      case .bloodPressure: break
      case .sensor(let stored): write(stored, unit: unit, to: &json)
      case .imported(let imported):
        writeUnknownSensor(to: &json)
        writeValue(imported.concentration, ring: imported.ring.rawValue, time: imported.time, unit: unit, to: &json)
        json.member("source", imported.source)
        json.member("device", imported.device)
        json.member("bound", imported.bound?.rawValue)
      case .fingerStick(let stick):
        writeUnknownSensor(to: &json)
        writeValue(stick.concentration, ring: fingerStickRing, time: stick.time, unit: unit, to: &json)
        json.member("source", stick.source)
        json.member("note", stick.note)
      }
    }
  }

  /// Writes the members of a sample from `ring` on, as in `libre.reading/1` and `libre.sample/1`
  /// (LibreDocuments/Contract, "Sample").
  package static func writeMembers(of sample: GlucoseSample, unit: GlucoseUnit, to json: inout JSONWriter) {
    json.key("ring")
    json.string(sample.ring.rawValue)
    json.key("minute")
    json.value(sample.minute.value)
    json.key("time")
    json.value(sample.time)
    json.key("raw")
    json.object { json in
      json.key("glucose")
      json.value(Int(sample.raw.glucose))
      json.key("temperature")
      json.value(Int(sample.raw.temperature))
      json.key("temperature_adjustment")
      json.value(Int(sample.raw.temperatureAdjustment))
      json.key("has_error")
      json.value(sample.raw.hasError)
      json.key("error_field")
      json.value(sample.raw.errorField.map(Int.init))
    }
    json.key("quality")
    json.string(sample.quality.rawValue)
    json.key("errors")
    json.value(sample.raw.errors.names)
    json.key("temperature_c")
    json.value(sample.temperatureCelsius, places: 2)
    write(sample.usableConcentration, model: sample.concentration, unit: unit, to: &json)
  }

  /// Writes the model of a value with its parameters; null for none. `provenance` is the source of the model.
  package static func write(
    _ calibration: CalibrationDescription?, provenance: String? = nil, to writer: inout JSONWriter
  ) {
    guard let calibration else { return writer.null() }
    writer.object { json in
      json.key("model")
      json.string(calibration.model)
      json.key("version")
      json.value(calibration.version)
      if let provenance { json.member("provenance", provenance) }
      if let basis = calibration.basis { json.member("series", basis.rawValue) }
      json.memberIfKnown("software", calibration.software)
      for parameter in calibration.parameters { json.member(parameter.name, parameter.value, places: 12) }
    }
  }

  /// The `ring` of a blood measurement.
  package static let fingerStickRing = "finger_stick"

  private static func write(_ stored: StoredSample, unit: GlucoseUnit, to json: inout JSONWriter) {
    json.key("uid")
    json.hex(stored.sensor.uid?.bytes)
    json.key("serial")
    json.value(stored.sensor.serial)
    json.key("wear")
    json.value(stored.wear)
    writeMembers(of: stored.sample, unit: unit, to: &json)
    json.key("calibration")
    write(stored.calibration, to: &json)
    json.key("family")
    json.string(stored.sensor.family.rawValue)
    json.key("fingerprint")
    json.hex(stored.sensor.fingerprint?.bytes)
    if stored.isSalvaged { json.member("salvaged", true) }
    if let later = stored.supersededBy {
      json.key("superseded_by")
      json.hex(later.uid?.bytes)
    }
  }

  private static func writeUnknownSensor(to json: inout JSONWriter) {
    json.member("uid", String?.none)
    json.member("serial", String?.none)
    json.member("wear", Int?.none)
  }

  private static func writeValue(
    _ concentration: GlucoseConcentration, ring: String, time: Instant, unit: GlucoseUnit, to json: inout JSONWriter
  ) {
    json.member("ring", ring)
    json.member("minute", Int?.none)
    json.key("time")
    json.value(time)
    json.member("raw") { $0.null() }
    json.member("quality", SampleQuality.ok.rawValue)
    json.member("errors", [String]())
    json.member("temperature_c") { $0.null() }
    write(concentration, model: nil, unit: unit, to: &json)
  }

  /// Writes a usable value, or null; in mmol/L too if that is the unit.
  package static func write(_ concentration: GlucoseConcentration?, unit: GlucoseUnit, to json: inout JSONWriter) {
    json.key("glucose_mg_dl")
    json.value(concentration?.milligramsPerDecilitre, places: 4)
    if unit == .millimolesPerLitre { json.member("glucose_mmol_l", concentration?.millimolesPerLitre, places: 4) }
  }

  /// Writes the usable value, and the value of the sensor's model; each in mmol/L too if that is the unit.
  private static func write(
    _ usable: GlucoseConcentration?, model: GlucoseConcentration?, unit: GlucoseUnit, to json: inout JSONWriter
  ) {
    write(usable, unit: unit, to: &json)
    json.key("model_glucose_mg_dl")
    json.value(model?.milligramsPerDecilitre, places: 4)
    if unit == .millimolesPerLitre { json.member("model_glucose_mmol_l", model?.millimolesPerLitre, places: 4) }
  }
}
