// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Testing

@Suite("Tag readers")
struct TagReaderTests {
  @Test("a refusal is an answer, not a failure of the reader")
  func refusal() async throws {
    let reader = ScriptedReader([.answer([0x01, 0x0F])])
    #expect(try await reader.response(to: .readBlock(9)) == .error(.unspecified))
  }

  @Test("a reader that returns four bytes for a block is detected")
  func fourByteBlocks() async {
    let reader = ScriptedReader([.answer([0x00, 1, 2, 3, 4])])
    await #expect(throws: TransportError.malformedResponse(to: .readBlock(9), length: 5)) {
      try await reader.response(to: .readBlock(9))
    }
  }

  @Test("a silent tag is reported with the requested block")
  func silence() async {
    let reader = ScriptedReader([.failure(.tagSilent(block: 9))])
    await #expect(throws: TransportError.tagSilent(block: 9)) { try await reader.response(to: .readBlock(9)) }
  }

  @Test("a reader's answers are live, unless it says that they were recorded")
  func live() async {
    let reader: any TagReader = ScriptedReader([])
    #expect(await reader.asHostReader?.recording == nil)
  }
}
