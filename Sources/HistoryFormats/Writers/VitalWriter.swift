// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// The request body with which Vital's (now Junction's) own app uploads glucose (read: its iOS source, which marks the
/// endpoint as internal: experimental).
///
/// `time_zone` is left out if the zone's name is not known, as Vital's app leaves out unknown members.
package struct VitalWriter: HistoryWriter {
  package let name = "vital"
  package let summary = "the request body of Vital's app for its time series (experimental)"

  package init() {}

  package func document(_ context: ExportContext) -> any HistoryDocument {
    VitalDocument.document(context, provider: "freestyle_libre_ble") { entry throws(Omission) in
      var json = JSONWriter(indented: false)
      try VitalSample.write(GlucoseValue(entry), person: context.person, to: &json)
      return json.bytes
    }
  }
}

/// The request body with which Vital's app uploads blood pressure: glucose and blood pressure have different addresses.
package struct VitalBloodPressureWriter: HistoryWriter {
  package let name = "vital-blood-pressure"
  package let summary = "the request body of Vital's app for blood pressure (experimental)"

  package init() {}

  package func document(_ context: ExportContext) -> any HistoryDocument {
    // Each maker of cuffs is a provider of its own there, and a history may have several.
    VitalDocument.document(context, provider: "manual") { entry throws(Omission) in
      guard case .bloodPressure(let pressure) = entry else { throw .glucose }
      var json = JSONWriter(indented: false)
      VitalSample.write(pressure, person: context.person, to: &json)
      return json.bytes
    }
  }
}

private enum VitalDocument {
  static func document(
    _ context: ExportContext, provider: String, record: @escaping (HistoryEntry) throws(Omission) -> [UInt8]
  ) -> any HistoryDocument {
    var zone = ""
    if let name = context.clock.zoneName {
      var json = JSONWriter(indented: false)
      json.string(name)
      zone = "\"time_zone\":\(String(decoding: json.bytes, as: UTF8.self)),"
    }
    let head = #"{"stage":"daily","provider":"\#(provider)",\#(zone)"is_final_chunk":true,"data":["# + "\n"
    return RecordDocument(head: head, separator: ",\n", tail: "\n]}\n", holdsNotes: false, record: record)
  }
}

/// One element of `data`: always in mmol/L, with the same moment as start and end.
package enum VitalSample {
  /// Writes an element, with 18.0182 mg/dL for one mmol/L as in Vital's iOS source (read). `metadata` is a map of
  /// strings.
  ///
  /// - Throws: `bound`, because a limit cannot be expressed.
  package static func write(
    _ value: GlucoseValue, person: String?, to writer: inout JSONWriter
  ) throws(Omission) {
    let measured = try value.measured
    writer.object { json in
      json.member("value", measured.millimolesPerLitre, places: 4)
      json.member("unit", "mmol/L")
      json.member("type", type(value.entry))
      json.member("start_date", value.time.rfc3339)
      json.member("end_date", value.time.rfc3339)
      guard value.id != nil || person != nil else { return }
      json.member("metadata") { json in
        json.object { json in
          json.memberIfKnown("sample_id", value.id?.description)
          json.memberIfKnown(SampleJSON.referenceID, person)
        }
      }
    }
  }

  /// Returns Vital's word for the origin of a value.
  private static func type(_ entry: HistoryEntry) -> String {
    switch entry {
    case .sensor: "manual_scan"
    case .imported: "unknown"
    case .fingerStick: "fingerprick"
    case .bloodPressure: "cuff"
    }
  }

  /// Writes an element of `data` of a blood pressure: a quantity each for both pressures in mmHg and, if known, the
  /// pulse (read: Vital's iOS source).
  package static func write(_ pressure: BloodPressure, person: String?, to writer: inout JSONWriter) {
    func quantity(_ value: Double, _ unit: String, _ json: inout JSONWriter) {
      json.object { json in
        json.member("value", value, places: 4)
        json.member("unit", unit)
        json.member("type", "cuff")
        json.member("start_date", pressure.time.rfc3339)
        json.member("end_date", pressure.time.rfc3339)
        guard pressure.id != nil || person != nil else { return }
        json.member("metadata") { json in
          json.object { json in
            json.memberIfKnown("sample_id", pressure.id?.description)
            json.memberIfKnown(SampleJSON.referenceID, person)
          }
        }
      }
    }
    writer.object { json in
      json.member("systolic") { quantity(pressure.systolicMillimetresOfMercury, "mmHg", &$0) }
      json.member("diastolic") { quantity(pressure.diastolicMillimetresOfMercury, "mmHg", &$0) }
      if let pulse = pressure.pulse { json.member("pulse") { quantity(pulse, "bpm", &$0) } }
    }
  }
}
