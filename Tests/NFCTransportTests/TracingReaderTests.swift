// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import NFCTransport
import Synchronization
import Testing

@Suite("Recording")
struct TracingReaderTests {
  /// The lines that a recording reader has written so far.
  private final class Transcript: Sendable {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock { $0 } }
    var trace: Trace {
      get throws { try Trace(parsing: Array(lines.joined(separator: "\n").utf8)) }
    }

    func write(_ line: String) { written.withLock { $0.append(line) } }
  }

  private let transcript = Transcript()

  private func tracing(_ reader: any TagReader, showsIdentifiers: Bool = false) -> TracingReader {
    TracingReader(reader, showsIdentifiers: showsIdentifiers, tool: "libre 0.1.0", write: transcript.write)
  }

  private func replaying(_ lines: String) throws -> ReplayingReader {
    ReplayingReader(try Trace(parsing: Array(lines.utf8)), address: "replay:a.trace")
  }

  /// Sends every possible request about three blocks, and ignores the results.
  private func talk(to reader: any TagReader) async throws {
    try await reader.waitForTag(within: .seconds(1))
    for request in [.inventory, .systemInformation, .patchInfo(.texasInstruments), .readBlock(0), .readBlock(255)]
      as [ISO15693.Request]
    {
      _ = try? await reader.exchange(request)
    }
  }

  private static let sensor = SimulatedSensor(seed: 7)
  private static let memory = (0..<344).map { UInt8(truncatingIfNeeded: $0) }

  private var tag: SimulatedTag {
    SimulatedTag(memory: Self.memory, uid: Self.sensor.uid, patchInfo: Self.sensor.patchInfo, address: "sim:7")
  }

  @Test("a recording names its source, with one exchange per line")
  func wholeRecording() async throws {
    let reader = tracing(tag)
    try await talk(to: reader)
    await reader.finish(readAt: Instant(secondsSince1970: 1_795_242_600))
    #expect(
      transcript.lines == [
        "# libre-trace: 1", "# tool: libre 0.1.0", "# This is health data: it holds what the sensor measured.",
        "# reader: sim:7", "# name: simulated sensor", "# dialect: simulated", "# tap",
        "26 01 00 -> 00 00 00 00 00 00 00 A0 07 E0",
        "02 2B -> 00 04 00 00 00 00 00 A0 07 E0 2A 07",
        "02 A1 07 -> 00 \(HexText.string(of: Self.sensor.patchInfo.bytes, separator: " "))",
        "02 20 00 -> 00 00 01 02 03 04 05 06 07",
        "02 20 FF -> 01 10",
        "# read-at: 2026-11-21T06:30:00Z",
      ])
  }

  @Test("a recording replays unchanged, and so does a recording of the replay")
  func playBack() async throws {
    let original = tag
    try await talk(to: tracing(original, showsIdentifiers: true))
    let replayed = ReplayingReader(try transcript.trace, address: "sim:7")
    try await original.waitForTag(within: .zero)
    try await replayed.waitForTag(within: .zero)
    for request in [ISO15693.Request.inventory, .systemInformation, .patchInfo(.texasInstruments), .readBlock(0)] {
      #expect(try await replayed.exchange(request) == original.exchange(request))
    }
    let first = transcript.lines
    try await talk(to: tracing(ReplayingReader(try transcript.trace, address: "sim:7"), showsIdentifiers: true))
    #expect(transcript.lines == first + first)
  }

  @Test("identifiers are recorded only on request", arguments: [true, false])
  func identifiers(showsIdentifiers: Bool) async throws {
    let lines = """
      # name: Puck (0123456789)
      # tap
      26 01 00 -> 00 00 55 44 33 22 11 A0 07 E0
      """
    let reader = tracing(try replaying(lines), showsIdentifiers: showsIdentifiers)
    try await reader.waitForTag(within: .zero)
    #expect(try await reader.exchange(.inventory) == [0, 0, 0x55, 0x44, 0x33, 0x22, 0x11, 0xA0, 0x07, 0xE0])
    let written = transcript.lines.joined(separator: "\n")
    #expect(written.contains("55 44 33 22 11") == showsIdentifiers)
    #expect(written.contains("0123456789") == showsIdentifiers)
    #expect(written.contains("00 00 00 00 00 A0 07 E0") == !showsIdentifiers)
    #expect(written.contains("Puck (xxxxxxxxxx)") == !showsIdentifiers)
  }

  @Test("failures are recorded and rethrown, and a sensor that stays is not recorded as removed")
  func failures() async throws {
    let reader = tracing(try replaying("# tap\n02 20 03 -> lost\n02 20 04 -> empty"))
    try await reader.waitForTag(within: .zero)
    await #expect(throws: TransportError.tagLost(block: 3)) { try await reader.exchange(.readBlock(3)) }
    #expect(try await reader.exchange(.readBlock(4)) == [])
    let staying = tracing(tag)
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await staying.waitForRemoval()
    }
    await #expect(throws: TransportError.cancelled) { try await waiting.value }
    try await reader.waitForRemoval()
    await #expect(throws: TransportError.traceEnded(.inventory)) { try await reader.waitForTag(within: .zero) }
    #expect(
      transcript.lines.suffix(4) == ["02 20 03 -> lost", "02 20 04 -> empty", "# removed", "# no tap: failed"])
  }

  @Test("the reader's own text cannot break a line, and a too long answer cannot exceed the line limit")
  func hostileReader() async throws {
    struct Hostile: TagReader {
      let description = ReaderDescription(
        address: "pcsc:\n02 20 00 -> 00", name: String(repeating: "n", count: 5_000), dialect: "a\r\u{7F}b")

      func waitForTag(within limit: Duration) {}
      func exchange(_ request: ISO15693.Request) -> [UInt8] { [UInt8](repeating: 0xEE, count: 70_000) }
      func waitForRemoval() {}
      func close() {}
    }
    let reader = tracing(Hostile())
    try await reader.waitForTag(within: .zero)
    #expect(try await reader.exchange(.readBlock(0)).count == 70_000)
    let trace = try transcript.trace
    #expect(trace.lines.count == 8)
    #expect(trace.lines.contains(.reader("pcsc: 02 20 00 -> 00")))
    #expect(trace.lines.contains(.dialect("a  b")))
    #expect(
      trace.lines.last
        == .exchange(request: [0x02, 0x20, 0x00], answer: .frame([UInt8](repeating: 0xEE, count: 1_024))))
  }
}
