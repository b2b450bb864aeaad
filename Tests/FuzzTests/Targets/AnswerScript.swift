// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import NFCTransport

/// What happens to answers on their way, drawn from an input: a byte for each answer, and what it needs. When the input is
/// over, all answers are as they should be.
///
/// | byte modulo 8 | the answer |
/// |---|---|
/// | 0, 1, 2 | is as it was |
/// | 3 | is another, as long as the next byte says |
/// | 4 | has one byte changed |
/// | 5 | is cut |
/// | 6 | does not come: the tag is gone |
/// | 7 | has more behind it |
final class AnswerScript: Sendable {
  private let state: Mutex<State>

  private struct State {
    var draw: FuzzBytes
    var count = 0
    var hasSpoilt = false
  }

  init(_ bytes: [UInt8]) { state = Mutex(State(draw: FuzzBytes(bytes))) }

  /// Answers so far.
  var count: Int { state.withLock { $0.count } }
  var hasSpoilt: Bool { state.withLock { $0.hasSpoilt } }

  /// Throws `tagLost` for an answer that does not come.
  func spoilt(_ answer: [UInt8]) throws(TransportError) -> [UInt8] {
    try state.withLock { state throws(TransportError) in
      state.count += 1
      guard !state.draw.isEmpty else { return answer }
      let act = state.draw.byte() % 8
      if act > 2 { state.hasSpoilt = true }
      var answer = answer
      switch act {
      case 3: return state.draw.some(Int(state.draw.byte()))
      case 4:
        let place = state.draw.index(below: max(1, answer.count))
        if answer.indices.contains(place) { answer[place] ^= state.draw.byte() }
      case 5: answer = Array(answer.prefix(state.draw.index(below: max(1, answer.count))))
      case 6: throw .tagLost(block: nil)
      case 7: answer += state.draw.some(Int(state.draw.byte() % 16))
      default: break
      }
      return answer
    }
  }

  /// Whether the tag is there when it is waited for.
  func isThere() -> Bool {
    state.withLock { state in
      state.count += 1
      guard !state.draw.isEmpty, state.draw.byte() & 0x0F == 0x0F else { return true }
      state.hasSpoilt = true
      return false
    }
  }
}
