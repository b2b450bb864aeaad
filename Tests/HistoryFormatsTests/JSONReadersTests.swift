// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import HistoryFormats

@Suite("Nightscout entries") struct NightscoutReaderTests {
  private let objects = [
    #"{"_id":"1","type":"sgv","sgv":104,"date":1714644900999,"direction":"Flat","noise":1,"device":"libre://0M1"}"#,
    #"{"type":"mbg","mbg":99,"date":1714644960000.0,"device":"meter"}"#,
    #"{"type":"cal","slope":1000,"intercept":2,"scale":1,"date":1714644961000}"#,
    #"{"type":"sgv","sgv":5.8,"units":"mmol","date":1714645020000}"#,
    #"{"sgv":105,"date":1714645080000,"note":"a } in a \"string\" [ "}"#,
  ]

  private let expected = [
    value("nightscout", "libre://0M1", "2024-05-02T10:15:00Z", 104), stick("nightscout", "2024-05-02T10:16:00Z", 99),
    value("nightscout", nil, "2024-05-02T10:17:00Z", 5.8 * 18.01559),
    value("nightscout", nil, "2024-05-02T10:18:00Z", 105),
  ]

  @Test("an array, an array over many lines, and one object on each line give the same entries")
  func forms() throws {
    let reader = NightscoutReader()
    for text in [
      "[\(objects.joined(separator: ","))]", "\u{FEFF}[\r\n  \(objects.joined(separator: " ,\r\n  "))\r\n]\r\n",
      objects.joined(separator: "\n"), objects.joined(separator: "\n\n") + "\n", objects.joined(),
    ] {
      for pieceLength in [1, 17, 4_096] { #expect(try reader.entries(text, pieceLength: pieceLength) == expected) }
    }
    #expect(reader.hasSignature(HistoryText(objects[0])))
  }

  @Test("error codes of the receiver are counted, not imported")
  func errorCodes() throws {
    let text = #"[{"type":"sgv","sgv":9,"date":1714644900000},{"type":"sgv","sgv":39,"date":1714644900000}]"#
    let (found, facts) = try NightscoutReader().found(in: text)
    #expect(found == [value("nightscout", nil, "2024-05-02T10:15:00Z", 39)])
    #expect(facts.passedOver == ["error codes of the receiver": 1])
  }

  @Test("a member of the wrong type, seconds instead of milliseconds and an unknown unit are reported with their line")
  func errors() {
    for (object, name, shown) in [
      (#"{"type":"sgv","sgv":"104","date":1714644900000}"#, "sgv", "missing, or of the wrong type"),
      (#"{"type":"sgv","sgv":104,"date":1714644900}"#, "date", "1714644900.0"),
      (#"{"type":"sgv","sgv":104}"#, "date", "missing"),
      (#"{"type":"sgv","sgv":104,"date":1e300}"#, "date", "1e+300"),
      (#"{"type":"sgv","sgv":10400,"date":1714644900000}"#, "sgv", "10400.0"),
      (#"{"type":"sgv","sgv":104,"units":"stone","date":1714644900000}"#, "units", "\"stone\""),
      (#"{"eventType":"Meal Bolus"}"#, "type", "missing"),
    ] {
      #expect(throws: HistoryError.badField(line: 2, name: name, value: shown)) {
        try NightscoutReader().entries("[\(objects[0]),\n\(object)]")
      }
    }
  }

  @Test("a document that is not a list of objects is an error with its line")
  func notObjects() {
    let start = "[\n" + objects[0]
    for (text, words) in [
      (start + "\n{}]", "expected a comma or a bracket, got \"{\""),
      (start + ",\n]", "expected an object, got \"]\""),
      (start + ",\n12]", "expected an object, got \"1\""), (start + "]\n,", "expected the end of the file, got \",\""),
      (start + ",\n{\"a\" 1}]", "the object that begins here is invalid JSON, or has an invalid number"),
    ] {
      #expect(throws: HistoryError.badLine(3, words)) { try NightscoutReader().entries(text) }
    }
    #expect(throws: HistoryError.truncated("the array is not closed")) { try NightscoutReader().entries(start) }
    #expect(throws: HistoryError.truncated("the object that begins on line 2 is not closed")) {
      try NightscoutReader().entries(objects[0] + "\n{\"type\":\"sgv\"")
    }
    let endless = objects[0] + "\n{\"a\":\"" + String(repeating: "x", count: 1 << 20)
    #expect(throws: HistoryError.badLine(2, "the object has more than 1048576 bytes")) {
      try NightscoutReader().entries(endless, pieceLength: 65_536)
    }
  }
}

@Suite("Tidepool records") struct TidepoolReaderTests {
  private let text = """
    [{"type":"basal","deviceTime":"2024-05-02T12:00:00","value":{"odd":1},"time":12,"uploadId":"u"},
     {"type":"cbg","time":"2024-05-02T10:15:00.000Z","deviceTime":"2024-05-02T12:15:00","deviceId":"Libre-0M1",
      "units":"mg/dL","value":104,"sampleInterval":900000,"origin":{"id":"x"}},
     {"type":"cbg","time":"2024-05-02T10:16:00Z","units":"mmol/L","value":5.77278,"sampleInterval":60000},
     {"type":"cbg","time":"2024-05-02T12:20:00+02:00","units":"mg/dL","value":39,
      "annotations":[{"code":"other","value":3},{"code":"bg/out-of-range","value":"low","threshold":40}]},
     {"type":"smbg","time":"2024-05-02T10:21:00.000Z","units":"mmol/L","value":5.5},
     {"type":"smbg","time":"2024-05-02T10:22:00.000Z","units":"mg/dL","value":601,
      "annotations":[{"code":"bg/out-of-range","value":"high","threshold":600}]}]
    """

  @Test("sensor values and finger-sticks are read, and everything else is ignored")
  func records() throws {
    let (found, facts) = try TidepoolReader().found(in: text)
    #expect(
      found == [
        value("tidepool", "Libre-0M1", "2024-05-02T10:15:00Z", 104),
        value("tidepool", nil, "2024-05-02T10:16:00Z", 5.77278 * 18.01559, ring: .trend),
        value("tidepool", nil, "2024-05-02T10:20:00Z", 40, bound: .low),
        stick("tidepool", "2024-05-02T10:21:00Z", 5.5 * 18.01559),
      ])
    #expect(facts.passedOver == ["finger-sticks outside the meter's range": 1])
  }

  @Test("an impossible value, unit, time or annotation is reported")
  func errors() {
    let good = (time: "2024-05-02T10:15:00.000Z", units: "mg/dL", value: "104", more: "")
    for (record, name, shown) in [
      ((good.time, good.units, "\"104\"", good.more), "value", "missing, or of the wrong type"),
      ((good.time, good.units, "-1", good.more), "value", "-1.0"),
      ((good.time, "mg", good.value, good.more), "units", "\"mg\""),
      (("2024-05-02T10:15:00", good.units, good.value, good.more), "time", "\"2024-05-02T10:15:00\""),
      (
        (good.time, good.units, good.value, #","annotations":[{"code":"bg/out-of-range","value":"far"}]"#),
        "annotations[0].value", "missing, or of the wrong type"
      ),
    ] {
      let text = #"[{"type":"cbg","time":"\#(record.0)","units":"\#(record.1)","value":\#(record.2)\#(record.3)}]"#
      #expect(throws: HistoryError.badField(line: 1, name: name, value: shown)) { try TidepoolReader().entries(text) }
    }
  }
}

@Suite("Our own NDJSON lines") struct NDJSONReaderTests {
  private static let sensor = """
    {"schema":"libre.sample/1","id":"d1f5603b-c12a-549e-be27-e59866f73323","uid":"E007A0000025905E",\
    "serial":"0M00009DHCR","wear":2,"ring":"history","minute":45,"time":"2026-11-21T06:20:00Z",\
    "raw":{"glucose":1319,"temperature":6552,"temperature_adjustment":-8,"has_error":true,"error_field":800},\
    "quality":"error","errors":["rf_interference"],"temperature_c":32.03,"glucose_mg_dl":null,\
    "calibration":{"model":"factory","version":1,"i6":6536,"i1":0,"i2":803.5},"family":"libre1","fingerprint":null,\
    "salvaged":true}
    """

  private static let raw =
    #""raw":{"glucose":1319,"temperature":6552,"temperature_adjustment":-8,"has_error":true,"error_field":800}"#
  private static let emptyRaw =
    #""raw":{"glucose":0,"temperature":0,"temperature_adjustment":0,"has_error":false,"error_field":0}"#

  private static let imported = """
    {"schema":"libre.sample/1","id":null,"uid":null,"serial":null,"wear":null,"ring":"trend","minute":null,\
    "time":"2024-05-02T10:15:00Z","raw":null,"quality":"ok","errors":[],"temperature_c":null,"glucose_mg_dl":104.5,\
    "source":"libreview","device":"0M1","bound":"low"}
    """

  private static let finger = """
    {"schema":"libre.sample/1","id":null,"uid":null,"serial":null,"wear":null,"ring":"finger_stick","minute":null,\
    "time":"2024-05-02T10:15:00Z","raw":null,"quality":"ok","errors":[],"temperature_c":null,"glucose_mg_dl":99,\
    "source":null,"note":"before lunch"}
    """

  @Test("a sensor without UID is identified by its fingerprint, and a sample may lack time, calibration and counts")
  func fingerprint() throws {
    let text = Self.sensor.replacing(#""uid":"E007A0000025905E""#, with: #""uid":null"#)
      .replacing(#""fingerprint":null"#, with: #""fingerprint":"000102030405060708090A0B0C0D0E0F""#)
      .replacing(#""time":"2026-11-21T06:20:00Z""#, with: #""time":null"#)
      .replacing(#"{"model":"factory","version":1,"i6":6536,"i1":0,"i2":803.5}"#, with: "null")
    let stored = try #require(try NDJSONReader().entries(text).first?.stored)
    #expect(stored.sensor.uid == nil && stored.sensor.fingerprint?.bytes == Array(0...15))
    #expect(stored.sample.time == nil && stored.calibration == nil)
    let empty = Self.sensor.replacing(#""quality":"error""#, with: #""quality":"never_written""#)
      .replacing(Self.raw, with: Self.emptyRaw)
    #expect(try NDJSONReader().entries(empty).first?.stored?.sample.raw.isNeverWritten == true)
  }

  @Test("a member that our exports do not have is reported")
  func errors() {
    for (old, new, name, shown) in [
      (#""minute":45"#, #""minute":0"#, "minute", "\"0\""), (#""minute":45"#, #""minute":null"#, "minute", "missing"),
      (#""minute":45"#, #""minute":9000000000000000000"#, "minute", "\"9000000000000000000\""),
      (#""minute":45"#, #""minute":"45""#, "minute", "missing, or of the wrong type"),
      (#""has_error":true"#, #""has_error":1"#, "raw.has_error", "missing, or of the wrong type"),
      // No sensor stores a temperature that is not a multiple of four.
      (#""temperature":6552"#, #""temperature":6553"#, "raw.temperature", "\"6553\""),
      (#""temperature_adjustment":-8"#, #""temperature_adjustment":-6"#, "raw.temperature_adjustment", "\"-6\""),
      (#""wear":2"#, #""wear":-1"#, "wear", "\"-1\""), (#""ring":"history""#, #""ring":"onion""#, "ring", "\"onion\""),
      (#""glucose":1319"#, #""glucose":16384"#, "raw.glucose", "\"16384\""),
      (#""error_field":800"#, #""error_field":2048"#, "raw.error_field", "\"2048\""),
      (#""temperature_adjustment":-8"#, #""temperature_adjustment":-2045"#, "raw.temperature_adjustment", "\"-2045\""),
      (#""quality":"error""#, #""quality":"fine""#, "quality", "\"fine\""),
      (#""uid":"E007A0000025905E""#, #""uid":null"#, "uid", "missing"),
      (#""uid":"E007A0000025905E""#, #""uid":"0007""#, "uid", "\"0007\""),
      (#""id":"d1f5603b"#, #""id":"d1f5603"#, "id", "\"d1f5603-c12a-549e-be27-e59866f73323\""),
      (#""time":"2026-11-21T06:20:00Z""#, #""time":"noon""#, "time", "\"noon\""),
      (#""i1":0"#, #""i1":"none""#, "calibration.i1", "missing, or of the wrong type"),
      (#""version":1"#, #""version":0"#, "calibration.version", "\"0\""),
      (#""family":"libre1""#, #""family":"libre9""#, "family", "\"libre9\""),
      (#""fingerprint":null"#, #""fingerprint":"00""#, "fingerprint", "\"00\""),
    ] {
      let text = Self.finger + "\n" + Self.sensor.replacing(old, with: new)
      #expect(throws: HistoryError.badField(line: 2, name: name, value: shown)) { try NDJSONReader().entries(text) }
    }
    for (old, new, name, shown) in [
      (#""source":"libreview""#, #""source":null"#, "source", "missing"),
      (#""glucose_mg_dl":104.5"#, #""glucose_mg_dl":null"#, "glucose_mg_dl", "missing"),
      (#""quality":"ok""#, #""quality":"error""#, "quality", "\"error\""),
      (#""bound":"low""#, #""bound":"lower""#, "bound", "\"lower\""),
      (#""time":"2024-05-02T10:15:00Z""#, #""time":null"#, "time", "missing"),
    ] {
      #expect(throws: HistoryError.badField(line: 1, name: name, value: shown)) {
        try NDJSONReader().entries(Self.imported.replacing(old, with: new))
      }
    }
  }

  @Test("of several invalid members the first in the text is reported")
  func severalWrong() {
    let text = Self.sensor.replacing(#""i1":0,"i2":803.5"#, with: #""i2":"b","i1":"a","i9":"c","i0":"d""#)
    #expect(
      throws: HistoryError.badField(line: 1, name: "calibration.i2", value: "missing, or of the wrong type")
    ) { try NDJSONReader().entries(text) }
  }

  private static let members = [
    "has_error": "false", "quality": #""ok""#, "glucose": "1319", "minute": "45", "ring": #""history""#,
  ]

  /// A valid sample with a value, in which members are replaced.
  private static func good(_ replacements: (name: String, value: String)...) -> String {
    let good = Self.sensor.replacing(#""has_error":true"#, with: #""has_error":false"#)
      .replacing(#""quality":"error""#, with: #""quality":"ok""#)
      .replacing(#""glucose_mg_dl":null"#, with: #""glucose_mg_dl":104.5"#)
    return replacements.reduce(good) { line, member in
      line.replacing("\"\(member.name)\":\(members[member.name] ?? "")", with: "\"\(member.name)\":\(member.value)")
    }
  }

  @Test("a contradictory line is refused with its number, and all others are read")
  func contradictions() throws {
    #expect(try NDJSONReader().entries(Self.good()).first?.usableConcentration != nil)
    let withValue = Self.sensor.replacing(#""glucose_mg_dl":null"#, with: #""glucose_mg_dl":104.5"#)
    let lines = [
      (Self.good(("has_error", "true")), "has_error is true, but the quality is ok"),
      (Self.good(("quality", #""error""#)), "has_error is false, but the quality is error"),
      (withValue, "has_error is true, but there is a value"),
      (Self.good(("glucose", "0")), "raw.glucose is 0, but the quality is ok"),
      (Self.good(("glucose", "0"), ("quality", #""low_signal""#)), "raw.glucose is 0, but there is a value"),
      (Self.good(("minute", "46")), "history minutes are multiples of 15, got minute 46"),
      (Self.good(("quality", #""never_written""#)), "the quality is never_written, but raw is not all 0"),
    ]
    for (line, words) in lines {
      let (found, facts) = try NDJSONReader().found(in: "\(Self.finger)\n\(line)\n\(Self.imported)\n")
      #expect(facts.refused.error == .badLine(2, words))
      #expect(try found == NDJSONReader().entries(Self.finger + "\n" + Self.imported) && found.count == 2)
    }
    // The trend has every minute.
    let trend = Self.good(("ring", #""trend""#), ("minute", "46"))
    #expect(try NDJSONReader().entries(trend).count == 1)
    let text = lines.map(\.0).joined(separator: "\n") + "\n" + Self.finger
    let first = lines.prefix(3).enumerated().map { HistoryError.badLine($0 + 1, $1.1) }
    #expect(throws: HistoryError.refused(lines.count, first: first)) { try NDJSONReader().entries(text) }
  }
}
