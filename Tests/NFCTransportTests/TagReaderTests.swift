// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Testing

@Suite("Tag readers")
struct TagReaderTests {
  /// Gives every request the same answer.
  struct FixedReader: TagReader {
    let description = ReaderDescription(address: "pcsc", name: "fixed", dialect: "none")
    let answer: [UInt8]

    func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
      if answer.isEmpty { throw .tagLost(block: request.firstBlock) }
      return answer
    }
  }

  @Test("a refusal is an answer, not a failure of the reader")
  func refusal() async throws {
    let reader: any TagReader = FixedReader(answer: [0x01, 0x0F])
    #expect(try await reader.response(to: .readBlock(9)) == .error(.unspecified))
  }

  @Test("a reader that returns four bytes for a block is caught")
  func fourByteBlocks() async {
    let reader: any TagReader = FixedReader(answer: [0x00, 1, 2, 3, 4])
    await #expect(throws: TransportError.malformedResponse(to: .readBlock(9), length: 5)) {
      try await reader.response(to: .readBlock(9))
    }
  }

  @Test("silence names the block that was asked for")
  func silence() async {
    let reader: any TagReader = FixedReader(answer: [])
    await #expect(throws: TransportError.tagLost(block: 9)) { try await reader.response(to: .readBlock(9)) }
  }
}
