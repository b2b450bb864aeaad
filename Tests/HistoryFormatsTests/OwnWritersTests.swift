// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import HistoryFormats

/// CSV and NDJSON, which keep everything.
struct OwnWritersTests {
  @Test("the table has a row for each entry of every kind, and unknown cells are empty")
  func csv() {
    #expect(
      WriterEntries.text(CSVWriter(), WriterEntries.all) == #"""
        kind,source,device,uid,serial,wear,ring,minute,time,glucose_mg_dl,bound,quality,errors,temperature_c,\#
        raw_glucose,\#
        raw_temperature,raw_temperature_adjustment,has_error,error_field,calibration,calibration_version,\#
        salvaged,note,id,model_glucose_mg_dl,systolic_mmhg,diastolic_mmhg,mean_mmhg,pulse_per_minute,user,\#
        conditions,sent_unit,family,fingerprint,calibration_parameters,calibration_series
        sensor,,,E007A0000025905E,0M00009DHCR,1,history,14415,2024-05-02T10:15:00Z,104.4808,,ok,,32.03,1319,\#
        6552,-8,false,\#
        800,factory,1,false,,3e65f762-c0e3-5f0a-91a0-f1281b7a0a29,104.4808,,,,,,,,libre1,0102030405060708090A0B0C0D0E0F10,i1=0 i2=803 slope=0.1,
        sensor,,,E007A0000025905E,0M00009DHCR,1,trend,14420,2024-05-02T10:20:00Z,105.5,,ok,,32.03,1319,6552,\#
        -8,false,800,\#
        factory,1,true,,4125ebd7-62f4-56e8-ae53-2b5aa35f94ee,105.5,,,,,,,,libre1,0102030405060708090A0B0C0D0E0F10,i1=0 i2=803 slope=0.1,
        sensor,,,E007A0000025905E,0M00009DHCR,1,history,14430,2024-05-02T10:30:00Z,,,error,\#
        filter_delta rf_interference,\#
        32.03,1319,6552,-8,true,34,,,false,,88a748b7-a170-5f57-aa90-1e41806fffec,,,,,,,,,libre1,0102030405060708090A0B0C0D0E0F10,,
        imported,clarity,"Dexcom ""G6"", old",,,,trend,,2024-05-02T10:35:00Z,99,,ok,,,,,,,,,,,,\#
        11112222-3333-5444-8000-000000000004,,,,,,,,,,,,
        imported,libreview,,,,,history,,2024-05-02T10:45:00Z,40,low,ok,,,,,,,,,,,,11112222-3333-5444-8000-000000000005,,,,,,,,,,,,
        finger_stick,,,,,,,,2024-05-02T10:50:00Z,88,,ok,,,,,,,,,,,"before <lunch> & ""run""",\#
        11112222-3333-5444-8000-000000000009,,,,,,,,,,,,

        """#)
  }

  @Test("on request a spreadsheet takes no text of a table for a formula, and numbers stay numbers")
  func formulas() {
    let entries = ["=HYPERLINK(\"http://x\")", "+1+2", "-2-3", "@a", "\tx", "-5", "a=b"].map { name in
      value(name, nil, "2024-05-02T10:20:00Z", 100)
    }
    for (writer, end, column) in [(CSVWriter() as any HistoryWriter, "\n", 1), (LibreViewWriter(), "\r\n", 0)] {
      var context = WriterEntries.context(person: "=person")
      let plain = WriterEntries.text(writer, entries, context)
      context.isWithoutFormulas = true
      let safe = WriterEntries.text(writer, entries, context)
      let names = safe.split(separator: end, omittingEmptySubsequences: false).suffix(8).dropLast().map {
        $0.split(separator: ",", omittingEmptySubsequences: false)[column]
      }
      #expect(
        names == [#""'=HYPERLINK(""http://x"")""#, "'+1+2", "'-2-3", "'@a", "'\tx", "-5", "a=b"], "\(writer.name)")
      #expect(plain.contains(",+1+2") || plain.contains("\(end)+1+2"))
      #expect(safe.contains("'=person") == (writer.name == "libreview"))
    }
    var context = WriterEntries.context()
    context.isWithoutFormulas = true
    #expect(
      WriterEntries.text(CSVWriter(), WriterEntries.all, context) == WriterEntries.text(CSVWriter(), WriterEntries.all))
  }

  @Test("for mmol/L the table and the lines have that value next to mg/dL")
  func millimoles() throws {
    let context = WriterEntries.context(.millimolesPerLitre)
    let rows = WriterEntries.text(CSVWriter(), Array(WriterEntries.all.prefix(1)), context).split(separator: "\n")
    #expect(rows[0].contains(",glucose_mg_dl,glucose_mmol_l,bound,") && rows[1].contains(",104.4808,5.7986,,ok,"))
    let line = try JSONValue(parsing: WriterEntries.text(NDJSONWriter(), [WriterEntries.all[0]], context).utf8)
    #expect(line["glucose_mg_dl"].number == 104.4808 && line["glucose_mmol_l"].number == 5.7986)
  }

  @Test("each entry is a line with the same members, with null for those of a sensor where there is none")
  func lines() {
    #expect(
      WriterEntries.text(NDJSONWriter(), [1, 2, 4, 5].map { WriterEntries.all[$0] }) == #"""
        {"schema":"libre.sample/1","id":"4125ebd7-62f4-56e8-ae53-2b5aa35f94ee","uid":"E007A0000025905E",\#
        "serial":"0M00009DHCR","wear":1,"ring":"trend","minute":14420,"time":"2024-05-02T10:20:00Z",\#
        "raw":{"glucose":1319,"temperature":6552,"temperature_adjustment":-8,"has_error":false,"error_field":800},\#
        "quality":"ok","errors":[],"temperature_c":32.03,"glucose_mg_dl":105.5,"model_glucose_mg_dl":105.5,\#
        "calibration":{"model":"factory","version":1,"i1":0,"i2":803,"slope":0.1},"family":"libre1",\#
        "fingerprint":"0102030405060708090A0B0C0D0E0F10","salvaged":true}
        {"schema":"libre.sample/1","id":"88a748b7-a170-5f57-aa90-1e41806fffec","uid":"E007A0000025905E",\#
        "serial":"0M00009DHCR","wear":1,"ring":"history","minute":14430,"time":"2024-05-02T10:30:00Z",\#
        "raw":{"glucose":1319,"temperature":6552,"temperature_adjustment":-8,"has_error":true,"error_field":34},\#
        "quality":"error","errors":["filter_delta","rf_interference"],"temperature_c":32.03,"glucose_mg_dl":null,\#
        "model_glucose_mg_dl":null,"calibration":null,"family":"libre1","fingerprint":"0102030405060708090A0B0C0D0E0F10"}
        {"schema":"libre.sample/1","id":"11112222-3333-5444-8000-000000000005","uid":null,"serial":null,"wear":null,\#
        "ring":"history","minute":null,"time":"2024-05-02T10:45:00Z","raw":null,"quality":"ok","errors":[],\#
        "temperature_c":null,"glucose_mg_dl":40,"model_glucose_mg_dl":null,"source":"libreview","device":null,"bound":"low"}
        {"schema":"libre.sample/1","id":"11112222-3333-5444-8000-000000000009","uid":null,"serial":null,"wear":null,\#
        "ring":"finger_stick","minute":null,"time":"2024-05-02T10:50:00Z","raw":null,"quality":"ok","errors":[],\#
        "temperature_c":null,"glucose_mg_dl":88,"model_glucose_mg_dl":null,"source":null,"note":"before <lunch> & \"run\""}

        """#)
  }

  @Test("samples without a time, flagged samples and impossible numbers are kept, with null for the number")
  func unusable() throws {
    for writer: any HistoryWriter in [CSVWriter(), NDJSONWriter()] {
      let written = WriterEntries.written(writer, WriterEntries.unusable)
      #expect(written.leftOut.isEmpty)
      #expect(written.text.split(separator: "\n").count == (writer is CSVWriter ? 4 : 3))
    }
    let lines = WriterEntries.text(NDJSONWriter(), WriterEntries.unusable).split(separator: "\n")
    let values = try lines.map { try JSONValue(parsing: $0.utf8) }
    #expect(values.map { $0["time"].text } == [nil, "2024-05-02T10:20:00Z", "2024-05-02T10:20:00Z"])
    #expect(values.map { $0["quality"].text } == ["ok", "warm_up", "ok"])
    #expect(values[2]["glucose_mg_dl"] == .null && values[2].keys.contains("glucose_mg_dl"))
  }
}
