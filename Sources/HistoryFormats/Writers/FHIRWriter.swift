// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// An HL7 FHIR R4 transaction by the HL7 CGM guide: Observations, and before the first one of each sensor its Device.
///
/// Every entry is a conditional create by its identifier, so that a server that already has it answers 200 and does not
/// store it again (read: FHIR R4). A flagged sample of a sensor is an Observation without value and with the reason
/// `error`; a slot that was never written is left out.
package struct FHIRWriter: HistoryWriter {
  package let name = "fhir"
  package let summary = "HL7 FHIR R4 transaction Bundle after the CGM guide, safe to send twice"

  private let updating: Set<SampleID>

  package init() { updating = [] }

  /// A writer for which the observations of these ids are conditional updates, because the server has an older state of
  /// them.
  package init(updating: Set<SampleID>) { self.updating = updating }

  package func document(_ context: ExportContext) -> any HistoryDocument {
    FHIRDocument(context: context, updating: updating)
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

private struct FHIRDocument: HistoryDocument {
  let context: ExportContext
  let updating: Set<SampleID>
  /// The sensors whose Device was written; a person wears a few dozen a year.
  private var known: Set<SensorUID> = []
  /// True until the first entry. FHIR does not allow empty arrays, so the list is written with its first entry.
  private var isEmpty = true
  private(set) var leftOut: [String: Int] = [:]

  init(context: ExportContext, updating: Set<SampleID>) {
    self.context = context
    self.updating = updating
  }

  mutating func begin() -> [UInt8] {
    Array(#"{"resourceType":"Bundle","type":"transaction","timestamp":"\#(context.now.rfc3339)""#.utf8)
  }

  mutating func add(_ entry: HistoryEntry) -> [UInt8] {
    do throws(Omission) {
      let observation = try FHIRObservation(entry)
      var bytes: [UInt8] = []
      if let sensor = observation.sensor, let uid = sensor.uid, known.insert(uid).inserted {
        bytes += next { FHIRDevice.writeEntry(sensor, uid, to: &$0) }
      }
      let context = context
      let updates = entry.id.map(updating.contains) ?? false
      return bytes + next { observation.writeEntry(context, updates: updates, to: &$0) }
    } catch {
      leftOut[error.rawValue, default: 0] += 1
      return []
    }
  }

  mutating func end() -> [UInt8] { Array((isEmpty ? "}\n" : "\n]}\n").utf8) }

  private mutating func next(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    defer { isEmpty = false }
    return Array((isEmpty ? ",\"entry\":[\n" : ",\n").utf8) + JSONWriter.line(write)
  }
}
