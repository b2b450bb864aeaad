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

  @Test("each request, a whole memory and its single blocks take the time of the table")
  func table() throws {
    let sections = [0..<3, 3..<40, 40..<43]
    let run = try #require(ISO15693.BlockRun(first: 0, count: 3))
    for (requests, expected, precision) in [
      (ReadPlan(sections: sections).requests, 160.1, 0.05),
      (ReadPlan(sections: sections, maximumRun: 1).requests, 252.8, 0.05), ([.readBlock(0)], 5.88, 0.005),
      ([.readBlocks(run)], 11.01, 0.005),
    ] {
      #expect(abs(milliseconds(requests, answering: blocks) - expected) < precision)
    }
    for (request, bytes, expected) in [
      (.inventory, 10, 6.2), (.systemInformation, 12, 6.5), (.patchInfo(.texasInstruments), 7, 5.3),
    ] as [(ISO15693.Request, Int, Double)] {
      #expect(abs(milliseconds([request]) { _ in bytes } - expected) < 0.05)
    }
  }
}
