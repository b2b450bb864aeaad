// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// `libre.sample/1` (LibreDocuments/Contract, "Other documents"): one entry of a history with all that is known of it.
///
/// | member | sensor | imported | finger-stick |
/// |---|---|---|---|
/// | `uid` `serial` `wear` `minute` | its own | null | null |
/// | `ring` | `history` or `trend` | the same | `finger_stick` |
/// | `raw` `temperature_c` | what the sensor stored | null | null |
/// | `quality` `errors` | of the sample | `ok`, empty | `ok`, empty |
/// | and also | `calibration` `family` `fingerprint` (`salvaged`) | `source` `device` `bound` | `source` `note` |
package enum SampleJSON {
  package static let schema = "libre.sample/1"
  /// The member that has the user's own name for the person.
  package static let referenceID = "reference_id"

  /// `unit` adds a value in mmol/L beside the one in mg/dL; it never replaces it. `person` is the user's own name for
  /// the person: `reference_id`, which is not there without one.
  package static func write(
    _ entry: HistoryEntry, unit: GlucoseUnit, person: String? = nil, to writer: inout JSONWriter
  ) {
    writer.object { json in
      json.member("schema", schema)
      json.member("id", entry.id?.description)
      json.memberIfKnown(referenceID, person)
      switch entry {
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

  /// The members of a sample from `ring` on, as `libre.reading/1` and `libre.sample/1` have them
  /// (LibreDocuments/Contract, "Sample").
  package static func writeMembers(of sample: GlucoseSample, unit: GlucoseUnit, to json: inout JSONWriter) {
    json.member("ring", sample.ring.rawValue)
    json.member("minute", sample.minute.value)
    json.member("time", sample.time?.rfc3339)
    json.member("raw") { json in
      json.object { json in
        json.member("glucose", Int(sample.raw.glucose))
        json.member("temperature", Int(sample.raw.temperature))
        json.member("temperature_adjustment", Int(sample.raw.temperatureAdjustment))
        json.member("has_error", sample.raw.hasError)
        json.member("error_field", Int(sample.raw.errorField))
      }
    }
    json.member("quality", sample.quality.rawValue)
    json.member("errors", sample.raw.errors.names)
    json.member("temperature_c", sample.temperatureCelsius, places: 2)
    write(sample.usableConcentration, model: sample.concentration, unit: unit, to: &json)
  }

  /// Which model made a value, and with which numbers; null for none. `provenance` says where the model comes from.
  package static func write(
    _ calibration: CalibrationDescription?, provenance: String? = nil, to writer: inout JSONWriter
  ) {
    guard let calibration else { return writer.null() }
    writer.object { json in
      json.member("model", calibration.model)
      json.member("version", calibration.version)
      if let provenance { json.member("provenance", provenance) }
      if let basis = calibration.basis { json.member("series", basis.rawValue) }
      for parameter in calibration.parameters { json.member(parameter.name, parameter.value, places: 12) }
    }
  }

  /// What stands for the ring of a measurement of blood.
  package static let fingerStickRing = "finger_stick"

  private static func write(_ stored: StoredSample, unit: GlucoseUnit, to json: inout JSONWriter) {
    json.member("uid", stored.sensor.uid?.description)
    json.member("serial", stored.sensor.serial)
    json.member("wear", stored.wear)
    writeMembers(of: stored.sample, unit: unit, to: &json)
    json.member("calibration") { write(stored.calibration, to: &$0) }
    json.member("family", stored.sensor.family.rawValue)
    json.member("fingerprint", stored.sensor.fingerprint?.description)
    if stored.isSalvaged { json.member("salvaged", true) }
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
    json.member("time", time.rfc3339)
    json.member("raw") { $0.null() }
    json.member("quality", SampleQuality.ok.rawValue)
    json.member("errors", [String]())
    json.member("temperature_c") { $0.null() }
    write(concentration, model: nil, unit: unit, to: &json)
  }

  /// A value that may be used, or null; in mmol/L too where that is wanted.
  package static func write(_ concentration: GlucoseConcentration?, unit: GlucoseUnit, to json: inout JSONWriter) {
    json.member("glucose_mg_dl", concentration?.milligramsPerDecilitre, places: 4)
    if unit == .millimolesPerLitre { json.member("glucose_mmol_l", concentration?.millimolesPerLitre, places: 4) }
  }

  /// The value that may be used, and the number of a sensor's model; each in mmol/L too where that is wanted.
  private static func write(
    _ usable: GlucoseConcentration?, model: GlucoseConcentration?, unit: GlucoseUnit, to json: inout JSONWriter
  ) {
    write(usable, unit: unit, to: &json)
    json.member("model_glucose_mg_dl", model?.milligramsPerDecilitre, places: 4)
    if unit == .millimolesPerLitre { json.member("model_glucose_mmol_l", model?.millimolesPerLitre, places: 4) }
  }
}
