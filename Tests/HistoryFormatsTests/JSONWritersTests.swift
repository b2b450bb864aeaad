// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import HistoryFormats

/// Open mHealth, FHIR, Tidepool, Terra and Vital, record by record.
struct JSONWritersTests {
  private let all = WriterEntries.all

  @Test("an Open mHealth data point has its header, a local time with its offset, and the specimen source")
  func openMHealth() {
    #expect(
      WriterEntries.text(OpenMHealthWriter(), [all[0], all[5]]) == #"""
        {"header":{"id":"3e65f762-c0e3-5f0a-91a0-f1281b7a0a29","creation_date_time":"2024-10-27T03:33:20Z",\#
        "schema_id":{"namespace":"omh","name":"blood-glucose","version":"3.0"},"acquisition_provenance":\#
        {"source_name":"libre","source_creation_date_time":"2024-05-02T12:15:00+02:00","modality":"sensed"}},\#
        "body":{"blood_glucose":{"value":104.4808,"unit":"mg/dL"},\#
        "effective_time_frame":{"date_time":"2024-05-02T12:15:00+02:00"},"specimen_source":"interstitial fluid"}}
        {"header":{"id":"11112222-3333-5444-8000-000000000009","creation_date_time":"2024-10-27T03:33:20Z",\#
        "schema_id":{"namespace":"omh","name":"blood-glucose","version":"3.0"},"acquisition_provenance":\#
        {"source_name":"libre","source_creation_date_time":"2024-05-02T12:50:00+02:00","modality":"self-reported"}},\#
        "body":{"blood_glucose":{"value":88,"unit":"mg/dL"},\#
        "effective_time_frame":{"date_time":"2024-05-02T12:50:00+02:00"},"specimen_source":"capillary blood"}}

        """#)
  }

  @Test("a FHIR bundle has the sensor's Device once, before its Observations, and an entry creates only new resources")
  func fhir() {
    #expect(
      WriterEntries.text(FHIRWriter(), Array(all[0...0]), WriterEntries.context(person: "Patient/example")) == #"""
        {"resourceType":"Bundle","type":"transaction","timestamp":"2024-10-27T03:33:20Z","entry":[
        {"fullUrl":"urn:uuid:e007a000-0025-8905-8000-00000000000e","resource":{"resourceType":"Device",\#
        "meta":{"profile":["http://hl7.org/fhir/uv/cgm/StructureDefinition/cgm-device"]},\#
        "identifier":[{"system":"urn:ietf:rfc:3986","value":"urn:uuid:e007a000-0025-8905-8000-00000000000e"}],\#
        "manufacturer":"Abbott","serialNumber":"0M00009DHCR",\#
        "deviceName":[{"name":"Abbott FreeStyle Libre","type":"user-friendly-name"}]},\#
        "request":{"method":"POST","url":"Device",\#
        "ifNoneExist":"identifier=urn:ietf:rfc:3986|urn:uuid:e007a000-0025-8905-8000-00000000000e"}},
        {"fullUrl":"urn:uuid:3e65f762-c0e3-5f0a-91a0-f1281b7a0a29","resource":{"resourceType":"Observation",\#
        "meta":{"profile":["http://hl7.org/fhir/uv/cgm/StructureDefinition/cgm-sensor-reading-mass-per-volume"]},\#
        "identifier":[{"system":"urn:ietf:rfc:3986","value":"urn:uuid:3e65f762-c0e3-5f0a-91a0-f1281b7a0a29"}],\#
        "status":"final","category":[{"coding":[\#
        {"system":"http://terminology.hl7.org/CodeSystem/observation-category","code":"laboratory"}]}],\#
        "code":{"coding":[{"system":"http://loinc.org","code":"99504-3"}]},\#
        "subject":{"reference":"Patient/example"},"effectiveDateTime":"2024-05-02T12:15:00+02:00",\#
        "valueQuantity":{"value":104.4808,"unit":"mg/dl","system":"http://unitsofmeasure.org","code":"mg/dL"},\#
        "device":{"reference":"urn:uuid:e007a000-0025-8905-8000-00000000000e"}},\#
        "request":{"method":"POST","url":"Observation",\#
        "ifNoneExist":"identifier=urn:ietf:rfc:3986|urn:uuid:3e65f762-c0e3-5f0a-91a0-f1281b7a0a29"}}
        ]}

        """#)
    let twoWears = WriterEntries.text(FHIRWriter(), [all[0]] + WriterEntries.night)
    #expect(twoWears.split(separator: "\n").count { $0.contains(#""resourceType":"Device""#) } == 1)
  }

  @Test("in FHIR a flagged sample has a reason and no value, a limit has a comparator, and blood has its own code")
  func fhirObservations() throws {
    func observations(_ context: ExportContext) throws -> [JSONValue] {
      let bundle = try JSONValue(parsing: WriterEntries.text(FHIRWriter(), all, context).utf8)
      return bundle["entry"].elements.map { $0["resource"] }.filter { $0["resourceType"].text == "Observation" }
    }
    func code(_ observation: JSONValue) -> String? { observation["code"]["coding"][0]["code"].text }
    let found = try observations(WriterEntries.context())
    #expect(found.count == 6 && found.allSatisfy { $0["subject"]["extension"][0]["valueCode"].text == "unknown" })
    let (flagged, limit, blood) = (found[2], found[4], found[5])
    #expect(!flagged.keys.contains("valueQuantity"))
    #expect(flagged["dataAbsentReason"]["coding"][0]["code"].text == "error")
    #expect(flagged["dataAbsentReason"]["text"].text == "error filter_delta rf_interference")
    #expect(limit["valueQuantity"]["comparator"].text == "<" && limit["valueQuantity"]["value"].number == 40)
    #expect(limit["device"] == .object(["display": .string("libreview")]))
    #expect(code(blood) == "2339-0" && blood["note"][0]["text"].text == "before <lunch> & \"run\"")
    #expect(blood.keys.isDisjoint(with: ["meta", "device"]))
    let molar = try observations(WriterEntries.context(.millimolesPerLitre, person: "Ann"))
    let quantity = molar[0]["valueQuantity"]
    #expect(quantity["value"].number == 5.7986 && quantity["code"].text == "mmol/L")
    #expect(code(molar[0]) == "105272-9" && code(molar[5]) == "15074-8")
    #expect(molar[0]["subject"] == .object(["display": .string("Ann")]))
  }

  @Test("in FHIR a flagged sample has no value even if it has a number, and a slot never written is omitted")
  func fhirFlagged() throws {
    let empty = WriterEntries.sample(
      .trend, minute: 21, time: "2024-05-02T10:21:00Z", glucose: nil, quality: .neverWritten)
    let written = WriterEntries.written(FHIRWriter(), [WriterEntries.unusable[1], empty])
    let entries = try JSONValue(parsing: written.text.utf8)["entry"].elements
    #expect(entries.count == 2 && written.leftOut == ["without a usable value": 1])
    #expect(entries[1]["resource"]["dataAbsentReason"]["text"].text == "warm_up")
    #expect(!entries[1]["resource"].keys.contains("valueQuantity"))
    #expect(
      WriterEntries.text(FHIRWriter(), []) == """
        {"resourceType":"Bundle","type":"transaction","timestamp":"2024-10-27T03:33:20Z"}

        """)
  }

  @Test("Tidepool records are cbg with the ring's interval, and smbg; a limit is written one beyond it and annotated")
  func tidepool() {
    let origin = #""name":"libre","time":"2024-10-27T03:33:20.000Z","type":"application","version":"0.1.0"}}"#
    #expect(
      WriterEntries.text(TidepoolWriter(), [all[0], all[1], all[4], all[5]]) == #"""
        [
        {"type":"cbg","sampleInterval":900000,"backfilled":true,"time":"2024-05-02T10:15:00.000Z",\#
        "deviceTime":"2024-05-02T12:15:00","timezoneOffset":120,"deviceId":"Libre-0M00009DHCR","units":"mg/dL",\#
        "value":104.4808,"origin":{"id":"3e65f762-c0e3-5f0a-91a0-f1281b7a0a29",\#(origin),
        {"type":"cbg","sampleInterval":60000,"time":"2024-05-02T10:20:00.000Z",\#
        "deviceTime":"2024-05-02T12:20:00","timezoneOffset":120,"deviceId":"Libre-0M00009DHCR","units":"mg/dL",\#
        "value":105.5,"origin":{"id":"4125ebd7-62f4-56e8-ae53-2b5aa35f94ee",\#(origin),
        {"type":"cbg","time":"2024-05-02T10:45:00.000Z","deviceTime":"2024-05-02T12:45:00","timezoneOffset":120,\#
        "deviceId":"libreview","units":"mg/dL","value":39,\#
        "annotations":[{"code":"bg/out-of-range","value":"low","threshold":40}],\#
        "origin":{"id":"11112222-3333-5444-8000-000000000005",\#(origin),
        {"type":"smbg","subType":"manual","time":"2024-05-02T10:50:00.000Z","deviceTime":"2024-05-02T12:50:00",\#
        "timezoneOffset":120,"deviceId":"libre-manual","units":"mg/dL","value":88,\#
        "origin":{"id":"11112222-3333-5444-8000-000000000009",\#(origin)
        ]

        """#)
  }

  @Test("Tidepool's mmol/L use its own constant, limits stay in mg/dL, and impossible values are omitted")
  func tidepoolMillimoles() throws {
    let entries = [
      all[0],
      value("clarity", "7", "2024-05-02T10:45:00Z", 414, bound: .high, id: WriterEntries.id(5)),
      value("x", nil, "2024-05-02T10:45:00Z", 995, id: WriterEntries.id(6)),
      value("x", nil, "2024-05-02T10:45:00Z", -1, id: WriterEntries.id(7)),
    ]
    let written = WriterEntries.written(TidepoolWriter(), entries, WriterEntries.context(.millimolesPerLitre))
    let records = try JSONValue(parsing: written.text.utf8).elements
    #expect(records.map { $0["value"].number } == [5.79947, 23.0356])
    #expect(records[1]["annotations"][0]["threshold"].number == 414 && records[1]["deviceId"].text == "clarity-7")
    for (leftOut, count) in [(written.leftOut, 2), (WriterEntries.written(TidepoolWriter(), entries).leftOut, 1)] {
      #expect(leftOut == ["outside the range of the format": count])
    }
  }

  @Test("Terra has a Body for each day and device: the history, and the trend as the detailed samples")
  func terra() {
    #expect(
      WriterEntries.text(TerraWriter(), Array(all[0...3]) + WriterEntries.night) == #"""
        {"data":[
        {"metadata":{"start_time":"2024-05-02T00:00:00.000000+02:00","end_time":"2024-05-03T00:00:00.000000+02:00"},\#
        "device_data":{"manufacturer":"Abbott","name":"FreeStyle Libre","serial_number":"0M00009DHCR",\#
        "activation_timestamp":"2024-04-22T12:00:00.000000+02:00"},"glucose_data":{"blood_glucose_samples":\#
        [{"timestamp":"2024-05-02T12:15:00.000000+02:00","blood_glucose_mg_per_dL":104}],\#
        "detailed_blood_glucose_samples":\#
        [{"timestamp":"2024-05-02T12:20:00.000000+02:00","blood_glucose_mg_per_dL":106}]}},
        {"metadata":{"start_time":"2024-05-02T00:00:00.000000+02:00","end_time":"2024-05-03T00:00:00.000000+02:00"},\#
        "device_data":{"name":"Dexcom \"G6\", old"},"glucose_data":{"detailed_blood_glucose_samples":\#
        [{"timestamp":"2024-05-02T12:35:00.000000+02:00","blood_glucose_mg_per_dL":99}]}},
        {"metadata":{"start_time":"2024-10-27T00:00:00.000000+02:00","end_time":"2024-10-28T00:00:00.000000+01:00"},\#
        "device_data":{"manufacturer":"Abbott","name":"FreeStyle Libre","serial_number":"0M00009DHCR",\#
        "activation_timestamp":"2024-10-27T02:00:00.000000+02:00"},"glucose_data":{"blood_glucose_samples":\#
        [{"timestamp":"2024-10-27T02:30:00.000000+02:00","blood_glucose_mg_per_dL":90},\#
        {"timestamp":"2024-10-27T02:30:00.000000+01:00","blood_glucose_mg_per_dL":91}]}}
        ]}

        """#)
  }

  @Test("Vital's body has UTC times, mmol/L by its own constant, and its words for scan and finger-stick")
  func vital() {
    #expect(
      WriterEntries.text(VitalWriter(), [all[0], all[3], all[5]]) == #"""
        {"stage":"daily","provider":"freestyle_libre_ble","time_zone":"Europe/Rome","is_final_chunk":true,"data":[
        {"value":5.7986,"unit":"mmol/L","type":"manual_scan","start_date":"2024-05-02T10:15:00Z",\#
        "end_date":"2024-05-02T10:15:00Z","metadata":{"sample_id":"3e65f762-c0e3-5f0a-91a0-f1281b7a0a29"}},
        {"value":5.4944,"unit":"mmol/L","type":"unknown","start_date":"2024-05-02T10:35:00Z",\#
        "end_date":"2024-05-02T10:35:00Z","metadata":{"sample_id":"11112222-3333-5444-8000-000000000004"}},
        {"value":4.884,"unit":"mmol/L","type":"fingerprick","start_date":"2024-05-02T10:50:00Z",\#
        "end_date":"2024-05-02T10:50:00Z","metadata":{"sample_id":"11112222-3333-5444-8000-000000000009"}}
        ]}

        """#)
    #expect(
      WriterEntries.text(VitalWriter(), [], WriterEntries.context(zoneName: nil))
        == #"{"stage":"daily","provider":"freestyle_libre_ble","is_final_chunk":true,"data":[\#n\#n]}\#n"#)
  }

  @Test(
    "all value formats omit values without a time, flagged ones and impossible ones, and count them",
    arguments: [
      LibreViewWriter() as any HistoryWriter, AppleHealthWriter(), OpenMHealthWriter(), TidepoolWriter(), TerraWriter(),
      VitalWriter(),
    ])
  func unusable(_ writer: any HistoryWriter) {
    let written = WriterEntries.written(writer, WriterEntries.unusable)
    #expect(written.leftOut == ["without a time": 1, "without a usable value": 2])
    #expect(written.text == WriterEntries.text(writer, []))
  }

  @Test("a sample without an id, and a value that is only a limit, are omitted if the format cannot express it")
  func unsaid() {
    let nameless = WriterEntries.sample(
      .history, minute: 30, time: "2024-05-02T10:30:00Z", glucose: 90, of: WriterEntries.nameless)
    let noID = "without an id, because the UID of the sensor is unknown"
    let limit = "only known to be below or above a limit, which the format cannot express"
    for (writer, reasons) in [
      (LibreViewWriter(), [:]), (AppleHealthWriter(), [:]), (OpenMHealthWriter(), [noID: 1, limit: 1]),
      (FHIRWriter(), [noID: 1]), (TidepoolWriter(), [noID: 1]), (TerraWriter(), [limit: 1]),
      (VitalWriter(), [limit: 1]),
    ] as [(any HistoryWriter, [String: Int])] {
      #expect(WriterEntries.written(writer, [nameless, all[4]]).leftOut == reasons, "\(writer.name)")
    }
  }
}
