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

  @Test("JSON is read, and unknown members are ignored")
  func json() throws {
    #expect(try card(#"{"more": [{}], "uid": "E0\u0030", "blocks": [1, 2]}"#) == Card(uid: "E00", blocks: [1, 2]))
  }

  @Test("a missing member or one of the wrong type is reported with its path")
  func fields() {
    #expect(throws: DumpError.badField("uid", value: nil)) { try card("{}") }
    #expect(throws: DumpError.badField("uid", value: nil)) { try card(#"{"uid": 5}"#) }
    #expect(throws: DumpError.badField("uid", value: nil)) { try card(#"{"uid": null}"#) }
    #expect(throws: DumpError.badField("blocks[1]", value: nil)) { try card(#"{"uid": "", "blocks": [1, "2"]}"#) }
    #expect(throws: DumpError.badField("inner.list[0].size", value: nil)) {
      try card(#"{"uid": "", "inner": {"list": [{}]}}"#)
    }
    #expect(throws: DumpError.self) { try card(#"{"uid": "", "blocks": [1.5]}"#) }
    #expect(throws: DumpError.self) { try card(#"{"uid": "", "blocks": [99999999999999999999]}"#) }
  }

  @Test(
    "invalid JSON is reported as such", arguments: ["", "{", "uid", #"{"uid": "a"} x"#, "\u{0}"])
  func noJSON(text: String) {
    let error = #expect(throws: DumpError.self) { try card(text) }
    guard case .badJSON = error else {
      Issue.record("\(String(describing: error)) instead of badJSON")
      return
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
