// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import NFCTransport

/// Answers of a card reader in any dialect: an exchange ends, with an error or with bytes that the reader has sent.
/// `PCSCTests` and `AnomalyTests` have whole scans.
enum CardTarget {
  static let all = [
    FuzzTarget(
      name: "answers-card", seeds: { seeds }, words: ["\u{2}j\u{0}", "\u{2}m\u{0}", "\u{2}o\u{0}"], longest: 1_024,
      testRuns: 600, run: converse)
  ]

  private static let done: [UInt8] = [0x90, 0x00]
  private static let success: [UInt8] = [0xC0, 0x03, 0x00, 0x90, 0x00]
  private static let block: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

  /// The number of a request, then the answers to all commands, each with its length before it.
  private static let seeds: [[UInt8]] = [
    script(3, transparent([0] + block)), script(3, [[0x6D, 0x00], block + done]), script(5, transparent([1, 0x0F])),
    script(2, transparent([0, 0xDF, 0, 0, 1, 1, 0])), script(0, [[0x67, 0x45, 0x23, 1, 0, 0xA0, 7, 0xE0] + done]),
    script(5, [[0x6D, 0x00], [0x6D, 0x00], [0] + block + block + done]),
    script(3, (0..<8).map { _ in [0x6A, 0x81] } + [block + done]),
  ]

  private static func script(_ request: UInt8, _ answers: [[UInt8]]) -> [UInt8] {
    [request] + answers.flatMap { [UInt8($0.count)] + $0 }
  }

  /// A session that is opened, and a tag's answer in it.
  private static func transparent(_ answer: [UInt8]) -> [[UInt8]] {
    let end = [0x92, 0x01, 0x00, 0x96, 0x02, 0x00, 0x00, 0x97, UInt8(answer.count)] + answer + done
    return [success + done, success + [0x8F, 0x01, 0x00] + done, success + end]
  }

  /// When the input is over, no command is known.
  private final class PlayedCard: CardChannel {
    let readerName = "fuzz"
    private let state: Mutex<(draw: FuzzBytes, sent: [[UInt8]])>

    init(_ draw: FuzzBytes) { state = Mutex((draw, [])) }

    var sent: [[UInt8]] { state.withLock { $0.sent } }

    func transmit(_ command: [UInt8]) async throws(TransportError) -> [UInt8] {
      let answer = state.withLock { state in
        let answer = state.draw.isEmpty ? [0x6D, 0x00] : state.draw.some(Int(state.draw.byte()))
        state.sent.append(answer)
        return answer
      }
      // `PCSCChannel` does the same.
      if answer.count < 2 { throw .tagLost(block: nil) }
      return answer
    }
  }

  private static func converse(_ input: [UInt8]) throws {
    var draw = FuzzBytes(input)
    let request = ResponseTarget.requests[draw.index(below: ResponseTarget.requests.count)]
    let card = PlayedCard(draw)
    try CallingThread.run {
      let conversation = CardConversation(channel: card, hint: nil)
      for request in [request, .inventory, request] {
        guard let answer = try? await conversation.exchange(request), answer.first == 0, request != .inventory else {
          continue
        }
        let data = answer.dropFirst()
        try require(card.sent.contains { $0.firstRange(of: data) != nil }, "bytes that were not sent: \(data)")
      }
      await conversation.end()
    }
    try require(card.sent.count < 200, "\(card.sent.count) commands")
  }
}
