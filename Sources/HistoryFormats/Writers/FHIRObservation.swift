// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// An Observation of one value or one flagged sample (HistoryFormats/Formats, "fhir").
struct FHIRObservation {
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

  /// - Throws: `withoutID`, because a repeated upload would add it again; `withoutTime`; `unusable` for an entry that
  ///   is not even a flagged measurement.
  init(_ entry: HistoryEntry) throws(Omission) {
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
  var sensor: SensorIdentity? { entry.stored?.sensor }

  /// Writes an entry of a transaction: a conditional create, or an update of an existing one.
  func writeEntry(_ context: ExportContext, updates: Bool = false, to writer: inout JSONWriter) {
    FHIREntry.write("Observation", id, updates: updates, to: &writer) { write(context, to: &$0) }
  }

  /// Writes the resource.
  func write(_ context: ExportContext, to writer: inout JSONWriter) {
    let kind = kind(in: context.unit)
    writer.object { json in
      json.member("resourceType", "Observation")
      if let profile = kind.profile { FHIREntry.writeProfile(profile, to: &json) }
      FHIREntry.writeIdentifier(id, to: &json)
      json.member("status", "final")
      json.objects("category", [kind.category]) { json, code in
        Self.writeConcept("http://terminology.hl7.org/CodeSystem/observation-category", code, to: &json)
      }
      json.object("code") { Self.writeConcept("http://loinc.org", kind.code, to: &$0) }
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
      if case .pressure(let pressure) = content { Self.writeComponents(pressure, to: &json) }
    }
  }

  private func kind(in unit: GlucoseUnit) -> (profile: String?, category: String, code: String) {
    let isMass = unit == .milligramsPerDecilitre
    switch entry {
    case .sensor, .imported:
      let profile = "\(FHIREntry.guide)cgm-sensor-reading-\(isMass ? "mass" : "moles")-per-volume"
      return (profile, "laboratory", isMass ? "99504-3" : "105272-9")
    case .fingerStick: return (nil, "laboratory", isMass ? "2339-0" : "15074-8")
    case .bloodPressure: return ("http://hl7.org/fhir/StructureDefinition/bp", "vital-signs", "85354-9")
    }
  }

  private static func writeComponents(_ pressure: BloodPressure, to json: inout JSONWriter) {
    let pressureUnit = ("mmHg", "mm[Hg]")
    let quantities = [
      ("8480-6", pressure.systolicMillimetresOfMercury, pressureUnit),
      ("8462-4", pressure.diastolicMillimetresOfMercury, pressureUnit),
      ("8478-0", pressure.meanMillimetresOfMercury, pressureUnit), ("8867-4", pressure.pulse, ("/min", "/min")),
    ].compactMap { code, value, unit in value.map { (code: code, value: $0, unit: unit) } }
    json.objects("component", quantities) { json, quantity in
      json.object("code") { writeConcept("http://loinc.org", quantity.code, to: &$0) }
      json.object("valueQuantity") { json in
        json.member("value", quantity.value, places: 4)
        writeUnit(quantity.unit.0, code: quantity.unit.1, to: &json)
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
          json.member("display", stored.sensor.productName)
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
    writeUnit(unit.rawValue.lowercased(), code: unit.rawValue, to: &json)
  }

  private static func writeUnit(_ unit: String, code: String, to json: inout JSONWriter) {
    json.member("unit", unit)
    json.member("system", "http://unitsofmeasure.org")
    json.member("code", code)
  }

  private static func writeConcept(_ system: String, _ code: String, text: String? = nil, to json: inout JSONWriter) {
    json.objects("coding", [code]) { json, code in
      json.member("system", system)
      json.member("code", code)
    }
    json.memberIfKnown("text", text)
  }

  /// Writes the subject. A server's Patient becomes the reference, with the user's own name for the person as its
  /// identifier. The guide requires a subject, so an unknown one is written as unknown.
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

  static func writeEntry(_ sensor: SensorIdentity, _ uid: SensorUID, to writer: inout JSONWriter) {
    FHIREntry.write("Device", id(uid), to: &writer) { json in
      json.object { json in
        json.member("resourceType", "Device")
        FHIREntry.writeProfile("\(FHIREntry.guide)cgm-device", to: &json)
        FHIREntry.writeIdentifier(id(uid), to: &json)
        json.memberIfKnown("manufacturer", sensor.family.manufacturer)
        json.memberIfKnown("serialNumber", sensor.serial)
        let name = [sensor.family.manufacturer, sensor.productName].compactMap(\.self).joined(separator: " ")
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
  /// The profiles of the HL7 CGM guide.
  static let guide = "http://hl7.org/fhir/uv/cgm/StructureDefinition/"

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

  static func writeProfile(_ url: String, to json: inout JSONWriter) {
    json.object("meta") { $0.member("profile", [url]) }
  }

  static func writeIdentifier(_ id: SampleID, to json: inout JSONWriter) {
    json.objects("identifier", ["urn:uuid:\(id)"]) { json, value in
      json.member("system", identifiers)
      json.member("value", value)
    }
  }
}
