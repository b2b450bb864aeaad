// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore
import SensorHistory
import Synchronization

/// Answers a request: checks who asks, and asks the endpoints. It knows neither a socket nor a clock.
struct ServerCore: Sendable {
  let access: AccessRules
  let unit: GlucoseUnit
  var endpoints = Endpoints.all
  private let requests = RequestCounter()

  /// The answer from a snapshot, and from the store if it is needed. Without `store` it is nil in that case: reading the
  /// store takes longer, and is done on a thread that serves no connection.
  func answer(
    to request: ServerRequest, from snapshot: ServerSnapshot, now: Instant, store: StoredValues?
  ) -> ServerAnswer? {
    let demand = StoreDemand(store)
    let client = access.client(of: request, now: now)
    let answer = guardedAnswer(to: request, from: snapshot, now: now, demand, isAuthorized: client == .authorized)
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

  func count(_ request: ServerRequest, status: Int) { requests.count(request, status: status) }

  private func guardedAnswer(
    to request: ServerRequest, from snapshot: ServerSnapshot, now: Instant, _ demand: StoreDemand, isAuthorized: Bool
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
          try demand.values().glucose(from: from, to: to, limit: limit)
        },
        store: StoreReads(
          latest: { now throws(StoreError) in try demand.values().latest(now: now) },
          history: { from, to throws(StoreError) in try demand.values().history(from: from, to: to) }),
        requests: requests, secret: access.secret)
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

/// The store, and whether an endpoint wanted to read it.
private final class StoreDemand: Sendable {
  private let store: StoredValues?
  private let state = Atomic<Bool>(false)

  init(_ store: StoredValues?) { self.store = store }

  var wasMade: Bool { state.load(ordering: .relaxed) }

  /// Throws an error that is not shown if the store cannot be read.
  func values() throws(StoreError) -> StoredValues {
    state.store(true, ordering: .relaxed)
    guard let store else { throw .missing(path: "") }
    return store
  }
}

struct ServerContext: Sendable {
  let snapshot: ServerSnapshot
  let now: Instant
  /// The unit people read. A wire format that fixes mg/dL ignores it.
  let unit: GlucoseUnit
  /// Reads up to `limit` values before `snapshot.completeFrom`, in `from...to`, newest first; nil leaves that end open.
  var older: Older = { _, _, _ in [] }
  var store: StoreReads?
  /// nil if requests are not counted.
  var requests: RequestCounter?
  /// False only for an endpoint with `isOpen`, asked without the secret: the snapshot is empty and `store` is nil.
  var isAuthorized = true
  /// The secret that the request has shown; nil if the server asks for none.
  var secret: ServerSecret?

  typealias Older = @Sendable (_ from: Instant?, _ to: Instant?, _ limit: Int) throws(StoreError) -> [ServedGlucose]
}

/// One kind of address that the server answers: a new one is one type and one line in ``Endpoints/all``. An endpoint
/// only reads: a change of the store cannot be expressed.
protocol Endpoint: Sendable {
  /// True if this endpoint also answers requests without a valid secret, such as Nightscout's `verifyauth`.
  var isOpen: Bool { get }

  /// nil if this endpoint does not answer the path. The access has been checked before, and the method is GET or HEAD.
  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer?
}

extension Endpoint {
  var isOpen: Bool { false }
}

enum Endpoints {
  static let all: [any Endpoint] = [
    EntriesEndpoint(), StatusEndpoint(), XDripEndpoint(), TreatmentsEndpoint(), PropertiesEndpoint(), PebbleEndpoint(),
    LoginEndpoint(), EmptyListsEndpoint(), VersionThreeEndpoint(), LivePageEndpoint(), EventsEndpoint(),
    StoreEndpoint(), MetricsEndpoint(), DecoderPageEndpoint(),
  ]
}

/// Reads of the store itself, for what no snapshot holds, such as a report.
struct StoreReads: Sendable {
  /// The newest usable value of the store at a moment; throws `noValue` without one.
  let latest: @Sendable (_ now: Instant) throws(StoreError) -> LatestValue
  /// The history values and finger-sticks between two moments, both within.
  let history: @Sendable (_ from: Instant, _ to: Instant) throws(StoreError) -> GlucoseHistory
}
