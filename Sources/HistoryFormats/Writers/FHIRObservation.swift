// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// An Observation of one value or one flagged sample.
///
/// | value | code (LOINC) | profile |
/// |---|---|---|
/// | sensor, mg/dL | 99504-3 | `cgm-sensor-reading-mass-per-volume` (read: HL7/cgm) |
/// | sensor, mmol/L | 105272-9 | `cgm-sensor-reading-moles-per-volume` (read: HL7/cgm) |
/// | blood, mg/dL | 2339-0 | none (code read: Open mHealth's schema) |
/// | blood, mmol/L | 15074-8 | none (the same) |
/// | blood pressure | 85354-9 with components 8480-6, 8462-4, 8478-0 (mean), 8867-4 (pulse) | `bp` of FHIR R4 (remembered) |
///
/// A value that is another program's limit has the comparator `<` or `>` (read: FHIR R4).
package struct FHIRObservation {
  private enum Content {
    case value(GlucoseValue)
    /// A flagged sample, which has a reason instead of a value.
    case flagged(GlucoseSample)
    case pressure(BloodPressure)
  }

  private let entry: HistoryEntry
  private let id: SampleID
  private let time: Instant
  private let content: Content

  /// The observation of an entry.
  ///
  /// - Throws: `withoutID`, because a repeated upload would add it again; `withoutTime`; `unusable` for an entry that
  ///   is not even a flagged measurement.
  package init(_ entry: HistoryEntry) throws(Omission) {
    guard let time = entry.time else { throw .withoutTime }
    guard let id = entry.id else { throw .withoutID }
    self.entry = entry
    self.id = id
    self.time = time
    if case .sensor(let stored) = entry, stored.sample.quality != .ok, stored.sample.quality != .neverWritten {
      content = .flagged(stored.sample)
    } else if case .bloodPressure(let pressure) = entry {
      content = .pressure(pressure)
    } else {
      content = .value(try GlucoseValue(entry))
    }
  }

  /// The sensor whose Device it refers to.
  package var sensor: SensorIdentity? { entry.stored?.sensor }

  /// Writes an entry of a transaction: a conditional create, or an update of an existing one.
  package func writeEntry(_ context: ExportContext, updates: Bool = false, to writer: inout JSONWriter) {
    FHIREntry.write("Observation", id, updates: updates, to: &writer) { write(context, to: &$0) }
  }

  /// Writes the resource.
  package func write(_ context: ExportContext, to writer: inout JSONWriter) {
    if case .pressure(let pressure) = content { return write(pressure, context, to: &writer) }
    let isMass = context.unit == .milligramsPerDecilitre
    var isBlood = false
    if case .fingerStick = entry { isBlood = true }
    writer.object { json in
      json.member("resourceType", "Observation")
      if !isBlood { FHIREntry.writeProfile("cgm-sensor-reading-\(isMass ? "mass" : "moles")-per-volume", to: &json) }
      FHIREntry.writeIdentifier(id, to: &json)
      json.member("status", "final")
      Self.writeCategory("laboratory", to: &json)
      let code = isBlood ? (isMass ? "2339-0" : "15074-8") : (isMass ? "99504-3" : "105272-9")
      json.object("code") { Self.writeConcept("http://loinc.org", code, to: &$0) }
      json.object("subject") { Self.writeSubject(context, to: &$0) }
      json.member("effectiveDateTime", LocalMoment(time, context).rfc3339)
      switch content {
      case .value(let value): json.object("valueQuantity") { Self.writeQuantity(value, context.unit, to: &$0) }
      case .flagged(let sample):
        json.object("dataAbsentReason") {
          Self.writeConcept(
            "http://terminology.hl7.org/CodeSystem/data-absent-reason", "error",
            text: ([sample.quality.rawValue] + sample.raw.errors.names).joined(separator: " "), to: &$0)
        }
      case .pressure: break
      }
      writeOrigin(to: &json)
    }
  }

  private func write(_ pressure: BloodPressure, _ context: ExportContext, to writer: inout JSONWriter) {
    let pressureUnit = ("mmHg", "mm[Hg]")
    let quantities = [
      ("8480-6", pressure.systolicMillimetresOfMercury, pressureUnit),
      ("8462-4", pressure.diastolicMillimetresOfMercury, pressureUnit),
      ("8478-0", pressure.meanMillimetresOfMercury, pressureUnit), ("8867-4", pressure.pulse, ("/min", "/min")),
    ].compactMap { code, value, unit in value.map { (code: code, value: $0, unit: unit) } }
    writer.object { json in
      json.member("resourceType", "Observation")
      json.object("meta") { $0.member("profile", ["http://hl7.org/fhir/StructureDefinition/bp"]) }
      FHIREntry.writeIdentifier(id, to: &json)
      json.member("status", "final")
      Self.writeCategory("vital-signs", to: &json)
      json.object("code") { Self.writeConcept("http://loinc.org", "85354-9", to: &$0) }
      json.object("subject") { Self.writeSubject(context, to: &$0) }
      json.member("effectiveDateTime", LocalMoment(time, context).rfc3339)
      writeOrigin(to: &json)
      json.objects("component", quantities) { json, quantity in
        json.object("code") { Self.writeConcept("http://loinc.org", quantity.code, to: &$0) }
        json.object("valueQuantity") { json in
          json.member("value", quantity.value, places: 4)
          json.member("unit", quantity.unit.0)
          json.member("system", "http://unitsofmeasure.org")
          json.member("code", quantity.unit.1)
        }
      }
    }
  }

  /// Writes the device that measured it, and the user's note.
  private func writeOrigin(to json: inout JSONWriter) {
    switch entry {
    case .sensor(let stored):
      json.object("device") { json in
        if let uid = stored.sensor.uid {
          json.member("reference", "urn:uuid:\(FHIRDevice.id(uid))")
        } else {
          json.member("display", stored.sensor.family.productName)
        }
      }
    case .imported(let imported):
      let names = [imported.source, imported.device ?? ""].filter { !$0.isEmpty }
      json.object("device") { $0.member("display", names.joined(separator: " ")) }
    case .fingerStick(let stick): Self.writeNote(stick.note ?? "", to: &json)
    case .bloodPressure(let pressure):
      if let source = pressure.source { json.object("device") { $0.member("display", source) } }
      Self.writeNote(pressure.conditions.joined(separator: " "), to: &json)
    }
  }

  private static func writeNote(_ note: String, to json: inout JSONWriter) {
    guard !note.isEmpty else { return }
    json.objects("note", [note]) { $0.member("text", $1) }
  }

  private static func writeQuantity(_ value: GlucoseValue, _ unit: GlucoseUnit, to json: inout JSONWriter) {
    json.member("value", value.concentration, in: unit)
    switch value.bound {
    case .low: json.member("comparator", "<")
    case .high: json.member("comparator", ">")
    case nil: break
    }
    json.member("unit", unit.rawValue.lowercased())
    json.member("system", "http://unitsofmeasure.org")
    json.member("code", unit.rawValue)
  }

  private static func writeCategory(_ code: String, to json: inout JSONWriter) {
    json.objects("category", [code]) { json, code in
      writeConcept("http://terminology.hl7.org/CodeSystem/observation-category", code, to: &json)
    }
  }

  private static func writeConcept(_ system: String, _ code: String, text: String? = nil, to json: inout JSONWriter) {
    json.objects("coding", [code]) { json, code in
      json.member("system", system)
      json.member("code", code)
    }
    json.memberIfKnown("text", text)
  }

  /// Writes the subject. A server's Patient becomes the reference, with the user's own name for the person as its
  /// identifier. Without one `Patient/123` and URLs are references, any other text is a name. The guide requires a
  /// subject, so an unknown one is written as unknown.
  private static func writeSubject(_ context: ExportContext, to json: inout JSONWriter) {
    if let patient = context.patient {
      json.member("reference", patient)
      if let person = context.person { json.object("identifier") { $0.member("value", person) } }
      return
    }
    guard let person = context.person, !person.isEmpty else {
      return json.objects("extension", ["http://hl7.org/fhir/StructureDefinition/data-absent-reason"]) { json, url in
        json.member("url", url)
        json.member("valueCode", "unknown")
      }
    }
    let isReference = ["Patient/", "https://", "http://", "urn:uuid:"].contains { person.hasPrefix($0) }
    json.member(isReference ? "reference" : "display", person)
  }
}

