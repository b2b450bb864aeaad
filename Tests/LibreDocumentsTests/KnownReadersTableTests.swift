// SPDX-License-Identifier: Apache-2.0
import Foundation
import LibreKit
import NFCTransport
import TestSupport
import Testing

@testable import LibreDocuments

struct KnownReadersTableTests {
  @Test("every reader is listed with its verdict, for people and in Markdown")
  func everyReader() {
    let text = KnownReadersTable.text(style: Style(isColored: false))
    let rows = KnownReadersTable.markdown.split(separator: "\n")
    #expect(rows.count == KnownReader.all.count + 2)
    for (reader, row) in zip(KnownReader.all, rows.dropFirst(2)) {
      let word =
        switch reader.ability {
        case .reads: "yes"
        case .perhaps: "perhaps"
        case .cannot: "no"
        }
      #expect(row.hasPrefix("| \(reader.title) | \(word) | "))
      #expect(row.hasSuffix(" | untested on hardware |"))
      #expect(row.filter { $0 == "|" }.count == 7)
      #expect(text.contains("\(word)\(String(repeating: " ", count: 11 - word.count))\(reader.title)\n"))
    }
    #expect(text.hasSuffix("from manuals, drivers' sources and other people's traces.\n"))
    #expect(text.contains("untested on hardware"))
  }

  @Test("the README has the catalogue of readers as this build has it")
  func readme() throws {
    let readme = String(
      decoding: try Repository.bytes(at: Repository.root.appendingPathComponent("README.md")), as: UTF8.self)
    guard readme.contains("| reader | reads sensors |") else {
      try Test.cancel("README.md has no table of readers")
    }
    #expect(readme.contains("\n\n\(KnownReadersTable.markdown)\n"), "paste this:\n\(KnownReadersTable.markdown)")
  }
}

extension KnownReadersTable {
  /// The README's table.
  static var markdown: String {
    let head =
      "| reader | reads sensors | how, or why not | Linux driver | known from | tested |\n|---|---|---|---|---|---|\n"
    let rows = KnownReader.all.map { reader in
      let how = ([Self.how(reader)] + (reader.note.map { [$0] } ?? [])).joined(separator: "; ")
      let source =
        switch reader.confidence {
        case .read: "manuals, sources, traces"
        case .remembered: "memory"
        }
      return "| \(reader.title) | \(word(reader)) | \(how) | \(reader.driver) | \(source) | untested on hardware |\n"
    }
    return head + rows.joined()
  }
}
