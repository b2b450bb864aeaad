// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import SampleStore

/// What an endpoint answers from besides the request.
public struct ServerContext: Sendable {
  public let snapshot: ServerSnapshot
  public let now: Instant
  /// The unit that people see; wire formats say where mg/dL stands whatever it is.
  public let unit: GlucoseUnit
  /// Reads values before `snapshot.completeFrom`: from, to (both included; nil is open), at most so many, newest first.
  public let older: Older

  public typealias Older =
    @Sendable (_ from: Instant?, _ to: Instant?, _ limit: Int) throws(StoreError) -> [ServedGlucose]

  public init(
    snapshot: ServerSnapshot, now: Instant, unit: GlucoseUnit,
    older: @escaping Older = { _, _, _ in [] }
  ) {
    self.snapshot = snapshot
    self.now = now
    self.unit = unit
    self.older = older
  }
}

/// One kind of address that the server answers: a new one is one file in Endpoints/ and one line in ``Endpoints/all``.
///
/// An endpoint only reads: there is no way to express a change of the store.
public protocol Endpoint: Sendable {
  /// nil if this endpoint does not answer the path. The access has been checked before, and the method is GET or HEAD.
  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer?
}

public enum Endpoints {
  /// In the order in which they are asked.
  public static let all: [any Endpoint] = []
}
