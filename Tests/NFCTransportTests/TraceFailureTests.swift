// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

@Suite("Recorded failures")
struct TraceFailureTests {
  @Test("errors of tag and reader are restored completely")
  func whole() throws {
    let errors: [TransportError] = [
      .tagSilent(block: 8), .tagLost(block: 8), .cancelled, .noTag, .readerUnplugged(name: "ACR1552"),
      .readerBusy(name: "ACR1552"), .readerSilent(name: "ACR1552"), .readerLacks15693(name: "ACR1552"),
      .fourByteBlocks(name: "ACR1552"), .noReader, .noDaemon, .accessDenied,
    ]
    for error in errors {
      #expect(TraceFailure(error).error(to: .readBlock(8), reader: "ACR1552") == error)
    }
  }

  @Test("of errors with more details only the kind is kept")
  func kinds() throws {
    let uid = try #require(SensorUID(bits: 0xE004_0100_1234_5678))
    let errors: [(TransportError, TransportError)] = [
      (.otherCard(atr: [0x3B, 0x80]), .otherCard(atr: [])),
      (.noReaderNamed("desk", present: ["ACR122U"]), .noReader),
      (.malformedResponse(to: .inventory, length: 40), .malformedResponse(to: .readBlock(8), length: 0)),
      (
        .readerFailed(name: "b", reason: "0x1F"),
        .readerFailed(name: "a", reason: "the recording does not contain the reason")
      ),
      (.otherTag(uid), .readerFailed(name: "a", reason: "the recording does not contain the reason")),
      (.tag(.locked, block: 3), .readerFailed(name: "a", reason: "the recording does not contain the reason")),
      (.traceEnded(.inventory), .readerFailed(name: "a", reason: "the recording does not contain the reason")),
    ]
    for (thrown, replayed) in errors {
      #expect(TraceFailure(thrown).error(to: .readBlock(8), reader: "a") == replayed)
    }
  }
}
