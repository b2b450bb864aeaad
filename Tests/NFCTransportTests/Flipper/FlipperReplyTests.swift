// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NFCTransport

/// Tests the limits of a reply, and when it is complete.
struct FlipperReplyTests {
  private func reply(_ command: FlipperShellCommand?, _ text: String) -> FlipperReply {
    var reply = FlipperReply(to: command)
    reply.take(Array(text.replacing("\\e", with: "\u{1B}").utf8))
    return reply
  }

  @Test(
    "the prompt of both shells ends a reply",
    arguments: [
      ("nfc\r\n\\e[94mWelcome\r\n\\e[0m\r\n[\\e[32mnfc\\e[0m]>: ", FlipperReply.Prompt.nested, "Welcome"),
      ("nfc\r\n\\e[33mNFC app is running\r\n\\e[0m\r\n>: ", .main, "NFC app is running"),
      ("nfc\r\n\r\n\\e[1m>: ", .main, ""),
    ])
  func prompt(text: String, prompt: FlipperReply.Prompt, words: String) {
    let reply = reply(.startNFC, text)
    #expect(reply.prompt == prompt)
    #expect(reply.text == words)
  }

  @Test("an earlier prompt, a banner and noise before the echo are dropped")
  func stale() {
    #expect(reply(.startNFC, "Firmware version: 1.4\r\n\r\n>: ").prompt == nil)
    #expect(reply(.startNFC, "AT\r\nbanner\r\n>: ^C\r\n>: ").prompt == nil)
    let reply = reply(.startNFC, "AT\r\nbanner\r\n>: ^C\r\n>: nfc\r\nwords\r\n>: ")
    #expect(reply.text == "words")
  }

  @Test("a reply that arrives byte by byte is parsed the same")
  func pieces() {
    let text = "^C\r\n>: nfc\r\n\u{1B}[94mWelcome\r\n\u{1B}[0m\r\n[\u{1B}[32mnfc\u{1B}[0m]>: "
    var reply = FlipperReply(to: .startNFC)
    for (index, byte) in text.utf8.enumerated() {
      reply.take([byte])
      #expect((reply.prompt != nil) == (index == text.utf8.count - 1))
    }
    #expect(reply.text == "Welcome")
  }

  @Test("a file is read by its size, whatever bytes it has")
  func file() throws {
    let path = try #require(FlipperPath("x.nfc"))
    let content = Array("Filetype\n\u{1B}[31m\r\n>: \r\nSize: 4\r\n".utf8)
    let start = "storage read \"/ext/nfc/x.nfc\"\r\nSize: \(content.count)\r\n"
    var reply = FlipperReply(to: .read(path))
    for byte in Array(start.utf8) + content + Array("\r\n\r\n>: ".utf8) {
      #expect(reply.file == nil)
      reply.take([byte])
    }
    #expect(reply.file == content)
    #expect(reply.prompt == .main)
  }

  @Test("an empty file is valid, and a file of an impossible size is an error")
  func size() throws {
    let path = try #require(FlipperPath("x.nfc"))
    let echo = "storage read \"/ext/nfc/x.nfc\"\r\n"
    #expect(reply(.read(path), "\(echo)Size: 0\r\n\r\n\r\n>: ").file == [])
    for size in ["-1", "x", "9999999", "99999999999999999999"] {
      let reply = reply(.read(path), "\(echo)Size: \(size)\r\n\r\n\r\n>: ")
      #expect(reply.file == nil)
      #expect(reply.prompt == .main)
    }
  }

  @Test("reading from a Flipper that prints without end is stopped")
  func endless() {
    var reply = FlipperReply(to: .startNFC)
    reply.take([UInt8](repeating: 0x41, count: FlipperReply.longest))
    #expect(!reply.isTooLong)
    reply.take([UInt8](repeating: 0x41, count: 8192))
    #expect(reply.isTooLong)
  }
}
