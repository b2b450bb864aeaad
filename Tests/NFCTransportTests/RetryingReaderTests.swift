// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Testing

@Suite("A retrying reader")
struct RetryingReaderTests {
  private let sound: [UInt8] = [0x00, 1, 2, 3, 4, 5, 6, 7, 8]

  private func exchange(
    _ steps: [ScriptedReader.Step], attempts: Int = 3
  ) async -> (answer: Result<[UInt8], TransportError>, exchanges: Int) {
    let scripted = ScriptedReader(steps)
    let reader = RetryingReader(scripted, policy: RetryPolicy(attempts: attempts))
    let answer: Result<[UInt8], TransportError>
    do throws(TransportError) {
      answer = .success(try await reader.exchange(.readBlock(9)))
    } catch {
      answer = .failure(error)
    }
    return (answer, await scripted.calls.count)
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

  @Test("returns a refusal of the request itself at once", arguments: [0x01, 0x03, 0x10] as [UInt8])
  func lasting(code: UInt8) async {
    let (answer, exchanges) = await exchange([.answer([0x01, code]), .answer(sound)])
    #expect(answer == .success([0x01, code]))
    #expect(exchanges == 1)
  }

  @Test(
    "stops when the tag is gone, the reader fails or the user cancels",
    arguments: [
      .tagLost(block: 9), .cancelled, .readerUnplugged(name: "r"), .readerSilent(name: "r"), .noDaemon,
      .readerLacks15693(name: "r"),
    ] as [TransportError])
  func over(error: TransportError) async {
    let (answer, exchanges) = await exchange([.failure(error), .answer(sound)])
    #expect(answer == .failure(error))
    #expect(exchanges == 1)
  }

  @Test(
    "makes as many attempts as its policy says, but at least one", arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (5, 5)])
  func attempts(attempts: Int, exchanges: Int) async {
    #expect(await exchange([], attempts: attempts).exchanges == exchanges)
  }
}
