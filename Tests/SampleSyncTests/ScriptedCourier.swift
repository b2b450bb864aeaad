// SPDX-License-Identifier: Apache-2.0
import SampleSync
import Synchronization

@testable import LibreKit
@testable import SampleSync

/// Sends nothing: it records its requests, and a closure answers.
final class ScriptedCourier: Courier {
  typealias Answer = @Sendable (HTTPRequest) async throws(Verdict) -> HTTPResponse

  private struct State {
    var requests: [HTTPRequest] = []
    var closings = 0
  }

  private let state = Mutex(State())
  private let answer: Answer

  init(_ answer: @escaping Answer) { self.answer = answer }

  /// Returns one response after the other, and the last one from then on.
  convenience init(_ answers: Result<HTTPResponse, Verdict>...) { self.init(all: answers) }

  convenience init(all answers: [Result<HTTPResponse, Verdict>]) {
    let rest = Mutex(answers[...])
    self.init { (_) throws(Verdict) in
      try rest.withLock { $0.count > 1 ? $0.popFirst() : $0.first }?.get() ?? .ok
    }
  }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var plain: [PlainRequest] { requests.map(PlainRequest.init) }
  var batches: [PlainRequest] { plain.filter(\.isBatch) }
  var closings: Int { state.withLock { $0.closings } }

  func deliver(_ delivery: Delivery) async throws(Verdict) -> HTTPResponse {
    guard case .http(let request) = delivery else { return HTTPResponse(status: 500) }
    state.withLock { $0.requests.append(request) }
    return try await answer(request)
  }

  func close() async { state.withLock { $0.closings += 1 } }
}

extension Result<HTTPResponse, Verdict> {
  static func status(_ status: Int, _ words: String = "", after seconds: Int? = nil) -> Self {
    .success(.status(status, words, after: seconds))
  }

  static let cut = Self.failure(.unavailable(reason: "no answer"))
}
