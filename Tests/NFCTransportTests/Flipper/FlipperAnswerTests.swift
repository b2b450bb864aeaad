// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

/// What `raw` prints, and what follows from it.
struct FlipperAnswerTests {
  private static let block18 = ISO15693.Request.readBlocks(ISO15693.BlockRun(first: 18, count: 3)!)
  private static let data =
    "00 00 58 5B 81 7F 04 00 58 5B 81 AA 04 00 58 5B 81 CA 04 00 58 5B 81 DC 04"
  private static let good = "Rx: \(data) 3A DE "
  private static let sent = "Tx: 02 23 12 02 C4 AC "
  private static let unsent = "Tx: 02 23 12 02 "

  private func outcome(_ text: String) -> FlipperAnswer.Outcome { FlipperAnswer(text, to: Self.block18).outcome }

  @Test("the answer to the frame that was sent counts")
  func good() throws {
    let frame = try #require(HexText.bytes(of: Self.data))
    #expect(outcome("\(Self.sent)\r\n\(Self.good)") == .frame(frame))
    let answer = FlipperAnswer("UID: E0 07 A0 00 01 23 45 67 \r\n\(Self.sent)\r\n\(Self.good)", to: Self.block18)
    #expect(answer == FlipperAnswer("UID: E007A00001234567\n\(Self.sent)\n\(Self.good)", to: Self.block18))
    #expect(answer.uid?.description == "E007A00001234567")
    #expect(answer.outcome == .frame(frame))
  }

  @Test(
    "an old answer, a garbled one and an error are none",
    arguments: [
      // A sticky error, with and without an earlier answer.
      "\(unsent)\r\nError: \"Timeout\"", "\(unsent)\r\nError: \"Wrong CRC\"\r\n\r\n\(good)",
      "\(sent)\r\nError: \"Wrong CRC\"\r\n\r\n\(good)", "\(sent)\r\nError: \"No card\"",
      // The first version of the shell.
      "\(sent)Error: \"Timeout\"", "\(unsent)Error: \"Internal protocol\"\r\n\r\n\(good)",
      // Not sent, or another frame, without an error.
      "\(unsent)\r\n\(good)", "Tx: 02 23 15 02 CC E1 \r\n\(good)",
      // A checksum that does not hold, and what is not hexadecimal.
      "\(sent)\r\nRx: \(data) 3A DF ", "\(sent)\r\nRx: 00 ", "\(sent)\r\nRx: ", "\(sent)\r\nRx: 0G 00 ", sent,
      // Half a reply.
      "", "UID: E0 07 A0", "Tx: 02 2",
    ])
  func none(text: String) { #expect(outcome(text) == .none) }

  @Test("a refusal of the sensor is an answer")
  func refusal() {
    #expect(outcome("\(Self.sent)\r\nRx: 01 0F 68 EE ") == .frame([0x01, 0x0F]))
  }

  @Test("what the shell does not understand is told from what the sensor does not answer")
  func shell() {
    #expect(outcome("Error: Key 't' is not supported\r\n\nraw: sends") == .lacksWait)
    #expect(outcome("Error: Key 'k' is not supported\r\n") == .refused("Key 'k' is not supported"))
    #expect(outcome("could not find command `raw`, try `help`") == .refused("could not find command `raw`, try `help`"))
  }
}
