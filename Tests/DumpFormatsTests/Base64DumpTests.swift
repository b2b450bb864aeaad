// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct Base64DumpTests {
  private let memory = TextFixture.memory
  private let text = TextFixture.base64(TextFixture.memory)

  @Test("reads one line, many lines, quotes and no padding")
  func spelling() throws {
    let lines = stride(from: 0, to: text.count, by: 64).map { text.dropFirst($0).prefix(64) }
    let spellings = [
      text, text + "\n", lines.joined(separator: "\r\n"), "\"\(text)\"", "'\(text)'\n",
      text.filter { $0 != "=" }, "  \(text)  ", "\n\n\(text)\n\n",
    ]
    for spelling in spellings { #expect(try Base64Dump().onlyImage(in: spelling) == MemoryImage(bytes: memory)) }
  }

  @Test("refuses impossible memory lengths; much longer text is not taken for base64, because it may be words")
  func wrongLengths() {
    #expect(throws: DumpError.wrongLength(found: 345)) {
      try Base64Dump().onlyImage(in: TextFixture.base64((0..<345).map { UInt8(truncatingIfNeeded: $0 * 7) }))
    }
  }

  @Test("does not claim long lists of words", arguments: [1_953, 1_960, 100_000])
  func words(count: Int) {
    #expect(throws: DumpError.notThisFormat(lacks: "base64 of a memory")) {
      try Base64Dump().onlyImage(in: TextFixture.base64((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }))
    }
  }

  @Test("does not claim hex digits, words, short texts or invalid base64")
  func others() {
    let texts = [
      TextFixture.hex(memory, separator: ""), TextFixture.hex(memory), String(repeating: "word list ", count: 60),
      TextFixture.base64(Array(memory.prefix(175))), text + "!", "x=" + text + ".", "AB=CD" + text, text + "A===A",
    ]
    for text in texts {
      #expect { try Base64Dump().onlyImage(in: text) } throws: { error in
        if case DumpError.notThisFormat = error { true } else { false }
      }
    }
  }
}
