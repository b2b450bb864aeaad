// SPDX-License-Identifier: Apache-2.0
import Testing
import TextFormats

@testable import DumpFormats

@Suite("JSON of dumps")
struct EncodedTextTests {
  private struct Card: Decodable, Equatable {
    let uid: String
    var blocks: [Int]?
    var inner: Inner?

    struct Inner: Decodable, Equatable { let list: [Inner2] }
    struct Inner2: Decodable, Equatable { let size: Int }
  }

  private func card(_ text: String) throws(DumpError) -> Card { try EncodedText.json(Card.self, from: text.utf8) }

  @Test("unknown members are ignored; a missing member or one of the wrong type is reported with its path")
  func fields() throws {
    #expect(try card(#"{"more": [{}], "uid": "E0\u0030", "blocks": [1, 2]}"#) == Card(uid: "E00", blocks: [1, 2]))
    for (text, field) in [
      ("{}", "uid"), (#"{"uid": 5}"#, "uid"), (#"{"uid": null}"#, "uid"),
      (#"{"uid": "", "blocks": [1, "2"]}"#, "blocks[1]"),
      (#"{"uid": "", "inner": {"list": [{}]}}"#, "inner.list[0].size"),
    ] {
      #expect(throws: DumpError.badField(field, value: nil)) { try card(text) }
    }
    for number in ["1.5", "99999999999999999999"] {
      #expect(throws: DumpError.self) { try card(#"{"uid": "", "blocks": [\#(number)]}"#) }
    }
    for text in ["", "{", "uid", #"{"uid": "a"} x"#, "\u{0}"] {
      let error = #expect(throws: DumpError.self) { try card(text) }
      guard case .badJSON = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
  }

  @Test("deep nesting is an error and does not crash the program", arguments: [600, 100_000])
  func deep(depth: Int) {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let nested = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      #expect(throws: DumpError.self) { try card(#"{"uid": "", "x": \#(nested)}"#) }
      #expect(throws: DumpError.self) { try card(String(repeating: open, count: depth)) }
    }
  }
}
