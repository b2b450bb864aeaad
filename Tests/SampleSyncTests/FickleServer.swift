// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import SampleSync
import Synchronization
import TestSupport

@testable import LibreKit
@testable import SampleSync

/// An unreliable receiver, which stores accepted samples and knows each batch by its key: it may store a batch and then
/// fail to confirm it, and gives the same response again for a known key.
final class FickleServer: Courier {
  struct State {
    /// The stored samples by id, each in its latest version.
    var samples: [String: PlainRequest.Line] = [:]
    /// The samples first received under each key, and the keys that were accepted.
    var seen: [String: Set<PlainRequest.Line>] = [:]
    var taken: Set<String> = []
    /// The number of keys under which a sample was accepted with the same time and value.
    var times: [PlainRequest.Line: Int] = [:]
    /// Batches that were repeated under their key with samples that were not in them before.
    var changedKeys = 0
    var requests = 0
    var isWell = false
    fileprivate var random: SplitMix64
  }

  /// Samples that it never accepts, and the maximum of a batch.
  let bad: Set<String>
  let limit: Int
  private let state: Mutex<State>

  init(seed: UInt64, bad: Set<String>, limit: Int) {
    self.bad = bad
    self.limit = limit
    state = Mutex(State(random: SplitMix64(seed: seed)))
  }

  var now: State { state.withLock { $0 } }

  func recover() { state.withLock { $0.isWell = true } }

  func deliver(_ delivery: Delivery) async throws(Verdict) -> HTTPResponse {
    guard case .http(let sent) = delivery else { return .status(500) }
    let request = PlainRequest(sent)
    return try state.withLock { state throws(Verdict) in
      state.requests += 1
      let mood = state.isWell ? 0 : state.random.number(0...99)
      guard let key = request.key else { return try Self.answer(mood, request) }
      let lines = Set(request.lines)
      if let first = state.seen[key], !lines.isSubset(of: first) { state.changedKeys += 1 }
      if state.seen[key] == nil { state.seen[key] = lines }
      if state.taken.contains(key) {
        // The batch is stored: it may confirm that or fail to, but must not reject it now.
        let isSaid = mood < 50 || (87..<93).contains(mood)
        return isSaid ? .status(208, "\(lines.count)") : try Self.answer(mood, request)
      }
      if request.lines.count > limit { return .status(413, "too much") }
      if let culprit = request.lines.first(where: { bad.contains($0.id) }) { return .status(400, "not \(culprit.id)") }
      if mood < 70 {
        state.taken.insert(key)
        for line in request.lines {
          state.samples[line.id] = line
          state.times[line, default: 0] += 1
        }
      }
      return try Self.answer(mood, request)
    }
  }

  /// Below 50 and above 95 the response is true. From 50 to 70 it stores the batch and then fails.
  private static func answer(_ mood: Int, _ request: PlainRequest) throws(Verdict) -> HTTPResponse {
    switch mood {
    case 0..<50: return .status(200, "x")
    case 50..<60, 70..<78: throw .unavailable(reason: "cut off")
    case 60..<65, 78..<84: return .status(500)
    case 65..<70, 84..<87: return .status(503, after: mood)
    case 87..<90 where request.isBatch && request.lines.count > 1: return .status(413)
    case 90..<93 where request.isBatch && request.lines.count > 1: return .status(422, "something is wrong")
    case 93..<95: return .status(440)
    case 95..<97: return .status(401)
    case 97..<98: throw .misdirected(reason: "a certificate")
    default: return .status(429, after: 3_600)
    }
  }

  func close() async {}
}
