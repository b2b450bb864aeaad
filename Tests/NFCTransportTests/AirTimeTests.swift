// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import Testing

/// Compares with the table of NFCTransport/ReadingOverTheAir, "Timing", which was computed by hand from its formula.
@Suite("Time on air")
struct AirTimeTests {
  private func milliseconds(_ requests: [ISO15693.Request], answering: (ISO15693.Request) -> Int) -> Double {
    requests.map { $0.airTime(answerByteCount: answering($0)) / .milliseconds(1) }.reduce(0, +)
  }

  private func blocks(_ request: ISO15693.Request) -> Int { 1 + 8 * (request.blocks?.count ?? 0) }

  @Test("the fifteen reads of a whole memory take 160.1 ms, and 43 single ones 252.8 ms")
  func wholeMemory() {
    let sections = [0..<3, 3..<40, 40..<43]
    #expect(abs(milliseconds(ReadPlan(sections: sections).requests, answering: blocks) - 160.1) < 0.05)
    let singles = ReadPlan(sections: sections, maximumRun: 1).requests
    #expect(abs(milliseconds(singles, answering: blocks) - 252.8) < 0.05)
  }

  @Test("one read takes 5.88 ms for a block and 11.01 ms for three")
  func oneRead() throws {
    let run = try #require(ISO15693.BlockRun(first: 0, count: 3))
    #expect(abs(milliseconds([.readBlock(0)], answering: blocks) - 5.88) < 0.005)
    #expect(abs(milliseconds([.readBlocks(run)], answering: blocks) - 11.01) < 0.005)
  }

  @Test("inventory, system information and patch info take 6.2, 6.5 and 5.3 ms")
  func others() {
    #expect(abs(milliseconds([.inventory]) { _ in 10 } - 6.2) < 0.05)
    #expect(abs(milliseconds([.systemInformation]) { _ in 12 } - 6.5) < 0.05)
    #expect(abs(milliseconds([.patchInfo(.texasInstruments)]) { _ in 7 } - 5.3) < 0.05)
  }
}
