// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import HistoryFormats

/// A complete file of one format, with three entries.
struct Example: Sendable, CustomTestStringConvertible {
  let format: String
  /// The text up to the first row or record, one record, and the end of the file: `text` has three records.
  let start: String
  /// `#` stands for a number of two digits that differs in each record.
  let record: String
  var separator = ""
  var end = ""

  var text: String { text(count: 3) }

  func text(count: Int) -> String { start + (0..<count).map(record).joined(separator: separator) + end }

  func record(_ number: Int) -> String { record.replacing("#", with: String(10 + number % 50)) }

  var testDescription: String { format }
}

enum Examples {
  static let readers: [any HistoryReader] = [
    NDJSONReader(), CSVReader(), LibreViewReader(), ClarityReader(), NightscoutReader(), TidepoolReader(),
    AppleHealthReader(),
    SiDiaryReader(), GlucometerUtilsReader(), JugglucoReader(), TableReader(),
  ]

  static let options = ImportOptions.twoHoursAhead.with(unit: .milligramsPerDecilitre)

  static let all = [
    Example(
      format: "ndjson", start: "",
      record: """
        {"schema":"libre.sample/1","id":null,"uid":"E007A0000025905E","serial":"0M1","wear":1,"ring":"trend",\
        "minute":#,"time":"2024-05-02T10:#:00Z","raw":{"glucose":1319,"temperature":6552,\
        "temperature_adjustment":-8,"has_error":false,"error_field":0},"quality":"ok","errors":[],\
        "temperature_c":32.03,"glucose_mg_dl":1#,"calibration":{"model":"factory","version":1,"i1":0,"i2":803,\
        "i3":18,"i4":6931,"i5":8804,"i6":6536},"family":"libre1","fingerprint":null}

        """),
    Example(
      format: "libreview",
      start: "Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,Scan Glucose mg/dL\r\n",
      record: "FreeStyle Libre,0M1,22-05-2024 12:#,0,1#,\r\n"),
    Example(
      format: "clarity",
      start:
        "\u{FEFF}\"Index\",\"Timestamp (YYYY-MM-DDThh:mm:ss)\",\"Event Type\",\"Glucose Value (mg/dL)\","
        + "\"Transmitter ID\"\r\n",
      record: "\"1\",\"2024-05-02T12:15:#\",\"EGV\",\"1#\",\"8ABC12\"\r\n"),
    Example(
      format: "nightscout", start: "[",
      record: #"{"type":"sgv","sgv":1#,"date":17146449#000,"device":"x"}"#, separator: ",\n", end: "]"),
    Example(
      format: "tidepool", start: "[",
      record: #"{"type":"cbg","time":"2024-05-02T10:15:#.000Z","units":"mg/dL","value":1#,"uploadId":"u"}"#,
      separator: ",\n", end: "]"),
    Example(
      format: "apple-health", start: "<?xml version=\"1.0\"?>\n<HealthData locale=\"en_US\">\n",
      record: """
         <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="A" unit="mg/dL" \
        startDate="2024-05-02 12:15:# +0200" value="1#"/>

        """, end: "</HealthData>\n"),
    Example(format: "sidiary", start: "DAY;TIME;UDT_CGMS;BG_LEVEL;REMARK\r\n", record: "02.05.2024;12:#;1#;;\r\n"),
    Example(format: "table", start: "local_time,kind,mg_dL\n", record: "2024-05-02 12:15:#,scan,1#\n"),
    Example(
      format: "glucometerutils", start: "", record: "\"2024-05-02 12:15:#\",\"1#.00\",\"\",\"blood sample\",\"\"\n"),
    Example(
      format: "juggluco", start: "Sensorid\tnr\tUnixTime\tYYYY-mm-dd-HH:MM:SS\tTZ\tMin\tmg/dL\n",
      record: "0M1\t13\t17146449#\t2024-05-02T12:15:00\t2\t14415\t1#\n"),
  ]
}
