// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import NFCTransport
import TestSupport
import Testing

@Suite("A faulty reader")
struct FaultyReaderTests {
  private let block: [UInt8] = [0x00, 1, 2, 3, 4, 5, 6, 7, 8]

  private func sound(_ count: Int) -> ScriptedReader { ScriptedReader(.init(repeating: .answer(block), count: count)) }

  private func outcome(_ reader: FaultyReader) async -> Result<[UInt8], TransportError> {
    do throws(TransportError) { return .success(try await reader.exchange(.readBlock(5))) } catch {
      return .failure(error)
    }
  }

  @Test("disturbs the selected exchanges and no others")
  func scripted() async {
    let reader = FaultyReader(
      sound(9),
      faults: [
        2: .silence, 3: .refusal(.blockNotAvailable), 4: .inversion(byte: 8), 5: .short(bytes: 1), 6: .long(bytes: 2),
      ])
    var outcomes: [Result<[UInt8], TransportError>] = []
    for _ in 1...7 { outcomes.append(await outcome(reader)) }
    #expect(
      outcomes == [
        .success(block), .failure(.tagSilent(block: 5)), .success([0x01, 0x10]),
        .success([0x00, 1, 2, 3, 4, 5, 6, 7, 0xF7]), .success([0x00, 1, 2, 3, 4, 5, 6, 7]),
        .success(block + [0x5A, 0x5A]), .success(block),
      ])
  }

  @Test("loses the tag until a new wait for it, or for good")
  func removal() async throws {
    let inner = sound(9)
    let reader = FaultyReader(inner, faults: [1: .removal(returns: true), 4: .removal(returns: false)])
    #expect(await outcome(reader) == .failure(.tagLost(block: 5)))
    #expect(await outcome(reader) == .failure(.tagLost(block: 5)))
    try await reader.waitForRemoval()
    try await reader.waitForTag(within: .zero)
    #expect(await outcome(reader) == .success(block))
    #expect(await outcome(reader) == .failure(.tagLost(block: 5)))
    await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .zero) }
    #expect(await inner.calls.filter { $0 == "exchange" }.count == 1, "a lost tag is not asked")
  }

  @Test("gives the same faults for the same seed, with every kind of fault")
  func storm() async throws {
    func storm(seed: UInt64) async -> [Result<[UInt8], TransportError>] {
      let reader = FaultyReader(sound(300), oneIn: 3, generator: SplitMix64(seed: seed))
      var outcomes: [Result<[UInt8], TransportError>] = []
      for _ in 1...300 {
        outcomes.append(await outcome(reader))
        if outcomes.last == .failure(.tagLost(block: 5)) { try? await reader.waitForTag(within: .zero) }
      }
      return outcomes
    }
    let outcomes = await storm(seed: 1)
    #expect(await storm(seed: 1) == outcomes)
    #expect(await storm(seed: 2) != outcomes)
    #expect((150...250).contains(outcomes.filter { $0 == .success(block) }.count))
    #expect(outcomes.contains(.failure(.tagSilent(block: 5))) && outcomes.contains(.failure(.tagLost(block: 5))))
    let answers = outcomes.compactMap { try? $0.get() }
    #expect(answers.contains { $0.count < 9 && $0.first == 0 } && answers.contains { $0.count > 9 })
    #expect(answers.contains { $0.count == 9 && $0 != block } && answers.contains { $0.count == 2 && $0[0] == 1 })
  }
}
