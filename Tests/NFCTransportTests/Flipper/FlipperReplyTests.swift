// SPDX-License-Identifier: Apache-2.0
import CGMModel
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
    #expect(reply.prompt == prompt && reply.text == words)
  }

  @Test("an earlier prompt, a banner and noise before the echo are dropped")
  func stale() {
    #expect(reply(.startNFC, "Firmware version: 1.4\r\n\r\n>: ").prompt == nil)
    #expect(reply(.startNFC, "AT\r\nbanner\r\n>: ^C\r\n>: ").prompt == nil)
    #expect(reply(.startNFC, "AT\r\nbanner\r\n>: ^C\r\n>: nfc\r\nwords\r\n>: ").text == "words")
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

  @Test("a file is read by its size, whatever bytes it has; a size that is impossible is an error")
  func file() throws {
    let path = try #require(FlipperPath("x.nfc"))
    let content = Array("Filetype\n\u{1B}[31m\r\n>: \r\nSize: 4\r\n".utf8)
    let echo = "storage read \"/ext/nfc/x.nfc\"\r\n"
    var whole = FlipperReply(to: .read(path))
    for byte in Array("\(echo)Size: \(content.count)\r\n".utf8) + content + Array("\r\n\r\n>: ".utf8) {
      #expect(whole.file == nil)
      whole.take([byte])
    }
    #expect(whole.file == content && whole.prompt == .main)
    for (size, file) in [("0", []), ("-1", nil), ("x", nil), ("9999999", nil), ("99999999999999999999", nil)]
      as [(String, [UInt8]?)]
    {
      let reply = reply(.read(path), "\(echo)Size: \(size)\r\n\r\n\r\n>: ")
      #expect(reply.file == file && reply.prompt == .main)
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

/// The request to read blocks 18 to 20.
private enum Printed {
  static let data = "00 00 58 5B 81 7F 04 00 58 5B 81 AA 04 00 58 5B 81 CA 04 00 58 5B 81 DC 04"
  static let good = "Rx: \(data) 3A DE "
  static let sent = "Tx: 02 23 12 02 C4 AC "
  static let unsent = "Tx: 02 23 12 02 "
}

/// Tests the output of `raw` and its meaning.
struct FlipperAnswerTests {
  private static let block18 = ISO15693.Request.readBlocks(ISO15693.BlockRun(first: 18, count: 3)!)
  private func outcome(_ text: String) -> FlipperAnswer.Outcome { FlipperAnswer(text, to: Self.block18).outcome }

  @Test("only the answer to the sent frame counts")
  func good() throws {
    let frame = try #require(HexText.bytes(of: Printed.data))
    #expect(outcome("\(Printed.sent)\r\n\(Printed.good)") == .frame(frame))
    let answer = FlipperAnswer("UID: E0 07 A0 00 01 23 45 67 \r\n\(Printed.sent)\r\n\(Printed.good)", to: Self.block18)
    #expect(answer == FlipperAnswer("UID: E007A00001234567\n\(Printed.sent)\n\(Printed.good)", to: Self.block18))
    #expect(answer.uid?.description == "E007A00001234567" && answer.outcome == .frame(frame))
    // A refusal by the sensor is one too.
    #expect(outcome("\(Printed.sent)\r\nRx: 01 0F 68 EE ") == .frame([0x01, 0x0F]))
  }

  @Test(
    "an old answer, a garbled one and an error are not answers",
    arguments: [
      // A sticky error, with and without an earlier answer.
      "\(Printed.unsent)\r\nError: \"Timeout\"", "\(Printed.unsent)\r\nError: \"Wrong CRC\"\r\n\r\n\(Printed.good)",
      "\(Printed.sent)\r\nError: \"Wrong CRC\"\r\n\r\n\(Printed.good)", "\(Printed.sent)\r\nError: \"No card\"",
      // The first version of the shell.
      "\(Printed.sent)Error: \"Timeout\"", "\(Printed.unsent)Error: \"Internal protocol\"\r\n\r\n\(Printed.good)",
      // Not sent, or another frame, without an error.
      "\(Printed.unsent)\r\n\(Printed.good)", "Tx: 02 23 15 02 CC E1 \r\n\(Printed.good)",
      // A wrong checksum, and text that is not hexadecimal.
      "\(Printed.sent)\r\nRx: \(Printed.data) 3A DF ", "\(Printed.sent)\r\nRx: 00 ", "\(Printed.sent)\r\nRx: ",
      "\(Printed.sent)\r\nRx: 0G 00 ", Printed.sent,
      // Half a reply.
      "", "UID: E0 07 A0", "Tx: 02 2",
    ])
  func none(text: String) { #expect(outcome(text) == .none) }

  @Test("a command unknown to the shell is distinguished from a silent sensor")
  func shell() {
    #expect(outcome("Error: Key 't' is not supported\r\n\nraw: sends") == .lacksWait)
    #expect(outcome("Error: Key 'k' is not supported\r\n") == .refused("Key 'k' is not supported"))
    #expect(outcome("could not find command `raw`, try `help`") == .refused("could not find command `raw`, try `help`"))
  }
}

/// Tests the lines that can be typed into a Flipper's shell.
struct FlipperShellCommandTests {
  @Test(
    "each request is one line that includes the sensor's response time",
    arguments: [
      (ISO15693.Request.inventory, "raw -p 15 -kc -t 300000 -d 260100"),
      (.systemInformation, "raw -p 15 -kc -t 300000 -d 022b"),
      (.readBlock(42), "raw -p 15 -kc -t 300000 -d 02202a"),
      (.readBlocks(ISO15693.BlockRun(first: 0, count: 3)!), "raw -p 15 -kc -t 300000 -d 02230002"),
      (.patchInfo(.texasInstruments), "raw -p 15 -kc -t 300000 -d 02a107"),
      (.readWideBlock(244, .texasInstruments), "raw -p 15 -kc -t 300000 -d 02b007f400"),
      (
        .readWideBlocks(ISO15693.WideBlockRun(first: 244, count: 3)!, .abbott),
        "raw -p 15 -kc -t 300000 -d 02b37af40002"
      ),
    ])
  func requests(request: ISO15693.Request, line: String) {
    #expect(FlipperShellCommand.send(request, selecting: false, waiting: true).line == line)
    #expect(
      FlipperShellCommand.send(request, selecting: true, waiting: true).line == line.replacing("-kc", with: "-skc"))
    #expect(
      FlipperShellCommand.send(request, selecting: false, waiting: false).line == line.replacing(" -t 300000", with: "")
    )
  }

  @Test("a name is relative to the directory of saved tags, and a path is used unchanged")
  func paths() throws {
    #expect(FlipperPath("my tag.nfc")?.description == "/ext/nfc/my tag.nfc")
    #expect(FlipperPath("/ext/nfc/old/x.nfc")?.description == "/ext/nfc/old/x.nfc")
    let path = try #require(FlipperPath("my tag.nfc"))
    #expect(FlipperShellCommand.read(path).line == "storage read \"/ext/nfc/my tag.nfc\"")
    #expect(FlipperShellCommand.list(.saved).line == "storage list \"/ext/nfc\"")
    #expect(FlipperShellCommand.timestamp(path).line == "storage timestamp \"/ext/nfc/my tag.nfc\"")
    // A name that could start another command is refused.
    for name in ["", "x\rstorage remove /ext", "x\n", "x\" y", "\u{3}", "ä.nfc", "x\u{7F}", "\u{1B}[A"] {
      #expect(FlipperPath(name) == nil)
    }
  }

  @Test(
    "a line of a listing is a file, a directory or neither",
    arguments: [
      ("\t[F] libre.nfc 1919b", FlipperFile(name: "libre.nfc", byteCount: 1919)),
      ("\t[F] my tag.nfc 0b", FlipperFile(name: "my tag.nfc", byteCount: 0)),
      ("\t[D] assets", FlipperFile(name: "assets", byteCount: nil)), ("\tEmpty", nil), ("", nil),
      ("\t[F] x.nfc", nil), ("\t[F] x.nfc -4b", nil), ("[F] 12b", nil),
    ])
  func files(line: String, file: FlipperFile?) { #expect(FlipperFile(line: line[...]) == file) }
}
