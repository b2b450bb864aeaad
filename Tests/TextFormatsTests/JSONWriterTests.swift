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

  @Test("escapes quotes, backslashes, control characters and those that change the order of the text around them")
  func escapes() {
    for (text, expected) in [
      ("\"\\/", #"\"\\/"#), ("\n\r\t\u{8}\u{0}\u{1F}\u{7F}", #"\n\r\t\u0008\u0000\u001f\u007f"#),
      ("é日🙂\u{2028}", "é日🙂\u{2028}"), ("\u{9B}31m\u{80}\u{9F}\u{A0}µ", "\\u009b31m\\u0080\\u009f\u{A0}µ"),
      ("\u{202E}\u{200F}\u{2066}\u{61C}–ؠ", #"\u202e\u200f\u2066\u061c–ؠ"#),
    ] {
      #expect(written { $0.member("a", text) } == "{\"a\":\"\(expected)\"}")
    }
    #expect(written { $0.member("a\"b", "") } == #"{"a\"b":""}"#)
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

  @Test("writes booleans, lists, numbers, and null for nil, NaN and infinities")
  func values() {
    for value in [nil, Double.nan, .infinity, -.infinity, .signalingNaN] as [Double?] {
      #expect(written { $0.member("a", value, places: 2) } == #"{"a":null}"#)
    }
    let text = written { json in
      json.member("a", nil as String?)
      json.member("b", nil as Int?)
      json.member("c") { $0.null() }
      json.member("d", -5)
      json.member("e", 108.371_94, places: 4)
      json.member("f", true)
      json.member("g", false)
      json.member("h", ["x", "y"])
    }
    #expect(text == #"{"a":null,"b":null,"c":null,"d":-5,"e":108.3719,"f":true,"g":false,"h":["x","y"]}"#)
  }

  @Test("writes empty objects and arrays without a space at any depth, and indents from a given one")
  func empty() {
    let members: (inout JSONWriter) -> Void = { json in
      json.member("a") { $0.object { _ in } }
      json.member("b") { $0.array([Int]()) { _, _ in } }
      json.member("c") { json in json.array([1, 2]) { json, _ in json.array([0]) { json, _ in json.object { _ in } } } }
    }
    #expect(written(members) == #"{"a":{},"b":[],"c":[[{}],[{}]]}"#)
    #expect(written { _ in } == "{}")
    let indented = """
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
      """
    #expect(written(indented: true, members) == indented)
    // A document can be an element of a list.
    #expect(written(indented: true, depth: 1, members) == indented.replacing("\n", with: "\n  "))
  }
}
