// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

@testable import LibreDocuments
@testable import LibreKit

struct MemoryMapTextTests {
  private func text(_ image: MemoryImage) -> String {
    let listing = MemoryMapListing(of: image, path: "dump.bin", format: "raw")
    return MemoryMapText(style: Style(isColored: false)).text(of: listing)
  }

  /// The bytes that the rows show from their offset on: a row is an offset, then pairs of digits or dashes. Written
  /// without a regular expression, which took most of the time of these tests.
  private func shown(_ text: String) -> [(offset: Int, bytes: [String])] {
    text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: " ")
      guard let first = cells.first, let offset = Int(first) else { return nil }
      return (offset, cells.dropFirst().prefix(while: isByte).map(String.init))
    }
  }

  private func isByte(_ cell: Substring) -> Bool {
    cell == "--" || cell.utf8.count == 2 && cell.allSatisfy { $0.isHexDigit && !$0.isLowercase }
  }

  /// Every offset is the one before plus the bytes shown there, from 0 to 344.
  private func expectWhole(_ text: String, _ name: String) {
    var next = 0
    for row in shown(text) {
      #expect(row.offset == next, "\(name)")
      #expect(!row.bytes.isEmpty, "\(name), offset \(row.offset)")
      next = row.offset + row.bytes.count
    }
    #expect(next == 344, "\(name)")
  }

  @Test(
    "the text shows every byte of a Libre Pro once, in order, with the known meaning",
    arguments: ["pro", "pro-history"])
  func pro(name: String) throws {
    let image = try #require(Scenario.named(name)).image(seed: 2)
    let text = text(image)
    #expect(shown(text).flatMap(\.bytes) == image.bytes.map { HexText.string(of: $0) })
    #expect(text.contains("SIMU000-T00000") && text.contains("records so far") && text.contains("body, bytes 72–175"))
  }

  @Test("the text shows dashes for data that a dump lacks", arguments: [0, 1, 8, 23, 24, 176, 300, 319, 320, 343])
  func short(count: Int) {
    let image = MemoryImage(bytes: Array(LiteralMemory().bytes[..<count]))
    let text = text(image)
    expectWhole(text, "\(count)")
    // A block that was cut in two is not there.
    let whole = count / 8 * 8
    let bytes = shown(text).flatMap(\.bytes)
    #expect(Array(bytes[..<whole]) == image.bytes[..<whole].map { HexText.string(of: $0) })
    #expect(bytes[whole...].allSatisfy { $0 == "--" })
    #expect(text.contains("\(count) bytes"))
    // The first line must not contradict the next: a checksum does hold.
    #expect(text.split(separator: "\n")[0].contains("no checksum is valid") == (count < 24))
  }

  @Test("the text shows dashes for blocks that were never read")
  func missing() {
    let text = text(MemoryImage(bytes: LiteralMemory().bytes, missingBlocks: [5, 42]))
    expectWhole(text, "5 and 42")
    let bytes = shown(text).flatMap(\.bytes)
    for offset in 0..<344 { #expect((bytes[offset] == "--") == [5, 42].contains(offset / 8), "\(offset)") }
    #expect(text.contains("body, bytes 24–319, blocks 3–39: lacks block 5"))
    #expect(text.contains("footer, bytes 320–343, blocks 40–42: lacks block 42"))
  }

  @Test("the text gives the actual and the expected checksum of each region")
  func verdicts() {
    let good = text(MemoryImage(bytes: LiteralMemory().bytes))
    for region in [
      "header, bytes 0–23, blocks 0–2", "body, bytes 24–319, blocks 3–39", "footer, bytes 320–343, blocks 40–42",
    ] { #expect(good.contains("\(region): is good")) }
    let bytes = LiteralMemory().damaged { $0.bytes[200] ^= 0x5A }
    let stored = HexText.string(of: UInt16(bytes[24]) | UInt16(bytes[25]) << 8)
    let computed = HexText.string(of: BitwiseCRC.checksum(bytes[26..<320]))
    #expect(text(MemoryImage(bytes: bytes)).contains("\(stored) stored but \(computed) computed"))
  }

  @Test("the text explains each field")
  func meanings() {
    let lines = text(MemoryImage(bytes: LiteralMemory().bytes)).split(separator: "\n").map(String.init)
    func line(_ offset: Int) -> String { lines.first { $0.split(separator: " ").first == "\(offset)" } ?? "" }
    for (offset, words) in [
      (2, "i2 803"), (4, "3 active"), (26, "next slot to write: 8"),
      (28, "minute 993: 1319 counts, temperature 6552, adjustment -8"), (124, "minute 975: 1319 counts"),
      (316, "1000 minutes"), (323, "european"), (326, "20630 minutes"), (336, "i3 18, i4 6931, i5 8804, i6 6536"),
    ] { #expect(line(offset).contains(words)) }
  }

  @Test("the text names the kind of a memory")
  func kinds() {
    for (bytes, words) in [
      (LiteralMemory.pro(), "Libre Pro"), (LiteralMemory.noise, "no checksum is valid"),
      ([UInt8](repeating: 0xFF, count: 344), "every byte is FF"), (LiteralMemory().bytes, "layout of a Libre 1"),
    ] { #expect(text(MemoryImage(bytes: bytes)).contains(words)) }
  }

  @Test("the text of a full memory mentions the remaining bytes, and whether the code's checksum is valid")
  func full() {
    var memory = LiteralMemory()
    memory.bytes += (344..<1_952).map { UInt8(truncatingIfNeeded: $0 &* 17) }
    memory.bytes.seal(344..<1_904)
    #expect(text(MemoryImage(bytes: memory.bytes)).contains("bytes 344–1951: not decoded"))
    #expect(text(MemoryImage(bytes: memory.bytes)).contains("bytes 344–1903: is good"))
    memory.bytes[1_000] ^= 1
    #expect(!text(MemoryImage(bytes: memory.bytes)).contains("bytes 344–1903: is good"))
    #expect(text(MemoryImage(bytes: Array(memory.bytes[..<368]))).contains("bytes 344–367: not decoded"))
  }
}
