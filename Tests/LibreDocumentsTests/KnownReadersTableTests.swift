// SPDX-License-Identifier: Apache-2.0
import LibreKit
import NFCTransport
import Testing

@testable import LibreDocuments

struct KnownReadersTableTests {
  @Test("every reader is listed")
  func everyReader() {
    let text = KnownReadersTable.text(style: Style(isColored: false))
    for reader in KnownReader.all { #expect(text.contains(" \(reader.title)\n")) }
    #expect(text.contains("No reader has been tried with libre yet, and no Libre was reported"))
    #expect(text.hasSuffix("libre read --trace FILE records what it says, and CONTRIBUTING.md says how to send it.\n"))
  }

  @Test("the evidence for each reader is given: a reported read for one, documentation or memory for the others")
  func proof() throws {
    let readers = KnownReader.all.filter { if case .reads = $0.ability { true } else { false } }
    let words = readers.map { KnownReadersTable.proof($0) ?? "" }
    #expect(words.filter { $0.hasPrefix("a Libre was read with it: ") }.count == 1)
    #expect(words.filter { $0.contains("no Libre read with it was reported") }.count == readers.count - 1)
    for reader in KnownReader.all where !readers.contains(reader) { #expect(KnownReadersTable.proof(reader) == nil) }
  }
}
