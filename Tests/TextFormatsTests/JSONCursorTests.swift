// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TextFormats

@Suite("JSON that is read in place") struct JSONCursorTests {
  @Test("numbers have the value that the platform's decoder gives them")
  func numbers() throws {
    for text in [
      "0", "-0", "7", "-7", "104.4808", "0.1", "0.30000", "5.8", "-0.05", "999999999999999", "99999.9999999999",
      "123456789.123456", "1e3", "1E-3", "12345678901234567890", "0.12345678901234567", "1.0e22", "9007199254740993",
      "1234567890123456.5",
    ] {
      var json = JSONCursor(Array(text.utf8))
      let expected = try JSONReading.value([Double].self, from: Array("[\(text)]".utf8))
      #expect(json.double()?.bitPattern == expected[0].bitPattern && json.isAtEnd, "\(text)")
      var whole = JSONCursor(Array(text.utf8))
      #expect(whole.integer() == (try? JSONReading.value([Int].self, from: Array("[\(text)]".utf8)))?[0], "\(text)")
    }
    for number in stride(from: 0, to: 5_000_000, by: 7_919) {
      let text = DecimalText.shortest(Double(number) / 10_000, places: 4)
      var json = JSONCursor(Array(text.utf8))
      #expect(json.double() == Double(text), "\(text)")
    }
    for text in ["1e999", "true", "\"1\"", "null", "[1]"] {
      var json = JSONCursor(Array(text.utf8))
      #expect(json.double() == nil, "\(text)")
    }
  }

  @Test("texts with escapes have the value that the platform's decoder gives them")
  func texts() throws {
    for text in [#""""#, "\"caf\u{E9} \u{1F600}\"", #""a\u0062\n\/\\\"""#, #""\uD83D\uDE00""#] {
      var json = JSONCursor(Array(text.utf8))
      #expect(json.string() == (try JSONReading.value([String].self, from: Array("[\(text)]".utf8)))[0] && json.isAtEnd)
    }
    for text: [UInt8] in [[0x22, 0xC3, 0x28, 0x22], Array(#""\uD83D""#.utf8), Array("12".utf8)] {
      var json = JSONCursor(text)
      #expect(json.string() == nil)
    }
  }

  private static let names = JSONNames(["a", "b", "c"], required: ["b"])

  /// Reads whole numbers, and those of `c` in an object.
  private func read(_ text: String) -> (isRead: Bool, values: [Int?], wrong: String?) {
    var json = JSONCursor(Array(text.utf8))
    var values: [Int?] = [nil, nil, nil]
    let isRead = json.object(of: Self.names) { json, name in
      guard name == 2 else { return json.integer(into: &values[name]) }
      return json.object(of: Self.names) { json, name in
        name == 1 ? json.integer(into: &values[2]) : json.skipValue()
      }
    }
    return (isRead && json.isAtEnd, values, json.wrongMember)
  }

  @Test(
    "members are read in any order, the first of a name counts, and the first missing or of another type is named",
    arguments: [
      (#" { "b" : 2 , "x":[{"a":9}],"a":1, "a":7 ,"c":{"a":5,"b":3} } "#, [1, 2, 3], nil),
      (#"{"a":null,"b":2,"b":null}"#, [nil, 2, nil], nil),
      (#"{"a":1}"#, [1, nil, nil], "b"), (#"{"a":1,"b":null}"#, [1, nil, nil], "b"),
      (#"{"a":"1","b":2}"#, [nil, 2, nil], "a"), (#"{"a":[1],"b":2.5,"c":{}}"#, [nil, nil, nil], "a"),
      (#"{"b":2,"c":{"b":"3"}}"#, [nil, 2, nil], "c.b"), (#"{"b":2,"c":{"a":1}}"#, [nil, 2, nil], "c.b"),
      (#"{"b":2,"c":3,"a":1}"#, [1, 2, nil], "c"),
    ] as [(String, [Int?], String?)])
  func members(_ text: String, _ values: [Int?], _ wrong: String?) {
    #expect(read(text) == (true, values, wrong))
  }

  @Test("a text that ends early is not read")
  func truncated() {
    let text = #"{"a":1,"b":-2.5e3,"x":["\u0041",true,null],"c":{"b":3}}"#
    #expect(read(text).isRead)
    for end in 0..<text.utf8.count { #expect(!read(String(text.prefix(end))).isRead, "\(end)") }
  }
}

@Suite("Members of a JSON object") struct JSONMembersTests {
  private func members(_ text: String) -> [String]? {
    JSONMembers(Array(text.utf8))?.members.map { String(decoding: $0.text, as: UTF8.self) }
  }

  @Test("are given as they stand in the text, in its order")
  func verbatim() {
    #expect(members("{}") == [] && members(" { \t } ") == [])
    let text = #"{"b": 1.50e+3 ,"a" :[ {"c":null}, true,-0.0, "\u00e9\"\\" ],"b":{} }"#
    #expect(members(text) == [#""b": 1.50e+3"#, #""a" :[ {"c":null}, true,-0.0, "\u00e9\"\\" ]"#, #""b":{}"#])
    #expect(JSONMembers(Array(text.utf8))?.members.map(\.name) == ["b", "a", "b"])
    #expect(members("{\"a\":\r\n[1,\r\n2]}") == ["\"a\":[1,2]"])
  }

  @Test(
    "are not given for anything that is not an object by RFC 8259",
    arguments: [
      "", "[]", "1", "null", "{", "}", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "{\"a\":1}x", "{\"a\":01}",
      "{\"a\":1.}", "{\"a\":.5}", "{\"a\":+1}", "{\"a\":1e}", "{\"a\":nul}", "{\"a\":tru}", "{\"a\":'b'}",
      "{\"a\":\"\t\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}", "{\"a\":\"b}", "{\"a\":[1,]}", "{\"a\":[1 2]}",
      "{\"a\":[1}", "{\"a\":NaN}", "{\"a\":-}", "{\"a\" 1}", "{,}", "{\"a\":{\"b\":1,}}",
    ])
  func invalid(text: String) {
    #expect(members(text) == nil)
  }

  @Test("are not given for invalid UTF-8, nor for an object that is nested too deep")
  func limits() {
    #expect(JSONMembers(Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)) == nil)
    func nested(_ depth: Int) -> String {
      "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    }
    #expect(members(nested(512))?.count == 1 && members(nested(513)) == nil)
    #expect(members(nested(100_000)) == nil)
  }

  @Test("of any text that the platform's parser refuses are not given")
  func platform() {
    let text = Array(#"{"a":[1,-2.5e3,{"b":"é\n"}],"c":null}"#.utf8)
    for index in text.indices {
      for byte in [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: "0"), 0xC3, 0x0A] {
        var changed = text
        changed[index] = byte
        if JSONMembers(changed) != nil {
          #expect(throws: Never.self, "\(String(decoding: changed, as: UTF8.self))") { try JSONValue(parsing: changed) }
        }
      }
    }
  }
}
