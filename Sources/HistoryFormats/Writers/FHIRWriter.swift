// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// An HL7 FHIR R4 transaction by the HL7 CGM guide: Observations, and before the first one of each sensor its Device
/// (HistoryFormats/Formats, "fhir").
package struct FHIRWriter: HistoryWriter {
  package let name = "fhir"
  package let summary = "HL7 FHIR R4 transaction Bundle after the CGM guide, safe to send twice"

  private let updating: Set<SampleID>

  /// The observations of these ids are conditional updates, because the server has an older state of them.
  package init(updating: Set<SampleID> = []) { self.updating = updating }

  package func document(_ context: ExportContext) -> any HistoryDocument {
    // The sensors whose Device was written; a person wears a few dozen a year.
    var known: Set<SensorUID> = []
    // FHIR does not allow empty arrays, so the list is written with its first entry.
    return RecordDocument(
      head: #"{"resourceType":"Bundle","type":"transaction","timestamp":"\#(context.now.rfc3339)""#,
      opening: ",\"entry\":[\n", separator: ",\n", tail: "\n]}\n", emptyTail: "}\n"
    ) { [updating] entry throws(Omission) in
      let observation = try FHIRObservation(entry)
      var bytes: [UInt8] = []
      if let sensor = observation.sensor, let uid = sensor.uid, known.insert(uid).inserted {
        bytes = JSONWriter.line { FHIRDevice.writeEntry(sensor, uid, to: &$0) } + ",\n".utf8
      }
      let updates = entry.id.map(updating.contains) ?? false
      return bytes + JSONWriter.line { observation.writeEntry(context, updates: updates, to: &$0) }
    }
  }

  /// Returns a transaction that deletes the existing ones of these observations.
  package static func deletion(ofObservations ids: [String], _ context: ExportContext) -> [UInt8] {
    JSONWriter.line { json in
      json.object { json in
        json.member("resourceType", "Bundle")
        json.member("type", "transaction")
        json.member("timestamp", context.now.rfc3339)
        json.objects("entry", ids) { json, id in
          json.object("request") { json in
            json.member("method", "DELETE")
            json.member("url", FHIREntry.address("Observation", id))
          }
        }
      }
    }
  }
}
