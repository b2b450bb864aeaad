// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// A FHIR R4 server: a transaction of Observations according to the HL7 CGM guide, with their Device first. Each entry
/// is created only if its identifier is new: 201 means created, 200 means it existed (read: FHIR R4). An entry that the
/// server holds in another version is updated by its identifier (`PUT Observation?identifier=…`), and a removed one is
/// deleted by it, in a plain transaction. A transaction succeeds or fails as a whole, so a bad record is found by
/// halving the batch.
struct FHIRSink: SampleSink {
  private enum Operation: String, CaseIterable {
    case transaction
    case submitCGMBundle = "submit-cgm-bundle"
  }

  static let type = SinkType(
    name: "fhir", summary: "an HL7 FHIR R4 server: Observations after the CGM guide",
    parameters: [
      .init("url", "the server's base address", isReceiver: true),
      .init("patient", "the patient, such as Patient/123", isReceiver: true),
      .init(
        "operation", "a plain transaction, or the CGM guide's own operation", default: "transaction",
        choices: Operation.allCases.map(\.rawValue)),
      .init("unit", "the unit of the values", default: "mg/dL", choices: GlucoseUnit.allCases.map(\.rawValue)),
    ],
    secret: .optional, parts: [.trend, .fingerSticks, .imported, .bloodPressure],
    removal: .byKey(recordKey),
    fields: fields, make: { options throws(SinkOptionError) in try FHIRSink(options) })

  private static let fields: [SinkField] =
    [
      .always("resourceType", "Bundle"),
      .always("type", "transaction"),
      SinkField("sent_at", "timestamp"),
      SinkField("id", "entry[].fullUrl", "urn:uuid:ID"),
      SinkField("uid", "entry[].fullUrl", "urn:uuid: and a UUID of version 8"),
      .always("entry[].request.method", "POST, or PUT for a value that the server holds"),
      .always("entry[].request.url", "Observation, or Device before the first of a sensor"),
      SinkField("id", "entry[].request.url", "the search for the identifier of a value that the server holds"),
      SinkField("id", "entry[].request.ifNoneExist", "the search for the identifier"),
      SinkField("uid", "entry[].request.ifNoneExist", "the search for the Device's identifier"),
    ] + resourceFields.map { $0.within("entry[].resource.") }

  private static let resourceFields: [SinkField] = [
    .always("resourceType", "Observation, or Device before the first of a sensor"),
    .always("meta.profile[]", "of the CGM guide, or bp of FHIR; none for blood"),
    .always("identifier[].system", "urn:ietf:rfc:3986"),
    SinkField("id", "identifier[].value", "urn:uuid:ID"),
    SinkField("uid", "identifier[].value", "urn:uuid: and a UUID of version 8"),
    .always("status", "final"),
    .always("category[].coding[].system", "observation-category"),
    .always("category[].coding[].code", "laboratory, or vital-signs for blood pressure"),
    .always("code.coding[].system", "http://loinc.org"),
    SinkField("ring", "code.coding[].code", "LOINC for a sensor or blood, by the unit; for blood pressure"),
    .always("subject.reference", "the sink's patient"),
    SinkField("reference_id", "subject.identifier.value"),
    SinkField("time", "effectiveDateTime", "local time with its offset"),
    SinkField("glucose_mg_dl", "valueQuantity.value", "in the sink's unit"),
    SinkField("bound", "valueQuantity.comparator", "< or >", with: .imported),
    .always("valueQuantity.unit", "the sink's unit"),
    .always("valueQuantity.system", "http://unitsofmeasure.org"),
    .always("valueQuantity.code", "the sink's unit"),
    SinkField("uid", "device.reference", "urn:uuid: and a UUID of version 8"),
    SinkField("device", "device.display", "SOURCE DEVICE", with: .imported),
    SinkField("source", "device.display", with: .bloodPressure),
    SinkField("note", "note[].text", with: .fingerSticks),
    SinkField("conditions", "note[].text", with: .bloodPressure),
    .always("component[].code.coding[].system", "http://loinc.org"),
    .always("component[].code.coding[].code", "LOINC of the pressure or the pulse"),
    .always("component[].valueQuantity.unit", "mmHg or /min"),
    .always("component[].valueQuantity.system", "http://unitsofmeasure.org"),
    .always("component[].valueQuantity.code", "mm[Hg] or /min"),
    SinkField("systolic_mmhg", "component[].valueQuantity.value", "code 8480-6, mm[Hg]", with: .bloodPressure),
    SinkField("diastolic_mmhg", "component[].valueQuantity.value", "code 8462-4, mm[Hg]", with: .bloodPressure),
    SinkField("mean_mmhg", "component[].valueQuantity.value", "code 8478-0, mm[Hg]", with: .bloodPressure),
    SinkField("pulse_per_minute", "component[].valueQuantity.value", "code 8867-4, /min", with: .bloodPressure),
    SinkField("family", "manufacturer", "Abbott"),
    SinkField("serial", "serialNumber"),
    SinkField("family", "deviceName[].name", "Abbott and the name of the product"),
    .always("deviceName[].type", "user-friendly-name"),
  ]

