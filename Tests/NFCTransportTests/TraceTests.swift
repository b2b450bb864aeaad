// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import NFCTransport

@Suite("Recordings")
struct TraceTests {
  /// A tag that was lost once, in the text of the format.
  static let transcript = """
    # libre-trace: 1
    # tool: libre 0.1.0
    # reader: pcsc
    # name: a reader
    # dialect: transparent-session
    # tap
    26 01 00 -> 00 00 00 00 00 00 00 A0 07 E0
    02 20 00 -> lost
    # tap
    02 20 00 -> 00 01 02 03 04 05 06 07 08
    # read-at: 2026-11-21T06:30:00Z

    """

  @Test("a recording is unchanged after reading and writing; editors change nothing, and an empty file has no content")
  func sameText() throws {
    let edited = "\u{FEFF}" + Self.transcript.replacing("\n", with: "  \r\n\r\n")
    for text in [Self.transcript, edited, String(Self.transcript.dropLast())] {
      let trace = try Trace(parsing: Array(text.utf8))
      #expect(trace.text == Self.transcript && trace.lines.count == 11)
    }
    for text in ["", "\n", "\u{FEFF}", " \r\n\t"] { #expect(try Trace(parsing: Array(text.utf8)).lines.isEmpty) }
  }

  @Test("a line without meaning or of more than 4096 bytes is reported with its number, with blank lines counted")
  func lineNumber() throws {
    let longest = "# " + String(repeating: "é", count: 2_047)
    #expect(try Trace(parsing: Array("\(longest)\n".utf8)).text.utf8.count == 4_097)
    for (bytes, line) in [
      (Array("# tap\n\n02 20 00 -> 01 0F\r\n02 20 01 = 01 0F\n".utf8), 4), ([0x23, 0xFF], 1), ([0x0A, 0x00], 2),
      (Array("\(longest).".utf8), 1), (Array(("02->" + String(repeating: "00", count: 2_000)).utf8), 1),
    ] as [([UInt8], Int)] {
      #expect(throws: TransportError.badTrace(line: line)) { try Trace(parsing: bytes) }
    }
    // There may be 250000 lines, and more blank ones after them.
    let text = String(repeating: "\n", count: Trace.maximumLines - 1) + "#\n"
    #expect(try Trace(parsing: Array("\(text)\n \n".utf8)).lines == [.comment("")])
    #expect(throws: TransportError.traceTooLong) { try Trace(parsing: Array("\(text)#".utf8)) }
  }

  @Test("every prefix of a recording is valid, or the error names the truncated line")
  func prefixes() throws {
    let bytes = Array(Self.transcript.utf8)
    for count in 0...bytes.count {
      let prefix = Array(bytes.prefix(count))
      let lines = prefix.split(separator: 0x0A, omittingEmptySubsequences: false).count
      do {
        let trace = try Trace(parsing: prefix)
        #expect(try Trace(parsing: Array(trace.text.utf8)) == trace)
      } catch {
        #expect(error == .badTrace(line: lines))
      }
    }
  }
}

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
    ]
      // No word for a failure is valid as hex bytes.
      + TraceFailure.allCases.map {
        (.exchange(request: [0x26, 0x01, 0x00], answer: .failure($0)), "26 01 00 -> \($0.rawValue)")
      } as [(TraceLine, String)])
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
}

@Suite("Recorded failures")
struct TraceFailureTests {
  @Test("errors of tag and reader are restored completely; of errors with more details only the kind is kept")
  func restored() throws {
    let withoutReason = TransportError.readerFailed(name: "a", reason: "the recording does not contain the reason")
    let uid = try #require(SensorUID(bits: 0xE004_0100_1234_5678))
    let whole: [TransportError] = [
      .tagSilent(block: 8), .tagLost(block: 8), .cancelled, .noTag, .readerUnplugged(name: "a"), .readerBusy(name: "a"),
      .readerSilent(name: "a"), .readerLacks15693(name: "a"), .fourByteBlocks(name: "a"), .noReader, .noDaemon,
      .accessDenied,
    ]
    let kinds: [(TransportError, TransportError)] = [
      (.otherCard(atr: [0x3B, 0x80]), .otherCard(atr: [])),
      (.noReaderNamed("desk", present: ["ACR122U"]), .noReader),
      (.malformedResponse(to: .inventory, length: 40), .malformedResponse(to: .readBlock(8), length: 0)),
      (.readerFailed(name: "b", reason: "0x1F"), withoutReason), (.otherTag(uid), withoutReason),
      (.tag(.locked, block: 3), withoutReason), (.traceEnded(.inventory), withoutReason),
    ]
    for (thrown, replayed) in whole.map({ ($0, $0) }) + kinds {
      #expect(TraceFailure(thrown).error(to: .readBlock(8), reader: "a") == replayed)
    }
  }
}
