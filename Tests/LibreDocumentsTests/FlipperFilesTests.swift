// SPDX-License-Identifier: Apache-2.0
import LibreDocuments
import TestSupport
import Testing
import TextFormats

@testable import NFCTransport

struct FlipperFilesTests {
  private static let listing: FlipperListing = (
    directory: .saved,
    files: [
      FlipperFile(name: "libre.nfc", byteCount: 1_919), FlipperFile(name: "a\u{1B}[2J\u{9B}b.nfc", byteCount: 0),
      FlipperFile(name: "old", byteCount: nil),
    ]
  )

  private func json(_ listing: FlipperListing) throws -> JSONValue {
    try JSONValue { FlipperFilesJSON.write(listing, to: &$0) }
  }

  @Test("the document has each file with its path and size, and a directory without a size")
  func document() throws {
    let value = try json(Self.listing)
    #expect(value["files"].elements.map { $0["path"].text } == Self.listing.files.map { "/ext/nfc/\($0.name)" })
    #expect(value["files"][0]["size_bytes"] == .number(1_919))
    #expect(value["files"][2]["size_bytes"] == .null && value["files"][2]["is_directory"] == .bool(true))
  }

  @Test("the table shows file names safely for a terminal, and directories with a slash")
  func table() {
    let text = FlipperFilesTable.text(of: Self.listing, style: Style(isColored: false))
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("libre.nfc ") && lines[1].hasSuffix(" 1919"))
    #expect(!text.unicodeScalars.contains { $0.value != 10 && ($0.value < 32 || (127..<160).contains($0.value)) })
    #expect(lines[3] == "old/")
  }

  @Test("for an empty directory the table explains how to save a sensor")
  func empty() throws {
    let listing: FlipperListing = (directory: .saved, files: [])
    let text = FlipperFilesTable.text(of: listing, style: Style(isColored: false))
    #expect(text.hasPrefix("No file in /ext/nfc.\n") && text.contains("NFC, Read"))
    #expect(try json(listing)["files"].elements.isEmpty)
  }
}