  private let address: SinkAddress
  private let patient: String
  private let operation: Operation
  private let unit: GlucoseUnit
  private let authorization: [HTTPRequest.Header]
  let secrets: [Secret]

  init(_ options: SinkOptions) throws(SinkOptionError) {
    address = try SinkAddress(options)
    patient = try options.required("patient")
    guard Self.isReference(patient) else {
      throw .bad(key: "patient", value: patient, allowed: "Patient/ID, or an address of one")
    }
    operation = try options.choice("operation", Operation.self)
    unit = try options.choice("unit", GlucoseUnit.self)
    secrets = options.secrets
    authorization = secrets.map { HTTPRequest.Header("Authorization", secret: $0, prefix: "Bearer ") }
  }

  var destination: String { address.text }
  /// Servers process a transaction in one piece, and answer with a line for each entry.
  var maximumBatch: Int { 200 }

  func omission(of entry: HistoryEntry) -> String? { SentSample.omission(of: entry, takesPressure: true) }

  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    let context = context.with(unit: unit, patient: patient)
    var document = FHIRWriter(updating: batch.held).document(context)
    var body = document.begin()
    for sample in batch.sent { body += document.add(sample.value.entry) }
    for pressure in batch.pressures { body += document.add(.bloodPressure(pressure)) }
    body += document.end()
    return post(body, to: operation == .submitCGMBundle ? "/$submit-cgm-bundle" : "")
  }

  private func post(_ body: [UInt8], to path: String = "") -> Delivery {
    let content = HTTPRequest.Header("Content-Type", "application/fhir+json")
    let headers = [content, Self.accept, HTTPRequest.Header("Prefer", "return=minimal")] + authorization
    return .http(HTTPRequest(.post, address.text + path, headers: headers, body: body))
  }

  /// The identifier, which does not depend on the time.
  private static func recordKey(of entry: HistoryEntry) -> String? {
    if case .bloodPressure = entry { return entry.id?.description }
    return (try? SentSample(entry))?.id.description
  }

  func withdrawal(of keys: [String], _ memory: SinkState, _ context: ExportContext) -> Delivery? {
    post(FHIRWriter.deletion(ofObservations: keys, context))
  }

  /// Accepts missing records; the Device stays.
  func withdrawalVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    if response.status == 404 || response.status == 410 { return .accepted(duplicates: nil) }
    return verdict(on: response, memory, now: now, isGood: { $0 == 404 || $0 == 410 })
  }

  func verdict(on response: HTTPResponse, to batch: SampleBatch, _ memory: SinkState, now: Instant) -> Verdict {
    // 200 is also the answer to an update.
    let verdict = verdict(on: response, memory, now: now, devices: batch.sensor?.identity.uid == nil ? 0 : 1)
    guard case .accepted(let duplicates?) = verdict else { return verdict }
    return .accepted(duplicates: max(0, duplicates - batch.held.count))
  }

  func verdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    verdict(on: response, memory, now: now, devices: 1)
  }

  /// Judges an answer; `devices` come first in the transaction.
  private func verdict(
    on response: HTTPResponse, _ memory: SinkState, now: Instant, devices: Int = 0,
    isGood: (Int) -> Bool = { _ in false }
  ) -> Verdict {
    let table = table(memory)
    // Several records have this identifier: the entry is at fault, as for 400 and 422.
    if response.status == 412 { return .rejected(reason: table.reason(response)) }
    let verdict = table.verdict(on: response, now: now)
    guard case .accepted = verdict else { return verdict }
    // A server may answer with the status only, and a large answer is not needed: the whole transaction succeeded.
    guard let answer = try? table.value(Answer.self, of: response), let entries = answer.entry else { return verdict }
    let statuses = entries.map { $0.response.flatMap { Int($0.status.prefix(3)) } }
    if let worst = statuses.compactMap({ $0 }).filter({ !(200...299).contains($0) && $0 != 304 && !isGood($0) }).max() {
      let body = Array("entry \(worst) in: ".utf8) + response.body
      return table.verdict(on: HTTPResponse(status: worst == 412 ? 422 : worst, body: body), now: now)
    }
    return .accepted(duplicates: statuses.contains(nil) ? nil : statuses.dropFirst(devices).count { $0 == 200 })
  }

  /// Requests the server's capabilities. Some servers show them to everyone.
  func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest? {
    HTTPRequest(.get, "\(address.text)/metadata?_summary=true", headers: [Self.accept] + authorization)
  }

  private static let accept = HTTPRequest.Header("Accept", "application/fhir+json")

  /// True for `Patient/` and a FHIR id, or an address that ends so.
  private static func isReference(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[parts.count - 2] == "Patient", let id = parts.last, (1...64).contains(id.utf8.count),
      id.unicodeScalars.allSatisfy({ $0.isPlain || $0 == "." })
    else { return false }
    return parts.count == 2 || text.hasPrefix("https://") || text.hasPrefix("http://")
  }

  private struct Answer: Decodable {
    struct Entry: Decodable { let response: Response? }
    struct Response: Decodable { let status: String }
    let entry: [Entry]?
  }
}
