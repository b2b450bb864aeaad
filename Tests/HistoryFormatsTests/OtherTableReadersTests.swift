// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import HistoryFormats

@Suite("Dexcom Clarity's table") struct ClarityReaderTests {
  private static let header = """
    Index,Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Event Subtype,Patient Info,Device Info,Source Device ID,\
    Glucose Value (mg/dL),Insulin Value (u),Carb Value (grams),Duration (hh:mm:ss),\
    Glucose Rate of Change (mg/dL/min),Transmitter Time (Long Integer),Transmitter ID
    """

  private func table(_ rows: [String], unit: String = "mg/dL") -> String {
    let lines = [Self.header.replacing("Glucose Value (mg/dL)", with: "Glucose Value (\(unit))")] + rows
    return "\u{FEFF}"
      + lines.map { line in
        line.split(separator: ",", omittingEmptySubsequences: false).map { "\"\($0)\"" }.joined(separator: ",") + "\r\n"
      }.joined()
  }

  @Test("sensor values and calibrations are read, and words mean the ends of the range")
  func events() throws {
    let text = table([
      "1,,FirstName,,Max,,,,,,,,,", "2,,Device,,,G6 Mobile App,Android G6,,,,,,,",
      "3,,Alert,Low,,,Android G6,70,,,,,",
      "10,2024-05-02T12:15:00,EGV,,,,Android G6,104,,,,,42,8ABC12",
      "11,2024-05-02T12:20:00,EGV,,,,Android G6,Low,,,,,42,",
      "12,2024-05-02 12:25:00,EGV,,,,,High,,,,,42,", "13,2024-05-02T12:26:00,Calibration,,,,Android G6,99,,,,,,",
      "14,2024-05-02T12:30:00,Carbs,,,,Android G6,,,45,,,",
    ])
    #expect(
      try ClarityReader().entries(text) == [
        value("clarity", "8ABC12", "2024-05-02T10:15:00Z", 104),
        value("clarity", "Android G6", "2024-05-02T10:20:00Z", 40, bound: .low),
        value("clarity", nil, "2024-05-02T10:25:00Z", 400, bound: .high), stick("clarity", "2024-05-02T10:26:00Z", 99),
      ])
    // The column name determines mmol/L.
    let moles = table(["1,2024-05-02T12:15:00,EGV,,,,,5.8,,,,,,"], unit: "mmol/L")
    #expect(try ClarityReader().entries(moles) == [value("clarity", nil, "2024-05-02T10:15:00Z", 5.8 * 18.0182)])
  }

  @Test("an invalid value, an invalid time and a missing column are reported")
  func errors() {
    let date = "invalid date \"05/02/2024 12:15\", with the year first"
    for (text, error) in [
      (
        table(["1,2024-05-02T12:15:00,EGV,,,,,much,,,,,,"]),
        HistoryError.badField(line: 2, name: "Glucose Value", value: "\"much\"")
      ), (table(["1,05/02/2024 12:15,EGV,,,,,104,,,,,,"]), .badLine(2, date)),
      ("Timestamp (YYYY-MM-DDThh:mm:ss),Event Type\n", .columnMissing("Glucose Value (mg/dL)")),
    ] { #expect(throws: error) { try ClarityReader().entries(text) } }
  }
}

@Suite("xDrip's table for SiDiary") struct SiDiaryReaderTests {
  private let text = """
    DAY;TIME;UDT_CGMS;BG_LEVEL;CH_GR;BOLUS;REMARK\r
    02.05.2024;12:15;104;;;;\r
    02.05.2024;12:20;105\r
    02.05.2024;12:21;;99;;;"before lunch\r
    02.05.2024;12:22;;;30;2.5;meal\r
    02.05.2024;12:25;106;98;;;;;\r

    """

  @Test("sensor values and blood values share the table, rows may be shorter, and quotes are ordinary characters")
  func rows() throws {
    #expect(
      try SiDiaryReader().entries(text) == [
        value("sidiary", nil, "2024-05-02T10:15:00Z", 104), value("sidiary", nil, "2024-05-02T10:20:00Z", 105),
        stick("sidiary", "2024-05-02T10:21:00Z", 99, note: "\"before lunch"),
        value("sidiary", nil, "2024-05-02T10:25:00Z", 106), stick("sidiary", "2024-05-02T10:25:00Z", 98),
      ])
  }

  @Test("a row without a line end that is shorter than the header may have been cut off")
  func cut() {
    #expect(throws: HistoryError.truncated("line 2 does not end")) {
      try SiDiaryReader().entries("DAY;TIME;UDT_CGMS;BG_LEVEL\n02.05.2024;12:15;10")
    }
  }
}

