// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing
import TextFormats

@Suite("Lines of a text")
struct TextLinesTests {
  private func lines(_ bytes: [UInt8]) -> [String]? {
    TextLines(bytes).map { $0.map { String(decoding: $0.bytes, as: UTF8.self) } }
  }

  private func lines(_ text: String) -> [String]? { lines(Array(text.utf8)) }

  @Test("lines end in line feed, carriage return or both, also mixed in one file", arguments: ["\n", "\r\n", "\r"])
  func ends(end: String) {
    for (text, expected) in [
      ("one\(end)\(end)three", ["one", "", "three"]), ("one\(end)two\(end)", ["one", "two", ""]),
      ("one\ntwo\(end)three\r\nfour\rfive", ["one", "two", "three", "four", "five"]),
    ] {
      #expect(lines(text) == expected)
      #expect(TextLines(Array(text.utf8))?.map(\.number) == Array(1...expected.count))
    }
  }

  @Test("the byte order mark at the start is removed, and nothing else")
  func mark() {
    #expect(lines([0xEF, 0xBB, 0xBF] + Array("UID: é".utf8)) == ["UID: é"])
    #expect(lines("a\u{FEFF}b") == ["a\u{FEFF}b"])
    #expect(lines([0xEF, 0xBB, 0xBF]) == nil)
  }

  @Test("lines are read from UTF-16 of either byte order, and not from bytes that only begin like it")
  func wide() {
    let units = Array("\u{FEFF}Größe 🩸\r\n0A".utf16)
    #expect(lines(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == ["Größe 🩸", "0A"])
    #expect(lines(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == ["Größe 🩸", "0A"])
    var random = SplitMix64(seed: 46)
    for end in [[], [0x41], [0x00, 0x00, 0x03, 0x00], random.bytes(342)] { #expect(lines([0xFF, 0xFE] + end) == nil) }
  }

  @Test("terminal colours and other escape sequences are removed, and broken ones take no line end or word with them")
  func escapes() {
    for text in [
      "\u{1B}[32m0A 1B\u{1B}[0m", "0A\u{1B}[1;38;5;208m 1B", "\u{1B}[2K\u{1B}[1G0A 1B", "0A\u{1B}= 1B",
      "\u{1B}[?25l0A 1B", "0A 1B\u{1B}", "0A 1B\u{1B}[", "0A 1B\u{1B}[0",
    ] {
      #expect(lines(text) == ["0A 1B"])
    }
    #expect(lines("0A\u{1B}\n1B\u{1B}[\n2C\u{1B}[31\n3D") == ["0A", "1B", "2C", "3D"])
    #expect(lines("\u{1B}[31é") == ["é"] && lines("\u{1B}") == nil)
  }

  @Test("binary data and control characters are not text, but a few letters of an older encoding are accepted")
  func otherEncodings() throws {
    for byte in [0x00, 0x01, 0x08, 0x0E, 0x1F, 0x7F] as [UInt8] {
      #expect(lines([0x41, byte, 0x42]) == nil && lines([0x1B, byte, 0x42]) == nil)
    }
    let latin = Array("Gr".utf8) + [0xF6, 0xDF] + Array("e: 0A 1B 2C".utf8)
    #expect(try #require(TextLines(latin)).map(\.text) == ["Gr\u{FFFD}\u{FFFD}e: 0A 1B 2C"])
    #expect(lines("Ελλάδα και Κύπρος") == ["Ελλάδα και Κύπρος"])
    #expect(lines(Array(repeating: 0xFF, count: 344)) == nil && lines([]) == nil)
  }

  @Test("a line gives its words, and its text without white space at the ends")
  func words() {
    let line = TextLine(number: 1, bytes: Array("xx \t0A  1B\u{0B}2C \r".utf8)[2...])
    #expect(line.words.map { String(decoding: $0, as: UTF8.self) } == ["0A", "1B", "2C"])
    #expect(line.text == "0A  1B\u{0B}2C")
    #expect(!line.isBlank)
    let blank = TextLine(number: 1, bytes: Array(" \t\u{0C}".utf8)[...])
    #expect(blank.isBlank && blank.trimmed.isEmpty && blank.words.isEmpty)
  }
}

@Suite("Numbers in lines")
struct LineNumberTests {
  private func word(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

  @Test("a byte is two hex digits of either case, and words give bytes only if every word is one")
  func byte() {
    #expect(LineNumber.bytes(word("0A 1b fF").split(separator: 0x20)) == [0x0A, 0x1B, 0xFF])
    #expect(LineNumber.bytes(word("0A 1b F").split(separator: 0x20)) == nil && LineNumber.bytes([]) == [])
    for text in ["", "F", "0FF", "0x", "G0", "+1", " 1", "é"] { #expect(LineNumber.byte(word(text)) == nil, "\(text)") }
  }

  @Test("a number has one to six digits of its base and no sign")
  func number() {
    #expect(["f4", "FFFFFF"].map { LineNumber.hex(word($0)) } == [244, 16_777_215])
    #expect(["000244", "999999", "1A"].map { LineNumber.decimal(word($0)) } == [244, 999_999, nil])
    for text in ["", "1234567", "-1", "+1", "1 ", "0x1", "1.0"] {
      #expect(LineNumber.decimal(word(text)) == nil && LineNumber.hex(word(text)) == nil, "\(text)")
    }
  }
}
