// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TextFormats

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