@Suite("Juggluco's tables") struct JugglucoReaderTests {
  private func table(_ unit: String, extra: String = "", _ rows: String...) -> String {
    "Sensorid\tnr\tUnixTime\tYYYY-mm-dd-HH:MM:SS\tTZ\tMin\t\(unit)\(extra)\n" + rows.map { $0 + "\n" }.joined()
  }

  @Test("history and scans are read, with their own time and not the local text; both units mean mg/dL")
  func values() throws {
    for (unit, extra, row, glucose, ring) in [
      ("mg/dL", "", "2024-05-02T23:59:00\t2\t14415\t104", 104.0, SampleRing.history),
      ("mmol/L", "\tRate\tChangeLabel", "2024-05-02T12:15:00\t2\t14415\t5.8\t-0.3\tSTABLE", 5.8 * 18.0, .trend),
      ("both", "", "2024-05-02T12:15:00\t2\t14415\t202", 202, .history),
    ] {
      let found = try JugglucoReader().entries(table(unit, extra: extra, "0M1\t13\t1714644900\t\(row)"))
      #expect(found == [value("juggluco", "0M1", "2024-05-02T10:15:00Z", glucose, ring: ring)])
    }
  }

  @Test("a time before the first sensor, and a last row that may have been cut off, are errors")
  func errors() {
    for time in ["0", "1714644900000"] {
      #expect(throws: HistoryError.badField(line: 2, name: "UnixTime", value: "\"\(time)\"")) {
        try JugglucoReader().entries(table("mg/dL", "0M1\t13\t\(time)\t1970-01-01T00:00:00\t2\t14415\t104"))
      }
    }
    let whole = table("mg/dL", "0M1\t13\t1714644900\t2024-05-02T12:15:00\t2\t14415\t104")
    #expect(throws: HistoryError.truncated("line 2 does not end")) {
      try JugglucoReader().entries(String(whole.dropLast(2)))
    }
  }
}

@Suite("glucometerutils' table") struct GlucometerUtilsReaderTests {
  private let text = """
    "2024-05-02 12:15:00","104.00","","blood sample","(Blood)"
    "2024-05-02 12:16:00.123456","101.00","Before Meal","CGM","(Sensor)"
    "2024-05-02 12:17:00","102.00","","CGM","(Scan); (Sport)"
    "2024-05-02 12:18:00","1.20","blood sample","(Ketone)"
    "2024-05-02 12:19:00","2024-05-02 11:19:00","time","(Clock)"

    """

  @Test("blood and sensor values are read, and ketones and clock changes are ignored")
  func rows() throws {
    let found = try GlucometerUtilsReader().entries(text, .twoHoursAhead.with(unit: .milligramsPerDecilitre))
    #expect(
      found == [
        stick("glucometerutils", "2024-05-02T10:15:00Z", 104, note: "(Blood)"),
        value("glucometerutils", nil, "2024-05-02T10:16:00Z", 101),
        value("glucometerutils", nil, "2024-05-02T10:17:00Z", 102, ring: .trend),
      ])
  }

  @Test("the unit must be specified, because the file does not contain it")
  func unit() throws {
    #expect(throws: HistoryError.unknownUnit) { try GlucometerUtilsReader().entries(text) }
    let found = try GlucometerUtilsReader().entries(
      #""2024-05-02 12:15:00","5.80","","blood sample","""#, .twoHoursAhead.with(unit: .millimolesPerLitre))
    #expect(found == [stick("glucometerutils", "2024-05-02T10:15:00Z", 5.8 * 18.0)])
  }

  @Test("a row without a method is an error")
  func errors() {
    #expect(throws: HistoryError.badLine(6, "the method is missing, such as \"blood sample\" or \"CGM\"")) {
      try GlucometerUtilsReader().entries(
        text + "\"2024-05-02\",\"5\"\n", .twoHoursAhead.with(unit: .milligramsPerDecilitre))
    }
  }
}
