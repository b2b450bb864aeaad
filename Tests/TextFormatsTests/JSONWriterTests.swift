// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing
import TextFormats

struct JSONWriterTests {
  private func written(indented: Bool = false, depth: Int = 0, _ members: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(indented: indented, depth: depth)
    writer.object(members)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("escapes quotes, backslashes and control characters, and nothing else")
  func escapes() {
    #expect(written { $0.member("a", "\"\\/") } == #"{"a":"\"\\/"}"#)
    #expect(written { $0.member("a", "\n\r\t\u{8}\u{0}\u{1F}\u{7F}") } == #"{"a":"\n\r\t\u0008\u0000\u001f\u007f"}"#)
    #expect(written { $0.member("a", "é日🙂\u{2028}") } == "{\"a\":\"é日🙂\u{2028}\"}")
    #expect(written { $0.member("a\"b", "") } == #"{"a\"b":""}"#)
  }

  @Test("escapes control characters above ASCII, and characters that change the order of the text around them")
  func controls() {
    #expect(written { $0.member("a", "\u{9B}31m\u{80}\u{9F}\u{A0}µ") } == "{\"a\":\"\\u009b31m\\u0080\\u009f\u{A0}µ\"}")
    #expect(written { $0.member("a", "\u{202E}\u{200F}\u{2066}\u{61C}–ؠ") } == #"{"a":"\u202e\u200f\u2066\u061c–ؠ"}"#)
  }

  @Test("JSONSerialization reads back 400 random texts as keys and values, on one line and on many")
  func roundTrip() throws {
    for seed in 0..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let (key, value, list) = (random.text(12), random.text(40), (0..<3).map { _ in random.text(6) })
      for indented in [false, true] {
        var writer = JSONWriter(indented: indented)
        writer.object { json in
          json.member(key, value)
          json.member(key + "+", list)
          json.member(key + "-") { $0.object { $0.member("inner", value) } }
        }
        let object = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any]
        #expect(object?.count == 3, "seed \(seed)")
        #expect((object?[key] as? String).map { Array($0.utf8) } == Array(value.utf8), "seed \(seed)")
        #expect(
          (object?[key + "+"] as? [String])?.map { Array($0.utf8) } == list.map { Array($0.utf8) }, "seed \(seed)")
        if !indented { #expect(!writer.bytes.contains(0x0A), "seed \(seed)") }
      }
    }
  }

  @Test("writes null for nil, NaN and infinities")
  func null() {
    #expect(written { $0.member("a", nil as String?) } == #"{"a":null}"#)
    #expect(written { $0.member("a", nil as Int?) } == #"{"a":null}"#)
    for value in [nil, Double.nan, .infinity, -.infinity, .signalingNaN] as [Double?] {
      #expect(written { $0.member("a", value, places: 2) } == #"{"a":null}"#)
    }
    #expect(written { $0.member("a") { $0.null() } } == #"{"a":null}"#)
  }

  @Test("writes numbers, booleans and lists")
  func values() {
    #expect(written { $0.member("a", -5) } == #"{"a":-5}"#)
    #expect(written { $0.member("a", Int.min) } == #"{"a":-9223372036854775808}"#)
    #expect(written { $0.member("a", 108.371_94, places: 4) } == #"{"a":108.3719}"#)
    #expect(written { $0.member("a", -0.000_01, places: 4) } == #"{"a":0}"#)
    #expect(written { $0.member("a", true) } == #"{"a":true}"#)
    #expect(written { $0.member("a", false) } == #"{"a":false}"#)
    #expect(written { $0.member("a", ["x", "y"]) } == #"{"a":["x","y"]}"#)
  }

  @Test("writes empty objects and arrays without a space at any depth")
  func empty() {
    let members: (inout JSONWriter) -> Void = { json in
      json.member("a") { $0.object { _ in } }
      json.member("b") { $0.array([Int]()) { _, _ in } }
      json.member("c") { json in json.array([1, 2]) { json, _ in json.array([0]) { json, _ in json.object { _ in } } } }
    }
    #expect(written(members) == #"{"a":{},"b":[],"c":[[{}],[{}]]}"#)
    #expect(written { _ in } == "{}")
    #expect(
      written(indented: true, members) == """
        {
          "a": {},
          "b": [],
          "c": [
            [
              {}
            ],
            [
              {}
            ]
          ]
        }
        """)
  }

  @Test("indents from a given depth, so that a document can be an element of a list")
  func depth() {
    #expect(
      written(indented: true, depth: 1) { json in
        json.member("a", 1)
        json.member("b", ["c"])
      } == """
        {
            "a": 1,
            "b": [
              "c"
            ]
          }
        """)
  }
}
