// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import LibreKit
package import SampleStore

/// Data that an endpoint answers from, besides the request.
package struct ServerContext: Sendable {
  package let snapshot: ServerSnapshot
  package let now: Instant
  /// The unit that people see; wire formats say where mg/dL stands whatever it is.
  package let unit: GlucoseUnit
  /// Reads values before `snapshot.completeFrom`: from, to (both included; nil is open), at most so many, newest first.
  package let older: Older
  /// Reads what neither the snapshot nor `older` has, such as a report; nil where there is no store.
  package let store: StoreReads?
  /// Counts the requests that were answered until now; nil where they are not counted.
  package let requests: RequestCounter?
  /// False only for an endpoint with `isOpen`, asked without the secret; then the snapshot is empty and no store is there.
  package let isAuthorized: Bool
  /// The secret that the request has shown; nil where the server asks for none.
  package let secret: ServerSecret?

  package typealias Older =
    @Sendable (_ from: Instant?, _ to: Instant?, _ limit: Int) throws(StoreError) -> [ServedGlucose]

  package init(
    snapshot: ServerSnapshot, now: Instant, unit: GlucoseUnit, older: @escaping Older = { _, _, _ in [] },
    store: StoreReads? = nil, requests: RequestCounter? = nil, isAuthorized: Bool = true, secret: ServerSecret? = nil
  ) {
    self.snapshot = snapshot
    self.now = now
    self.unit = unit
    self.older = older
    self.store = store
    self.requests = requests
    self.isAuthorized = isAuthorized
    self.secret = secret
  }
}

/// One kind of address that the server answers: a new one is one file in Endpoints/ and one line in ``Endpoints/all``.
///
/// An endpoint only reads: there is no way to express a change of the store.
package protocol Endpoint: Sendable {
  /// True for one that is also asked where the secret is missing or wrong, such as Nightscout's `verifyauth`: its
  /// context says so and has no values. false unless an endpoint says otherwise.
  var isOpen: Bool { get }

  /// nil if this endpoint does not answer the path. The access has been checked before, and the method is GET or HEAD.
  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer?
}

extension Endpoint {
  package var isOpen: Bool { false }
}

package enum Endpoints {
  /// All endpoints, in the order in which they are asked.
  package static let all: [any Endpoint] = [
    EntriesEndpoint(),
    StatusEndpoint(),
    XDripEndpoint(),
    TreatmentsEndpoint(),
    PropertiesEndpoint(),
    PebbleEndpoint(),
    LoginEndpoint(),
    EmptyListsEndpoint(),
    VersionThreeEndpoint(),
    LivePageEndpoint(), EventsEndpoint(), StoreEndpoint(), MetricsEndpoint(),
  ]
}

/// Reads of the store itself, for what no snapshot holds.
package struct StoreReads: Sendable {
  /// The newest usable value of the store at a moment; throws `noValue` without one.
  package let latest: @Sendable (_ now: Instant) throws(StoreError) -> LatestValue
  /// The history values and finger-sticks between two moments, both within.
  package let history: @Sendable (_ from: Instant, _ to: Instant) throws(StoreError) -> GlucoseHistory

  package init(
    latest: @escaping @Sendable (_ now: Instant) throws(StoreError) -> LatestValue,
    history: @escaping @Sendable (_ from: Instant, _ to: Instant) throws(StoreError) -> GlucoseHistory
  ) {
    self.latest = latest
    self.history = history
  }
}
