// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing
import TextFormats

@testable import HistoryFormats

@Suite("Lines of libre.sample/1") struct SampleLinesTests {
  private static let line =
    #"{"schema":"libre.sample/1","id":"d1f5603b-c12a-549e-be27-e59866f73323","uid":"E007A0000025905E","serial":"0M1","wear":2,"ring":"history","minute":45,"time":"2024-05-02T10:15:00Z","raw":{"glucose":1319,"temperature":6552,"temperature_adjustment":-8,"has_error":false,"error_field":800},"quality":"ok","errors":[],"temperature_c":32.03,"glucose_mg_dl":108.3719,"model_glucose_mg_dl":108.3719,"calibration":{"model":"factory","version":1,"i6":6536,"i1":0,"i2":803.5},"family":"libre1","fingerprint":"0102030405060708090A0B0C0D0E0F10"}"#
  private static let other =
    #"{"schema":"libre.sample/1","id":null,"ring":"trend","time":"2024-05-02T10:15:00Z","quality":"ok","glucose_mg_dl":99,"source":"clarity","device":"G6","bound":"low"}"#

  /// Lines with the same values in other words: an escape, an exponent, an unknown member, a member twice.
  private static let variations: [(String, String)] = [
    (#""ok""#, #""o\u006b""#), (#""minute":45"#, #""minute":4.5e1"#),
    (#""wear":2,"#, #""wear":2,"unknown":{"a":[1]},"#),
    (#""wear":2,"#, #""wear":2,"wear":2,"#), (#""i1":0"#, #""i1":0e0"#), (#""errors":[]"#, #""errors":[{}]"#),
  ]

  @Test("give the same entry in every form of JSON", arguments: variations)
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

  @Test("are refused as a whole if they are not JSON")
  func invalid() {
    for (plain, other) in [(#""wear":2"#, #""wear":02"#), (#""serial":"0M1""#, #""serial":"0M\x""#)] {
      let changed = Self.line.replacing(plain, with: other)
      #expect(throws: HistoryError.self, "\(other)") { try NDJSONReader().entries(changed) }
    }
  }

  @Test("of a sample whose error field is unknown come back without one")
  func unknownErrorField() throws {
    let entry = try #require(NDJSONReader().entries(Self.line.replacing(":800}", with: ":null}")).first)
    #expect(entry.stored?.sample.raw.errorField == nil && entry.stored?.sample.raw.glucose == 1_319)
    let json = JSONWriter.line { SampleJSON.write(entry, unit: .milligramsPerDecilitre, to: &$0) }
    #expect(try NDJSONReader().entries(String(decoding: json, as: UTF8.self)) == [entry])
  }

  @Test("have the listed members in their order")
  func members() throws {
    for line in [Self.line, Self.other] {
      let entry = try #require(NDJSONReader().entries(line).first)
      let json = JSONWriter.line { SampleJSON.write(entry, unit: .millimolesPerLitre, person: "p", to: &$0) }
      let names = try #require(JSONMembers(json)).members.map(\.name)
      #expect(SampleJSON.Member.allCases.map(\.rawValue).filter(names.contains) == names)
    }
  }
}
