// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing
import TextFormats

@testable import HistoryFormats

@Suite("JSON in its plain form, read in place") struct PlainJSONTests {
  @Test("numbers have the value that the decoder gives them, or are left to it")
  func numbers() throws {
    var left: [String] = []
    for text in [
      "0", "-0", "7", "-7", "104.4808", "0.1", "0.30000", "5.8", "-0.05", "999999999999999", "99999.9999999999",
      "123456789.123456", "1e3", "1E-3", "12345678901234567890", "0.12345678901234567", "1.0e22",
    ] {
      var json = PlainJSON(Array(text.utf8))
      let expected = try JSONReading.value([Double].self, from: Array("[\(text)]".utf8))
      guard let value = json.double() else {
        left.append(text)
        continue
      }
      #expect(value.bitPattern == expected[0].bitPattern, "\(text)")
    }
    #expect(left == ["1e3", "1E-3", "12345678901234567890", "0.12345678901234567", "1.0e22"])
  }

  @Test("four decimals, as libre writes them, are never left to the decoder")
  func decimals() throws {
    for number in stride(from: 0, to: 5_000_000, by: 7_919) {
      let text = DecimalText.shortest(Double(number) / 10_000, places: 4)
      var json = PlainJSON(Array(text.utf8))
      #expect(json.double() == Double(text), "\(text)")
    }
  }

  @Test(
    "what is not JSON is not plain",
    arguments: [
      "01", "1.", ".5", "+1", "-", "--1", "1e", "nul", "True", "'a'", #""a"#, "\"a\nb\"", "[1,]", "[1 2]", "", "{",
    ])
  func invalid(_ text: String) {
    var json = PlainJSON(Array("{\"a\":\(text)}".utf8))
    let isPlain = json.object { json, _ in json.ignored() } && json.isAtEnd
    #expect(!isPlain)
  }

  @Test("names and texts are found, and texts with escapes or invalid UTF-8 are left to the decoder")
  func texts() {
    func value(_ text: [UInt8]) -> String? {
      var json = PlainJSON(
        Array(" { \"other\" : [ true, null , \"x\", -1 ] ,\r\n\t\"name\":".utf8) + text + Array("} ".utf8))
      var found: String?
      let isPlain = json.object { json, name in
        guard json.position(of: name, in: ["names", "name"]) == 1 else { return json.ignored() }
        found = json.string()
        return found != nil
      }
      return isPlain && json.isAtEnd ? found : nil
    }
    #expect(value(Array("\"caf\u{E9} \u{1F600}\"".utf8)) == "caf\u{E9} \u{1F600}")
    #expect(value(Array("\"\"".utf8)) == "")
    #expect(value(Array(#""a\u0062""#.utf8)) == nil)
    #expect(value([0x22, 0xC3, 0x28, 0x22]) == nil)
    #expect(value(Array("12".utf8)) == nil)
  }
}

@Suite("Samples that libre wrote, read in place and by the decoder") struct PlainSampleTests {
  private static let line =
    #"{"schema":"libre.sample/1","id":"d1f5603b-c12a-549e-be27-e59866f73323","uid":"E007A0000025905E","serial":"0M1","wear":2,"ring":"history","minute":45,"time":"2024-05-02T10:15:00Z","raw":{"glucose":1319,"temperature":6552,"temperature_adjustment":-8,"has_error":false,"error_field":800},"quality":"ok","errors":[],"temperature_c":32.03,"glucose_mg_dl":108.3719,"model_glucose_mg_dl":108.3719,"calibration":{"model":"factory","version":1,"i6":6536,"i1":0,"i2":803.5},"family":"libre1","fingerprint":"0102030405060708090A0B0C0D0E0F10"}"#
  private static let other =
    #"{"schema":"libre.sample/1","id":null,"ring":"trend","time":"2024-05-02T10:15:00Z","quality":"ok","glucose_mg_dl":99,"source":"clarity","device":"G6","bound":"low"}"#

  /// Lines with the same values that are not plain: an escape, an exponent, another order, a member twice.
  private static let variations: [(String, String)] = [
    (#""ok""#, #""o\u006b""#), (#""minute":45"#, #""minute":4.5e1"#),
    (#""wear":2,"#, #""wear":2,"unknown":{"a":[1]},"#),
    (#""wear":2,"#, #""wear":2,"wear":2,"#), (#""i1":0"#, #""i1":0e0"#), (#""errors":[]"#, #""errors":[{}]"#),
  ]

  @Test("both give the same entries", arguments: variations)
  func same(_ plain: String, _ other: String) throws {
    let changed = Self.line.replacing(plain, with: other)
    #expect(changed != Self.line)
    // The record before must not change how the next one is read.
    let text = [Self.line, changed, Self.other, changed, Self.line].joined(separator: "\n")
    let entries = try NDJSONReader().entries(text)
    let expected = try #require(NDJSONReader().entries(Self.line).first)
    #expect(expected.stored?.calibration?.parameters.map(\.name) == ["i6", "i1", "i2"])
    #expect(entries.map { $0.stored == nil ? nil : $0 } == [expected, expected, nil, expected, expected])
  }

  @Test("a line that has to be refused is explained as before")
  func refused() {
    for (plain, other, name, shown) in [
      (#""minute":45"#, #""minute":"45""#, "minute", "missing, or of the wrong type"),
      (#""ring":"history","#, "", "ring", "missing, or of the wrong type"),
      (#""quality":"ok""#, #""quality":null"#, "quality", "missing, or of the wrong type"),
      (#""has_error":false"#, #""has_error":0"#, "raw.has_error", "missing, or of the wrong type"),
      (#""version":1,"#, "", "calibration.version", "missing, or of the wrong type"),
      (#""glucose":1319"#, #""glucose":16384"#, "raw.glucose", #""16384""#),
    ] {
      let changed = Self.line.replacing(plain, with: other)
      #expect(throws: HistoryError.badField(line: 2, name: name, value: shown), "\(other)") {
        try NDJSONReader().entries("\(Self.line)\n\(changed)")
      }
    }
  }
}
