// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore

/// Data that an endpoint answers from, besides the request.
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
/// only reads: there is no way to express a change of the store.
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
    StoreEndpoint(), MetricsEndpoint(),
  ]
}

/// Reads of the store itself, for what no snapshot holds, such as a report.
struct StoreReads: Sendable {
  /// The newest usable value of the store at a moment; throws `noValue` without one.
  let latest: @Sendable (_ now: Instant) throws(StoreError) -> LatestValue
  /// The history values and finger-sticks between two moments, both within.
  let history: @Sendable (_ from: Instant, _ to: Instant) throws(StoreError) -> GlucoseHistory
}
