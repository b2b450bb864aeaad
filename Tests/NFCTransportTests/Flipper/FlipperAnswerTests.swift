// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

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
    #expect(answer.uid?.description == "E007A00001234567")
    #expect(answer.outcome == .frame(frame))
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

  @Test("a refusal by the sensor is an answer")
  func refusal() {
    #expect(outcome("\(Printed.sent)\r\nRx: 01 0F 68 EE ") == .frame([0x01, 0x0F]))
  }

  @Test("a command unknown to the shell is distinguished from a silent sensor")
  func shell() {
    #expect(outcome("Error: Key 't' is not supported\r\n\nraw: sends") == .lacksWait)
    #expect(outcome("Error: Key 'k' is not supported\r\n") == .refused("Key 'k' is not supported"))
    #expect(outcome("could not find command `raw`, try `help`") == .refused("could not find command `raw`, try `help`"))
  }
}
