// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import LibreKit
import SampleStore
import Synchronization

/// Answers a request: checks who asks, and asks the endpoints. It knows neither a socket nor a clock.
package struct ServerCore: Sendable {
  private let access: AccessRules
  private let unit: GlucoseUnit
  var endpoints = Endpoints.all
  private let requests = RequestCounter()

  package init(access: AccessRules, unit: GlucoseUnit) {
    self.access = access
    self.unit = unit
  }

  /// The answer from a snapshot, and from the store where it is needed.
  ///
  /// Without `store` the answer is nil where the store would have to be read: that takes longer, and is done on a
  /// thread that serves no connection.
  func answer(
    to request: ServerRequest, from snapshot: ServerSnapshot, now: Instant, store: StoredValues?
  ) -> ServerAnswer? {
    let demand = StoreDemand()
    let client = access.client(of: request, now: now)
    let answer = guardedAnswer(
      to: request, from: snapshot, now: now, store: store, demand, isAuthorized: client == .authorized)
    guard var answer, store != nil || !demand.wasMade else { return nil }
    requests.count(request, status: answer.status)
    answer.client = client
    answer.headers += access.crossOriginFields(for: request)
    answer.headers.append(("X-Content-Type-Options", "nosniff"))
    if !answer.headers.contains(where: { $0.name == "Cache-Control" }) {
      answer.headers.append(("Cache-Control", "no-cache"))
    }
    return answer
  }

  /// Counts an answer that is given again.
  func count(_ request: ServerRequest, status: Int) { requests.count(request, status: status) }

  private func guardedAnswer(
    to request: ServerRequest, from snapshot: ServerSnapshot, now: Instant, store: StoredValues?,
    _ demand: StoreDemand, isAuthorized: Bool
  ) -> ServerAnswer? {
    guard access.hasValidHost(request) else {
      return .problem(400, "Bad Request", "the Host field must be one name or address. Send one such field")
    }
    guard access.isFamiliarHost(request) else {
      return .problem(
        421, "Misdirected Request", "unknown host name. Use an address, or start the server with --allow-host NAME")
    }
    if request.method == .options { return access.preflight(request) }
    if request.method == .other {
      guard isAuthorized else { return Self.unauthorized }
      var answer = ServerAnswer.problem(405, "Method Not Allowed", "this server is read-only")
      answer.headers.append(("Allow", AccessRules.methods))
      return answer
    }
    let context =
      isAuthorized
      ? ServerContext(
        snapshot: snapshot, now: now, unit: unit,
        older: { from, to, limit throws(StoreError) in
          guard let store else { throw demand.error() }
          return try store.glucose(from: from, to: to, limit: limit)
        },
        store: StoreReads(
          latest: { now throws(StoreError) in
            guard let store else { throw demand.error() }
            return try store.latest(now: now)
          },
          history: { from, to throws(StoreError) in
            guard let store else { throw demand.error() }
            return try store.history(from: from, to: to)
          }), requests: requests, secret: access.secret)
      : ServerContext(snapshot: ServerSnapshot(revision: "", glucose: []), now: now, unit: unit, isAuthorized: false)
    do throws(StoreError) {
      for endpoint in endpoints where isAuthorized || endpoint.isOpen {
        if let answer = try endpoint.answer(request, context) { return answer }
      }
    } catch {
      return .problem(503, "Service Unavailable", error.message)
    }
    return isAuthorized ? .problem(404, "Not Found", "this server has nothing at this address") : Self.unauthorized
  }

  /// 401 and not 403: clients take it for a wrong secret, and look no further for another server.
  private static let unauthorized = ServerAnswer.problem(401, "Unauthorized", "Invalid/Missing")
}

/// Notes that an endpoint wanted the store where it cannot be read.
private final class StoreDemand: Sendable {
  private let state = Atomic<Bool>(false)

  var wasMade: Bool { state.load(ordering: .relaxed) }

  /// Error for the endpoint to end with; it is not shown.
  func error() -> StoreError {
    state.store(true, ordering: .relaxed)
    return .missing(path: "")
  }
}
