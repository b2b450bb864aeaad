// SPDX-License-Identifier: Apache-2.0
import Foundation
import LibreKit
import NFCTransport
import TestSupport
import Testing

@testable import LibreDocuments

struct KnownReadersTableTests {
  @Test("every reader is listed with its verdict")
  func everyReader() {
    let text = KnownReadersTable.text(style: Style(isColored: false))
    for reader in KnownReader.all {
      let word =
        switch reader.ability {
        case .reads: "yes"
        case .perhaps: "perhaps"
        case .cannot: "no"
        }
      #expect(text.contains("\(word)\(String(repeating: " ", count: 11 - word.count))\(reader.title)\n"))
    }
    #expect(text.hasSuffix("the entries come from manuals, sources of drivers and published traces.\n"))
    #expect(text.contains("untested on hardware"))
  }
}
