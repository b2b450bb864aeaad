// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Testing

@Suite("Recordings as readers")
struct ReplayingReaderTests {
  private func reader(_ lines: String) throws -> ReplayingReader {
    ReplayingReader(try Trace(parsing: Array(lines.utf8)), address: "replay:tap.trace")
  }

  /// The steps of a caller, and what comes of them.
  enum Step: Sendable {
    case tap
    case noTap(TransportError)
    case removal
    case close
    case read(UInt8, [UInt8])
    case fails(UInt8, TransportError)
    /// There is no answer left to a read of the block.
    case ended(UInt8)
  }

  struct Dialogue: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let recording: String
    let steps: [Step]
  }

  static let dialogues: [Dialogue] =
    [
      Dialogue(
        testDescription: "requests in another order get their own answers; equal requests get them in order",
        recording: "02 20 01 -> 00 01\n02 20 00 -> 00 00\n02 20 02 -> 00 02\n02 20 00 -> 00 AA",
        steps: [.tap, .read(0, [0, 0]), .read(1, [0, 1]), .read(0, [0, 0xAA]), .ended(0), .read(2, [0, 2])]),
      Dialogue(
        testDescription: "a recorded failure is thrown again, and the next tap continues",
        recording: "# name: R\n# tap\n02 20 00 -> lost\n# tap\n02 20 00 -> unplugged\n02 20 01 -> empty",
        steps: [
          .tap, .fails(0, .tagLost(block: 0)), .tap, .fails(0, .readerUnplugged(name: "R")), .read(1, []),
        ]),
      Dialogue(
        testDescription: "an answer is never used from another tap",
        recording: "# tap\n02 20 00 -> 00 00\n02 20 01 -> 00 01\n# tap\n02 20 02 -> 00 02\n02 20 01 -> 00 AA",
        steps: [.tap, .ended(2), .tap, .read(1, [0, 0xAA]), .ended(0)]),
      Dialogue(
        testDescription: "a second wait is for the same tap; after a removal, for the next one",
        recording: "# tap\n02 20 00 -> 00 00\n# tap\n02 20 00 -> 00 AA",
        steps: [.tap, .tap, .removal, .ended(0), .tap, .read(0, [0, 0xAA])]),
      Dialogue(
        testDescription: "no request is answered before the first tap and after the end",
        recording: "# tap\n02 20 00 -> 00 00\n# tap\n02 20 00 -> 00 00",
        steps: [.ended(0), .tap, .close, .close, .ended(0), .noTap(.traceEnded(.inventory))]),
      Dialogue(
        testDescription: "a tag that did not come in the recording does not come in the replay",
        recording: "# tap\n02 20 00 -> lost\n# no tap: no-tag\n# no tap: other-card\n# tap\n02 20 00 -> 01 0F",
        steps: [
          .tap, .fails(0, .tagLost(block: 0)), .noTap(.noTag), .ended(0), .noTap(.otherCard(atr: [])), .tap,
          .read(0, [1, 0x0F]),
        ]),
    ]
    + ["", "# tap\n", "# a note\n"].map { recording in
      Dialogue(
        testDescription: "after the last tap no tag comes, however often the caller waits", recording: recording,
        steps: [.noTap(.traceEnded(.inventory)), .noTap(.traceEnded(.inventory)), .ended(0)])
    }

  @Test("answers like the recorded reader", arguments: dialogues)
  func dialogue(given: Dialogue) async throws {
    let reader = try reader(given.recording)
    for step in given.steps {
      switch step {
      case .tap: try await reader.waitForTag(within: .zero)
      case .noTap(let error): await #expect(throws: error) { try await reader.waitForTag(within: .seconds(60)) }
      case .removal: await reader.waitForRemoval()
      case .close: await reader.close()
      case .read(let block, let answer): #expect(try await reader.exchange(.readBlock(block)) == answer)
      case .fails(let block, let error):
        await #expect(throws: error) { try await reader.exchange(.readBlock(block)) }
      case .ended(let block):
        await #expect(throws: TransportError.traceEnded(.readBlock(block))) {
          try await reader.exchange(.readBlock(block))
        }
      }
    }
  }

  @Test("a recording has the description of the recorded reader, if it has a header, and its own path")
  func description() throws {
    let reader = try reader(
      """
      # reader: pcsc
      # name: ACS ACR1552
      # dialect: not known yet
      # tap
      # dialect: transparent-session
      02 20 00 -> 01 0F
      """)
    #expect(
      reader.description
        == ReaderDescription(address: "replay:tap.trace", name: "ACS ACR1552", dialect: "transparent-session"))
    #expect(
      try self.reader("02 20 00 -> 01 0F").description
        == ReaderDescription(address: "replay:tap.trace", name: "recording", dialect: "unknown"))
  }

  @Test("each tap has its own read time, which is that of the answers before it")
  func readTimes() async throws {
    let reader = try reader(
      """
      # tap
      02 20 00 -> 00 00
      # no tap: no-tag
      # read-at: 2026-11-21T06:30:00Z
      # tap
      # tap
      02 20 00 -> 00 00
      # tap
      02 20 00 -> 00 00
      # read-at: 2026-11-21T06:45:00Z
      """)
    var times: [Instant?] = [await reader.recording?.at]
    for tap in 0..<3 {
      try await reader.waitForTag(within: .zero)
      if tap > 0 { times.append(await reader.recording?.at) }
      _ = try await reader.exchange(.readBlock(0))
      guard tap == 0 else { continue }
      await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .zero) }
      times.append(await reader.recording?.at)
    }
    #expect(times == [nil, Instant(rfc3339: "2026-11-21T06:30:00Z"), nil, Instant(rfc3339: "2026-11-21T06:45:00Z")])
  }

  @Test("a cancelled wait ends")
  func cancelled() async throws {
    let reader = try reader("02 20 00 -> 00 00")
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await reader.waitForTag(within: .seconds(60))
    }
    await #expect(throws: TransportError.cancelled) { try await waiting.value }
  }
}

@Suite("Backend for recordings")
struct ReplayBackendTests {
  /// Two files, one of them damaged.
  private let backend = ReplayBackend { path throws(TransportError) in
    switch path {
    case "tap.trace": Array("# name: ACS ACR1552\n02 20 00 -> 00 00\n".utf8)
    case "dump.hex": Array("# a dump\n00 11 22 33\n".utf8)
    default: throw .fileUnreadable(path: path, reason: "no such file")
    }
  }

  @Test("an address opens the recording in a file, and an invalid one gives an error with the reason")
  func recording() async throws {
    let reader = try await backend.open(ReaderAddress(scheme: "replay", rest: "tap.trace"))
    let description = await reader.description
    #expect(description.address == "replay:tap.trace" && description.name == "ACS ACR1552")
    try await reader.waitForTag(within: .zero)
    #expect(try await reader.exchange(.readBlock(0)) == [0x00, 0x00])
    for (address, error) in [
      (ReaderAddress(scheme: "replay", rest: "nowhere"), .fileUnreadable(path: "nowhere", reason: "no such file")),
      (ReaderAddress(scheme: "replay", rest: "dump.hex"), .badTrace(line: 2)),
      (.pcsc(name: nil), .unknownAddress("pcsc")),
    ] as [(ReaderAddress, TransportError)] {
      await #expect(throws: error) { try await backend.open(address) }
    }
  }
}
