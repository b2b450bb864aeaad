// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Synchronization
import Testing

@Suite("Wrappers around readers")
struct MiddlewareTests {
  private static let wrappers: [@Sendable (any TagReader) -> any TagReader] = [
    { RetryingReader($0, policy: .standard) }, { MeteringReader($0) }, { ObservedReader($0) { _ in } },
    { TracingReader($0, showsIdentifiers: false, tool: "libre", write: { _ in }) },
  ]

  @Test("pass on everything that they do not change", arguments: 0..<4)
  func passOn(wrapper: Int) async throws {
    let recordedAt = Instant(secondsSince1970: 1_795_000_000)
    let inner = ScriptedReader([.answer([0x01, 0x10])], recordedAt: recordedAt)
    let reader = Self.wrappers[wrapper](inner)
    #expect(await reader.description == inner.description)
    #expect(await reader.asHostReader?.recording == Recording(at: recordedAt))
    try await reader.waitForTag(within: .seconds(3))
    #expect(try await reader.exchange(.readBlock(99)) == [0x01, 0x10])
    try await reader.waitForRemoval()
    await reader.close()
    #expect(await inner.calls == ["waitForTag 3.0 seconds", "exchange", "waitForRemoval", "close"])
  }
}

@Suite("A metering reader")
struct MeteringReaderTests {
  private let block: [UInt8] = [0x00, 1, 2, 3, 4, 5, 6, 7, 8]

  @Test("counts exchanges, block reads and their time on air; none without an answer, or if the reader answered itself")
  func counts() async {
    let inventory: [UInt8] = [0x00] + .init(repeating: 0, count: 9)
    let (found, read) = (ISO15693.Request.inventory, ISO15693.Request.readBlock(0))
    for (steps, requests, blockReads, airTime) in [
      (
        [.answer(inventory), .answer(block), .answer(block)], [found, read, .readBlock(1)], 2,
        found.airTime(answerByteCount: 10) + read.airTime(answerByteCount: 9) * 2
      ),
      // A refusal takes time, and reads no block.
      ([.answer([0x01, 0x10])], [.readBlock(99)], 0, read.airTime(answerByteCount: 2)),
      ([.answer([0x01, 0x01]), .failure(.tagLost(block: 2))], [read, .readBlock(1)], 0, .zero),
    ] as [([ScriptedReader.Step], [ISO15693.Request], Int, Duration)] {
      let reader = MeteringReader(ScriptedReader(steps))
      for request in requests { _ = try? await reader.exchange(request) }
      let meter = await reader.meter
      #expect(meter.exchanges == requests.count && meter.blockReads == blockReads && meter.airTime == airTime)
    }
  }
}

@Suite("An observed reader") struct ObservedReaderTests {
  private let uid: [UInt8] = [0x00, 0x00, 0x5E, 0x90, 0x25, 0x00, 0x00, 0xA0, 0x07, 0xE0]

  @Test("reports requests, outcomes and sizes, and neither a UID nor measured values")
  func exchanges() async throws {
    let log = Mutex<[ReaderExchange]>([])
    let steps: [ScriptedReader.Step] = [
      .answer(uid), .answer([0x00] + .init(repeating: 0xAB, count: 24)), .answer([0x01, 0x10]),
      .failure(.tagLost(block: 7)),
    ]
    let reader = ObservedReader(ScriptedReader(steps)) { exchange in log.withLock { $0.append(exchange) } }
    let run = try #require(ISO15693.BlockRun(first: 3, count: 3))
    for request: ISO15693.Request in [.inventory, .readBlocks(run), .readBlock(99), .readBlock(7)] {
      _ = try? await reader.exchange(request)
    }
    let exchanges = log.withLock { $0 }
    #expect(exchanges.map(\.question) == ["inventory", "read blocks 3 to 5", "read block 99", "read block 7"])
    #expect(exchanges.map(\.outcome) == ["ok", "ok", "refused 10", "tag_lost"])
    #expect(exchanges.map(\.answerBytes) == [10, 25, 2, nil])
    let members = try Mirror(reflecting: #require(exchanges.first)).children.map(\.label)
    let last = try #require(ISO15693.BlockRun(first: 253, count: 3))
    let error = TransportError.malformedResponse(to: .readBlocks(last), length: 3)
    #expect(error.message == "invalid answer of 3 bytes to the read of blocks 253 to 255")
    #expect(members == ["request", "outcome", "answerBytes", "duration"], "none of them holds bytes of the memory")
  }
}

@Suite("A retrying reader")
struct RetryingReaderTests {
  private let sound: [UInt8] = [0x00, 1, 2, 3, 4, 5, 6, 7, 8]

