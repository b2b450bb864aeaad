// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Open mHealth data points, one on each line, as its sample data generator writes and `mongoimport` reads them; its
/// storage service accepts each line as one request (HistoryFormats/Formats, "omh").
struct OpenMHealthWriter: HistoryWriter {
  let name = "omh"
  let summary = "Open mHealth data points (blood-glucose 3.0), one a line"

  func document(_ context: ExportContext) -> any HistoryDocument {
    RecordDocument(holdsNotes: false) { entry throws(Omission) in
      try JSONWriter.line { json throws(Omission) in
        try Self.write(GlucoseValue(entry), context, to: &json)
      } + [0x0A]
    }
  }

  /// - Throws: `withoutID`, because a header needs one, and `bound`, because a limit cannot be expressed.
  private static func write(
    _ value: GlucoseValue, _ context: ExportContext, to writer: inout JSONWriter
  ) throws(Omission) {
    let (id, measured) = (try value.requiredID, try value.measured)
    writer.object { json in
      json.object("header") { json in
        json.member("id", id.description)
        json.member("creation_date_time", context.now.rfc3339)
        json.object("schema_id") { json in
          json.member("namespace", "omh")
          json.member("name", "blood-glucose")
          json.member("version", "3.0")
        }
        json.object("acquisition_provenance") { writeProvenance(value, context, to: &$0) }
      }
      json.object("body") { json in
        json.object("blood_glucose") { json in
          json.member("value", measured, in: context.unit)
          json.member("unit", context.unit.rawValue)
        }
        json.object("effective_time_frame") { $0.member("date_time", LocalMoment(value.time, context).rfc3339) }
        json.member("specimen_source", specimen(value.entry))
      }
    }
  }

  private static func writeProvenance(_ value: GlucoseValue, _ context: ExportContext, to json: inout JSONWriter) {
    var (source, modality) = (context.program, String?.some("sensed"))
    switch value.entry {
    case .sensor, .bloodPressure: break
    case .imported(let imported): source = imported.source
    // It is not known whether another program's value was typed or came from a meter.
    case .fingerStick(let stick):
      (source, modality) = (stick.source ?? source, stick.source == nil ? "self-reported" : nil)
    }
    json.member("source_name", source)
    json.member("source_creation_date_time", LocalMoment(value.time, context).rfc3339)
    json.memberIfKnown("modality", modality)
  }

  private static func specimen(_ entry: HistoryEntry) -> String {
    switch entry {
    case .sensor, .imported: "interstitial fluid"
    case .fingerStick, .bloodPressure: "capillary blood"
    }
  }
}
