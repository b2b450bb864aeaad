// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Testing

@Suite("Lines of a recording")
struct TraceLineTests {
  @Test(
    "every kind of line is read back as it is written",
    arguments: [
      (.format, "# libre-trace: 1"),
      (.tool("libre 0.1.0"), "# tool: libre 0.1.0"),
      (.reader("pcsc:ACR1552"), "# reader: pcsc:ACR1552"),
      (.name("ACS ACR1552 [PICC] 00 00"), "# name: ACS ACR1552 [PICC] 00 00"),
      (.dialect("transparent-session"), "# dialect: transparent-session"),
      (.tap, "# tap"),
      (.noTap(.otherCard), "# no tap: other-card"),
      (.exchange(request: [0x02, 0x20, 0x08], answer: .frame([0x01, 0x0F])), "02 20 08 -> 01 0F"),
      (.exchange(request: [0x02, 0x20, 0x08], answer: .frame([])), "02 20 08 -> empty"),
      (.exchange(request: [0x02, 0x20, 0x08], answer: .failure(.silent)), "02 20 08 -> silent"),
      (.removed, "# removed"),
      (.readAt(Instant(secondsSince1970: 1_795_242_600)), "# read-at: 2026-11-21T06:30:00Z"),
      (.comment("what the nurse saw"), "# what the nurse saw"),
      (.comment("seen: twice"), "# seen: twice"),
    ] as [(TraceLine, String)])
  func kinds(line: TraceLine, text: String) {
    #expect(line.text == text)
    #expect(TraceLine(text) == line)
  }

  @Test(
    "extra spaces and lower-case letters are accepted",
    arguments: [
      ("  02 20 08->01 0f \t", "02 20 08 -> 01 0F"), ("022008  ->  010F\r", "02 20 08 -> 01 0F"),
      ("02-20-08 -> 01:0F", "02 20 08 -> 01 0F"), ("#tap", "# tap"), ("#  tool:libre", "# tool: libre"),
      ("#", "# "), ("# read-at: 2026-11-21T07:30:00.25+01:00", "# read-at: 2026-11-21T06:30:00Z"),
      ("# no tap: it was dinner time", "# no tap: it was dinner time"),
    ])
  func lenience(text: String, canonical: String) {
    #expect(TraceLine(text)?.text == canonical)
  }

  @Test(
    "a line without meaning is invalid",
    arguments: [
      "", "tap", "02 20 08", "02 20 08 ->", "-> 00", "->", ">", "02 20 08 > 00", "02 20 0 -> 00", "02 20 08 -> 0",
      "02 20 08 -> quiet", "02 20 08 -> SILENT", "02 20 08 -> 00 -> 00", "# libre-trace: 2", "# libre-trace:",
      "# read-at: yesterday", "# read-at: 2026-11-21",
    ])
  func nothing(text: String) {
    #expect(TraceLine(text) == nil)
  }

  @Test("no word for a failure is valid as hex bytes", arguments: TraceFailure.allCases)
  func words(failure: TraceFailure) {
    let line = TraceLine.exchange(request: [0x26, 0x01, 0x00], answer: .failure(failure))
    #expect(HexText.bytes(of: failure.rawValue) == nil)
    #expect(TraceLine(line.text) == line)
  }
}
