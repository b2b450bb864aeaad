// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// The request body with which Vital's (now Junction's) own app uploads glucose (HistoryFormats/Formats, "vital").
struct VitalWriter: HistoryWriter {
  let name = "vital"
  let summary = "the request body of Vital's app for its time series (experimental)"

  func document(_ context: ExportContext) -> any HistoryDocument {
    VitalSample.document(context, provider: "freestyle_libre_ble", isPressure: false)
  }
}

/// The same for blood pressure, which has another address (HistoryFormats/Formats, "vital-blood-pressure").
struct VitalBloodPressureWriter: HistoryWriter {
  let name = "vital-blood-pressure"
  let summary = "the request body of Vital's app for blood pressure (experimental)"

  func document(_ context: ExportContext) -> any HistoryDocument {
    // Each maker of cuffs is a provider of its own there, and a history may have several.
    VitalSample.document(context, provider: "manual", isPressure: true)
  }
}

/// One element of `data`: a quantity of glucose, always in mmol/L with 18.0182 mg/dL for one, or of each pressure in mmHg
/// and, if known, the pulse. Each has the same moment as start and end (read: Vital's iOS source).
package enum VitalSample {
  /// Writes the members of a request before `data`.
  package static func writeHead(
    stage: String, span: (first: Instant, last: Instant)? = nil, provider: String, isFinal: Bool,
    _ context: ExportContext, to json: inout JSONWriter
  ) {
    json.member("stage", stage)
    json.memberIfKnown("start_date", span?.first.rfc3339)
    json.memberIfKnown("end_date", span?.last.rfc3339)
    json.member("provider", provider)
    json.memberIfKnown("time_zone", context.clock.zoneName)
    json.member("is_final_chunk", isFinal)
  }

  /// - Throws: `bound`, because a limit cannot be expressed.
  package static func write(_ value: GlucoseValue, person: String?, to writer: inout JSONWriter) throws(Omission) {
    let type =
      switch value.entry {
      case .sensor: "manual_scan"
      case .imported: "unknown"
      case .fingerStick: "fingerprick"
      case .bloodPressure: "cuff"
      }
    let measured = try value.measured.millimolesPerLitre
    write(measured, "mmol/L", type, at: value.time, value.id, person, to: &writer)
  }

  package static func write(_ pressure: BloodPressure, person: String?, to writer: inout JSONWriter) {
    func write(_ key: String, _ value: Double, _ unit: String, _ json: inout JSONWriter) {
      json.member(key) { Self.write(value, unit, "cuff", at: pressure.time, pressure.id, person, to: &$0) }
    }
    writer.object { json in
      write("systolic", pressure.systolicMillimetresOfMercury, "mmHg", &json)
      write("diastolic", pressure.diastolicMillimetresOfMercury, "mmHg", &json)
      if let pulse = pressure.pulse { write("pulse", pulse, "bpm", &json) }
    }
  }

  private static func write(
    _ value: Double, _ unit: String, _ type: String, at time: Instant, _ id: SampleID?, _ person: String?,
    to writer: inout JSONWriter
  ) {
    writer.object { json in
      json.member("value", value, places: 4)
      json.member("unit", unit)
      json.member("type", type)
      json.member("start_date", time.rfc3339)
      json.member("end_date", time.rfc3339)
      guard id != nil || person != nil else { return }
      json.object("metadata") { json in
        json.memberIfKnown("sample_id", id?.description)
        json.memberIfKnown(SampleJSON.referenceID, person)
      }
    }
  }

  fileprivate static func document(
    _ context: ExportContext, provider: String, isPressure: Bool
  ) -> any HistoryDocument {
    let whole = JSONWriter.line { json in
      json.object { json in
        writeHead(stage: "daily", provider: provider, isFinal: true, context, to: &json)
        json.member("data", [])
      }
    }
    let head = String(decoding: whole.dropLast("]}".utf8.count), as: UTF8.self) + "\n"
    return RecordDocument(head: head, separator: ",\n", tail: "\n]}\n", holdsNotes: false) { entry throws(Omission) in
      try JSONWriter.line { json throws(Omission) in
        guard isPressure else { return try write(GlucoseValue(entry), person: context.person, to: &json) }
        guard case .bloodPressure(let pressure) = entry else { throw .glucose }
        write(pressure, person: context.person, to: &json)
      }
    }
  }
}
