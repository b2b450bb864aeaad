// SPDX-License-Identifier: Apache-2.0
import LibreDocuments
import Meters
import NFCTransport
import TestSupport
import Testing

@testable import CommandSupport

struct KnownReadersTextTests {
  private static let readers = KnownReader.all.filter { $0.iso15693 == .yes }

  @Test("every reader is listed with its evidence: a reported read for one, documentation or memory for the others")
  func everyReader() {
    let text = KnownReadersText.text(style: Style(isColored: false))
    for reader in KnownReader.all { #expect(text.contains(" \(reader.title)\n")) }
    #expect(text.contains("No reader has been tried with libre yet, and no Libre was reported"))
    #expect(text.hasSuffix("libre read --trace FILE records what it says, and CONTRIBUTING.md says how to send it.\n"))
    let words = Self.readers.map { KnownReadersText.proof($0) ?? "" }
    #expect(words.filter { $0.hasPrefix("a Libre was read with it: ") }.count == 1)
    #expect(words.filter { $0.contains("no Libre read with it was reported") }.count == Self.readers.count - 1)
    for reader in KnownReader.all where !Self.readers.contains(reader) {
      #expect(KnownReadersText.proof(reader) == nil)
    }
  }

  @Test("a phone and a bridge are among them, untested, and no reader is said to be tested")
  func document() throws {
    let readers = try Sandbox.new().run("readers", "--supported", "--json").json()["readers"].elements
    #expect(readers.map { $0["title"].text } == KnownReader.all.map(\.title))
    #expect(readers.allSatisfy { ($0["iso15693"].text == "yes") == ($0["reason"] == .null) })
    #expect(readers.allSatisfy { $0["is_tested"] == .bool(false) })
    let phone = try #require(readers.first { $0["scheme"].text == "phone" })
    #expect(phone["proof"].text == "documented" && phone["dialects"].elements == [.string("nfcgate")])
    let bridge = try #require(readers.first { $0["scheme"].text == "bridge" })
    #expect(Set(bridge["dialects"].elements.compactMap(\.text)) == Set(BridgeLanguage.allCases.map(\.rawValue)))
  }
}
