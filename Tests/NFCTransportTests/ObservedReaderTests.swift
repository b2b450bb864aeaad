// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import Synchronization
import Testing

@Suite("An observed reader") struct ObservedReaderTests {
  private final class Log: Sendable {
    private let kept = Mutex<[ReaderExchange]>([])
    var exchanges: [ReaderExchange] { kept.withLock { $0 } }
    func add(_ exchange: ReaderExchange) { kept.withLock { $0.append(exchange) } }
  }

  private let uid: [UInt8] = [0x00, 0x00, 0x5E, 0x90, 0x25, 0x00, 0x00, 0xA0, 0x07, 0xE0]

  @Test("reports requests, outcomes and sizes, and neither a UID nor measured values")
  func exchanges() async throws {
    let log = Log()
    let steps: [ScriptedReader.Step] = [
      .answer(uid), .answer([0x00] + .init(repeating: 0xAB, count: 24)), .answer([0x01, 0x10]),
      .failure(.tagLost(block: 7)),
    ]
    let reader = ObservedReader(ScriptedReader(steps)) { log.add($0) }
    let run = try #require(ISO15693.BlockRun(first: 3, count: 3))
    for request: ISO15693.Request in [.inventory, .readBlocks(run), .readBlock(99), .readBlock(7)] {
      _ = try? await reader.exchange(request)
    }
    #expect(log.exchanges.map(\.question) == ["inventory", "read blocks 3 to 5", "read block 99", "read block 7"])
    #expect(log.exchanges.map(\.outcome) == ["ok", "ok", "refused 10", "tag_lost"])
    #expect(log.exchanges.map(\.answerBytes) == [10, 25, 2, nil])
    let members = try Mirror(reflecting: #require(log.exchanges.first)).children.map(\.label)
    #expect(members == ["request", "outcome", "answerBytes", "duration"], "none of them holds bytes of the memory")
  }

  @Test("an error names the last blocks that one byte can number")
  func lastBlocks() throws {
    let last = try #require(ISO15693.BlockRun(first: 253, count: 3))
    let error = TransportError.malformedResponse(to: .readBlocks(last), length: 3)
    #expect(error.message == "invalid answer of 3 bytes to the read of blocks 253 to 255")
  }
}
