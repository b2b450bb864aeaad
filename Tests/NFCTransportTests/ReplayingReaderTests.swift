// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Testing

@Suite("Recordings as readers")
struct ReplayingReaderTests {
  private func reader(_ lines: String) throws -> ReplayingReader {
    ReplayingReader(try Trace(parsing: Array(lines.utf8)), address: "replay:tap.trace")
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

  @Test("requests in another order get their own answers; equal requests get them in order")
  func anotherOrder() async throws {
    let reader = try reader(
      """
      02 20 01 -> 00 01
      02 20 00 -> 00 00
      02 20 02 -> 00 02
      02 20 00 -> 00 AA
      """)
    try await reader.waitForTag(within: .zero)
    #expect(try await reader.exchange(.readBlock(0)) == [0x00, 0x00])
    #expect(try await reader.exchange(.readBlock(1)) == [0x00, 0x01])
    #expect(try await reader.exchange(.readBlock(0)) == [0x00, 0xAA])
    await #expect(throws: TransportError.traceEnded(.readBlock(0))) { try await reader.exchange(.readBlock(0)) }
    #expect(try await reader.exchange(.readBlock(2)) == [0x00, 0x02])
  }

  @Test("a recorded failure is thrown again, and the next tap continues")
  func lostAndBack() async throws {
    let reader = try reader(
      """
      # name: ACS ACR1552
      # tap
      02 20 00 -> lost
      # tap
      02 20 00 -> unplugged
      02 20 01 -> empty
      """)
    try await reader.waitForTag(within: .zero)
    await #expect(throws: TransportError.tagLost(block: 0)) { try await reader.exchange(.readBlock(0)) }
    try await reader.waitForTag(within: .zero)
    await #expect(throws: TransportError.readerUnplugged(name: "ACS ACR1552")) {
      try await reader.exchange(.readBlock(0))
    }
    #expect(try await reader.exchange(.readBlock(1)) == [])
  }

  @Test("an answer is never used from another tap")
  func tapsApart() async throws {
    let reader = try reader("# tap\n02 20 00 -> 00 00\n02 20 01 -> 00 01\n# tap\n02 20 02 -> 00 02\n02 20 01 -> 00 AA")
    try await reader.waitForTag(within: .zero)
    await #expect(throws: TransportError.traceEnded(.readBlock(2))) { try await reader.exchange(.readBlock(2)) }
    try await reader.waitForTag(within: .zero)
    #expect(try await reader.exchange(.readBlock(1)) == [0x00, 0xAA])
    await #expect(throws: TransportError.traceEnded(.readBlock(0))) { try await reader.exchange(.readBlock(0)) }
  }

  @Test("each tap has its own read time")
  func readTimes() async throws {
    let reader = try reader(
      """
      # tap
      02 20 00 -> 00 00
      # read-at: 2026-11-21T06:30:00Z
      # tap
      # tap
      02 20 00 -> 00 00
      # tap
      02 20 00 -> 00 00
      # read-at: 2026-11-21T06:45:00Z
      """)
    var times: [Instant?] = [await reader.recording?.at]
    for _ in 0..<3 {
      try await reader.waitForTag(within: .zero)
      times.append(await reader.recording?.at)
      _ = try await reader.exchange(.readBlock(0))
    }
    #expect(times == [nil, Instant(rfc3339: "2026-11-21T06:30:00Z"), nil, Instant(rfc3339: "2026-11-21T06:45:00Z")])
  }

  @Test("a second wait is for the same tap; after a removal, for the next one")
  func waitingTwice() async throws {
    let reader = try reader("# tap\n02 20 00 -> 00 00\n# tap\n02 20 00 -> 00 AA")
    try await reader.waitForTag(within: .zero)
    try await reader.waitForTag(within: .zero)
    await reader.waitForRemoval()
    await #expect(throws: TransportError.traceEnded(.readBlock(0))) { try await reader.exchange(.readBlock(0)) }
    try await reader.waitForTag(within: .zero)
    #expect(try await reader.exchange(.readBlock(0)) == [0x00, 0xAA])
  }

  @Test("after the last tap no tag comes, however often the caller waits", arguments: ["", "# tap\n", "# a note\n"])
  func end(lines: String) async throws {
    let reader = try reader(lines)
    for _ in 0..<2 {
      await #expect(throws: TransportError.traceEnded(.inventory)) { try await reader.waitForTag(within: .zero) }
    }
    await #expect(throws: TransportError.traceEnded(.inventory)) { try await reader.exchange(.inventory) }
  }

  @Test("a tag that did not come in the recording does not come in the replay")
  func noTap() async throws {
    let reader = try reader(
      """
      # tap
      02 20 00 -> lost
      # no tap: no-tag
      # read-at: 2026-11-21T06:30:00Z
      # no tap: other-card
      # tap
      02 20 00 -> 01 0F
      """)
    try await reader.waitForTag(within: .zero)
    await #expect(throws: TransportError.tagLost(block: 0)) { try await reader.exchange(.readBlock(0)) }
    await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .seconds(60)) }
    #expect(await reader.recording?.at == Instant(rfc3339: "2026-11-21T06:30:00Z"), "the time of the answers before")
    await #expect(throws: TransportError.traceEnded(.readBlock(0))) { try await reader.exchange(.readBlock(0)) }
    await #expect(throws: TransportError.otherCard(atr: [])) { try await reader.waitForTag(within: .seconds(60)) }
    try await reader.waitForTag(within: .zero)
    #expect(try await reader.exchange(.readBlock(0)) == [0x01, 0x0F])
  }

  @Test("no request is answered before the first tap and after the end")
  func outside() async throws {
    let reader = try reader("# tap\n02 20 00 -> 00 00\n# tap\n02 20 00 -> 00 00")
    await #expect(throws: TransportError.traceEnded(.readBlock(0))) { try await reader.exchange(.readBlock(0)) }
    try await reader.waitForTag(within: .zero)
    await reader.close()
    await reader.close()
    await #expect(throws: TransportError.traceEnded(.readBlock(0))) { try await reader.exchange(.readBlock(0)) }
    await #expect(throws: TransportError.traceEnded(.inventory)) { try await reader.waitForTag(within: .zero) }
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
