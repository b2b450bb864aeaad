// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TextFormats

struct FileNameTextTests {
  @Test("a name of any bytes becomes a text that gives the same bytes again")
  func anyBytes() {
    let names: [[UInt8]] = [
      [], Array("dump.hex".utf8), Array("Größe 🙂".utf8), [0x63, 0x61, 0x66, 0xE9],
      [0xE2, 0x82, 0x2F, 0xFF, 0xC0, 0xAF],
      // A surrogate, a number above all characters, and the characters that stand for bytes.
      [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], Array("\u{10FE80}\u{10FEFF}".utf8),
    ]
    for name in names {
      let text = FileNameText.text(of: name)
      #expect(FileNameText.bytes(of: text) == name)
      #expect((text == String(decoding: name, as: UTF8.self)) == (name.allSatisfy { $0 < 0x80 } || text.contains("ß")))
    }
    #expect(Set(names.map(FileNameText.text)).count == names.count)
    for byte in UInt8.min...UInt8.max { #expect(FileNameText.bytes(of: FileNameText.text(of: [byte])) == [byte]) }
  }

  @Test("a byte that is not UTF-8 is shown as shells write it, in a message too")
  func shown() {
    let text = FileNameText.text(of: [0x63, 0xE9, 0x2E, 0xFF])
    #expect(FileNameText.shown(text) == "c\\xE9.\\xFF")
    #expect(SafeText.line(text + "\u{1B}") == "c\\xE9.\\xFF?")
    #expect(FileNameText.shown("é") == "é")
  }
}

struct SafeTextTests {
  @Test("letters, accents, emoji and their joiners stay; controls, line ends and escapes become question marks")
  func line() throws {
    for text in ["FreeStyle Libre 3", "Übung", "日本", "👨‍👩‍👧", "می‌خواهم", "5.6 mmol/L – ok"] {
      #expect(SafeText.line(text) == text)
    }
    #expect(SafeText.line("a\u{1B}[2Jb\r\nc\td\u{7F}\u{85}\u{9B}") == "a?[2Jb??c?d???")
    // Every bidirectional control.
    for value in [0x200E, 0x200F, 0x061C] + Array(0x202A...0x202E) + Array(0x2066...0x2069) as [UInt32] {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(SafeText.line("a\(scalar)b") == "a?b" && !SafeText.isPrintable(scalar))
    }
  }

  @Test("text for a terminal keeps its lines, tabs and colours, and no other sequence")
  func lines() {
    let table = "\u{1B}[1mname\u{1B}[0m\tÜbung ▁▂\n\u{1B}[38;5;10m5.6\u{1B}[0m\n"
    #expect(SafeText.lines(table) == table)
    #expect(SafeText.lines("a\u{1B}]0;x\u{7}\u{1B}[2Jb\r\u{9B}31m\u{202E}\u{1B}") == "a?]0;x??[2Jb??31m??")
    #expect(SafeText.lines("\u{1B}[" + String(repeating: "1", count: 99) + "m").hasPrefix("?[1"))
  }

  @Test("an excerpt has at most forty characters, all of them printable")
  func excerpt() {
    #expect(SafeText.excerpt(String(repeating: "a", count: 100)) == String(repeating: "a", count: 40))
    #expect(SafeText.excerpt("\u{1B}]0;x\u{7}") == "?]0;x?")
  }
}