  private func exchange(
    _ steps: [ScriptedReader.Step], attempts: Int = 3
  ) async -> (answer: Result<[UInt8], TransportError>, exchanges: Int) {
    let scripted = ScriptedReader(steps)
    let reader = RetryingReader(scripted, policy: RetryPolicy(attempts: attempts))
    do throws(TransportError) {
      return (.success(try await reader.exchange(.readBlock(9))), await scripted.calls.count)
    } catch {
      return (.failure(error), await scripted.calls.count)
    }
  }

  @Test(
    "repeats a request after silence, invalid data or an unrelated refusal",
    arguments: [
      .failure(.tagSilent(block: 9)), .answer([]), .answer([0x00]), .answer([0x00, 1, 2, 3, 4]),
      .answer([0xFF, 1, 2, 3, 4, 5, 6, 7, 8]), .answer([0x00, 1, 2, 3, 4, 5, 6, 7, 8, 9]), .answer([0x01]),
      .answer([0x01, 0x02]), .answer([0x01, 0x0F]), .answer([0x01, 0x12]), .answer([0x01, 0xA5]),
      .answer([0x01, 0x77]),
    ] as [ScriptedReader.Step])
  func transient(step: ScriptedReader.Step) async {
    let (once, exchanges) = await exchange([step, .answer(sound)])
    #expect(once == .success(sound))
    #expect(exchanges == 2)
    #expect(await exchange([step, step, .answer(sound)]).answer == .success(sound))
    #expect(await exchange([step, step, step, .answer(sound)]).exchanges == 3)
  }

  @Test("returns the result of the last attempt")
  func lastAttempt() async {
    let silence = ScriptedReader.Step.failure(.tagSilent(block: 9))
    #expect(await exchange([.answer([0x01, 0x0F]), .answer([]), silence]).answer == .failure(.tagSilent(block: 9)))
    #expect(await exchange([silence, silence, .answer([0x01, 0x0F])]).answer == .success([0x01, 0x0F]))
    #expect(await exchange([silence, silence, .answer([0x00, 1])]).answer == .success([0x00, 1]))
  }

  @Test(
    "stops when the request itself is refused, the tag is gone, the reader fails or the user cancels",
    arguments: [
      .answer([0x01, 0x01]), .answer([0x01, 0x03]), .answer([0x01, 0x10]), .failure(.tagLost(block: 9)),
      .failure(.cancelled), .failure(.readerUnplugged(name: "r")), .failure(.readerSilent(name: "r")),
      .failure(.noDaemon), .failure(.readerLacks15693(name: "r")),
    ] as [ScriptedReader.Step])
  func over(step: ScriptedReader.Step) async {
    let (answer, exchanges) = await exchange([step, .answer(sound)])
    let expected: Result<[UInt8], TransportError> =
      switch step {
      case .answer(let bytes): .success(bytes)
      case .failure(let error): .failure(error)
      }
    #expect(answer == expected && exchanges == 1)
  }

  @Test(
    "makes as many attempts as its policy says, but at least one", arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (5, 5)])
  func attempts(attempts: Int, exchanges: Int) async {
    #expect(await exchange([], attempts: attempts).exchanges == exchanges)
  }
}
