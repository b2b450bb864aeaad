// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import Testing

@Suite("A metering reader")
struct MeteringReaderTests {
  private let block: [UInt8] = [0x00, 1, 2, 3, 4, 5, 6, 7, 8]

  private func meter(_ steps: [ScriptedReader.Step], _ requests: [ISO15693.Request]) async -> ExchangeMeter {
    let reader = MeteringReader(ScriptedReader(steps))
    for request in requests { _ = try? await reader.exchange(request) }
    return await reader.meter
  }

  @Test("counts exchanges, block reads and their time on air")
  func counts() async {
    let meter = await meter(
      [.answer([0x00] + .init(repeating: 0, count: 9)), .answer(block), .answer(block)],
      [.inventory, .readBlock(0), .readBlock(1)])
    #expect(meter.exchanges == 3)
    #expect(meter.blockReads == 2)
    let expected =
      ISO15693.Request.inventory.airTime(answerByteCount: 10)
      + ISO15693.Request.readBlock(0).airTime(answerByteCount: 9) * 2
    #expect(meter.airTime == expected)
  }

  @Test("counts a refusal's time on air, but no block read")
  func refusals() async {
    let meter = await meter([.answer([0x01, 0x10])], [.readBlock(99)])
    #expect(meter.exchanges == 1)
    #expect(meter.blockReads == 0)
    #expect(meter.airTime == ISO15693.Request.readBlock(99).airTime(answerByteCount: 2))
  }

  @Test("counts no time on air without an answer or if the reader answered itself")
  func nothingOnAir() async {
    let meter = await meter([.answer([0x01, 0x01]), .failure(.tagLost(block: 2))], [.readBlock(0), .readBlock(1)])
    #expect(meter.exchanges == 2)
    #expect(meter.blockReads == 0)
    #expect(meter.airTime == .zero)
  }
}