/// The Device of a sensor (read: HL7/cgm, which requires identifier and name).
package enum FHIRDevice {
  /// Returns a UUID of version 8 with the UID's 64 bits, so that a sensor has the same id on every machine.
  package static func id(_ uid: SensorUID) -> SampleID {
    SampleID(
      high: uid.bits & ~0xFFFF | 0x8000 | uid.bits >> 4 & 0xFFF, low: 0x8000_0000_0000_0000 | uid.bits & 0xF)
  }

  package static func writeEntry(_ sensor: SensorIdentity, _ uid: SensorUID, to writer: inout JSONWriter) {
    FHIREntry.write("Device", id(uid), to: &writer) { json in
      json.object { json in
        json.member("resourceType", "Device")
        FHIREntry.writeProfile("cgm-device", to: &json)
        FHIREntry.writeIdentifier(id(uid), to: &json)
        json.memberIfKnown("manufacturer", sensor.family.manufacturer)
        json.memberIfKnown("serialNumber", sensor.serial)
        let name = [sensor.family.manufacturer, sensor.family.productName].compactMap(\.self).joined(separator: " ")
        json.objects("deviceName", [name]) { json, name in
          json.member("name", name)
          json.member("type", "user-friendly-name")
        }
      }
    }
  }
}

/// The common parts of Observations and Devices.
enum FHIREntry {
  private static let identifiers = "urn:ietf:rfc:3986"

  /// Returns the URL of the resources of a type with an identifier: `Observation?identifier=…`.
  static func address(_ type: String, _ id: String) -> String {
    "\(type)?identifier=\(PercentEncoding.encoded("\(identifiers)|urn:uuid:\(id)"))"
  }

  static func write(
    _ type: String, _ id: SampleID, updates: Bool = false, to writer: inout JSONWriter,
    resource: (inout JSONWriter) -> Void
  ) {
    writer.object { json in
      json.member("fullUrl", "urn:uuid:\(id)")
      json.member("resource") { resource(&$0) }
      json.object("request") { json in
        json.member("method", updates ? "PUT" : "POST")
        if updates { return json.member("url", address(type, id.description)) }
        json.member("url", type)
        json.member("ifNoneExist", "identifier=\(identifiers)|urn:uuid:\(id)")
      }
    }
  }

  static func writeProfile(_ name: String, to json: inout JSONWriter) {
    json.object("meta") { $0.member("profile", ["http://hl7.org/fhir/uv/cgm/StructureDefinition/\(name)"]) }
  }

  static func writeIdentifier(_ id: SampleID, to json: inout JSONWriter) {
    json.objects("identifier", ["urn:uuid:\(id)"]) { json, value in
      json.member("system", identifiers)
      json.member("value", value)
    }
  }
}
