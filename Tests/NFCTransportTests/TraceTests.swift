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

  @Test("a recording is unchanged after reading and writing")
  func sameText() throws {
    let trace = try Trace(parsing: Array(Self.transcript.utf8))
    #expect(trace.text == Self.transcript)
    #expect(trace.lines.count == 11)
  }

  @Test("a byte order mark, other line ends, none at the end, and extra spaces change nothing")
  func editors() throws {
    let edited = "\u{FEFF}" + Self.transcript.replacing("\n", with: "  \r\n\r\n")
    for text in [edited, String(Self.transcript.dropLast())] {
      #expect(try Trace(parsing: Array(text.utf8)).text == Self.transcript)
    }
  }

  @Test("an empty file has no content", arguments: ["", "\n", "\u{FEFF}", " \r\n\t"])
  func nothing(text: String) throws {
    #expect(try Trace(parsing: Array(text.utf8)).lines.isEmpty)
  }

  @Test("a line without meaning is reported with its number, with blank lines counted")
  func lineNumber() {
    #expect(throws: TransportError.badTrace(line: 4)) {
      try Trace(parsing: Array("# tap\n\n02 20 00 -> 01 0F\r\n02 20 01 = 01 0F\n".utf8))
    }
    #expect(throws: TransportError.badTrace(line: 1)) { try Trace(parsing: [0x23, 0xFF]) }
    #expect(throws: TransportError.badTrace(line: 2)) { try Trace(parsing: [0x0A, 0x00]) }
  }

  @Test("a line may be 4096 bytes long")
  func longLines() throws {
    let longest = "# " + String(repeating: "é", count: 2_047)
    #expect(try Trace(parsing: Array("\(longest)\n".utf8)).text.utf8.count == 4_097)
    #expect(throws: TransportError.badTrace(line: 1)) { try Trace(parsing: Array("\(longest).".utf8)) }
    #expect(throws: TransportError.badTrace(line: 1)) {
      try Trace(parsing: Array(("02->" + String(repeating: "00", count: 2_000)).utf8))
    }
  }

  @Test("a recording may have 250000 lines, with blank lines counted, and more blank ones after them")
  func manyLines() throws {
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
