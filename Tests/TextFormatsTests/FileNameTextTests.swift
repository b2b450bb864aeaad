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
