// SPDX-License-Identifier: Apache-2.0
import Testing
import TextFormats

struct SafeTextTests {
  @Test("letters, accents, emoji and their joiners are unchanged")
  func printable() {
    for text in ["FreeStyle Libre 3", "Übung", "日本", "👨‍👩‍👧", "می‌خواهم", "5.6 mmol/L – ok"] {
      #expect(SafeText.line(text) == text)
    }
  }

  @Test("control characters, line ends and escape sequences become question marks")
  func controls() {
    #expect(SafeText.line("a\u{1B}[2Jb\r\nc\td\u{7F}\u{85}\u{9B}") == "a?[2Jb??c?d???")
  }

  @Test(
    "every bidirectional control becomes a question mark",
    arguments: [0x200E, 0x200F, 0x061C, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069])
  func bidirectional(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(SafeText.line("a\(scalar)b") == "a?b")
    #expect(!SafeText.isPrintable(scalar))
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
