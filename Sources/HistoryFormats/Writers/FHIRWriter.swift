// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// An HL7 FHIR R4 transaction, as the HL7 CGM guide asks for: Observations, and a Device before the first of its own.
///
/// Every entry is a conditional create by its identifier, so that a server that was told before answers 200 and keeps
/// one (read: FHIR R4). A flagged sample of a sensor is an Observation without value and with the reason `error`; a
/// slot that was never written is no observation.
public struct FHIRWriter: HistoryWriter {
  public let name = "fhir"
  public let summary = "HL7 FHIR R4 transaction Bundle after the CGM guide, safe to send twice"

  public init() {}

  public func document(_ context: ExportContext) -> any HistoryDocument { FHIRDocument(context: context) }
}

private struct FHIRDocument: HistoryDocument {
  let context: ExportContext
  /// Sensors whose Device has been written; a person wears some dozens a year.
  private var known: Set<SensorUID> = []
  /// FHIR knows no empty array: the list of entries begins with its first.
  private var isEmpty = true
  private(set) var leftOut: [String: Int] = [:]

  init(context: ExportContext) { self.context = context }

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
      return bytes + next { observation.writeEntry(context, to: &$0) }
    } catch {
      leftOut[error.rawValue, default: 0] += 1
      return []
    }
  }

  mutating func end() -> [UInt8] { Array((isEmpty ? "}\n" : "\n]}\n").utf8) }

  private mutating func next(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    defer { isEmpty = false }
    var json = JSONWriter(indented: false)
    write(&json)
    return Array((isEmpty ? ",\"entry\":[\n" : ",\n").utf8) + json.bytes
  }
}
