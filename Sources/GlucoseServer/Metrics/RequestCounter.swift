// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Number of requests to a path that were answered with a status.
struct RequestCount: Hashable, Sendable {
  /// One of a short list, whatever was asked for: `/api/v1/entries`, or `other`.
  let path: String
  let status: Int
  let count: Int
}

/// Counts answered requests by path and status.
///
/// The number of counters is bounded: paths are those that the server knows, and a client cannot add one by asking.
final class RequestCounter: Sendable {
  private struct Key: Hashable {
    let path: String
    let status: Int
  }

  private let counts = Mutex<[Key: Int]>([:])

  init() {}

  func count(_ request: ServerRequest, status: Int) {
    let key = Key(path: Self.label(of: request), status: status)
    counts.withLock { $0[key, default: 0] += 1 }
  }

  /// Counts in the order of their paths and statuses.
  var all: [RequestCount] {
    counts.withLock { $0 }.map { RequestCount(path: $0.path, status: $0.status, count: $1) }
      .sorted { ($0.path, $0.status) < ($1.path, $1.status) }
  }

  /// The path without its extension, where it is known; else its beginning as far as that is.
  static func label(of request: ServerRequest) -> String {
    for length in stride(from: min(4, request.path.count), through: 0, by: -1) {
      let path = "/" + request.path.prefix(length).joined(separator: "/")
      if known.contains(path), length > 0 || request.path.isEmpty { return path }
    }
    return "other"
  }

  private static let known: Set<String> = [
    "/", "/live", "/events", "/report", "/latest", "/metrics", "/sgv", "/status", "/treatments", "/pebble",
    "/api/v1/entries", "/api/v1/entries/sgv", "/api/v1/entries/mbg", "/api/v1/entries/cal", "/api/v1/entries/current",
    "/api/v1/status", "/api/v1/treatments", "/api/v1/devicestatus", "/api/v1/profile", "/api/v1/profiles",
    "/api/v1/activity", "/api/v1/experiments/test", "/api/v1/verifyauth", "/api/v2/entries", "/api/v2/entries/sgv",
    "/api/v2/entries/current", "/api/v2/status", "/api/v2/properties", "/api/v2/treatments", "/api/v2/authorization",
    "/api/v3/version", "/api/v3/status", "/api/v3/lastModified", "/api/v3/entries", "/api/v3/treatments",
    "/api/v3/devicestatus", "/api/v3/profile", "/api/v3/food", "/api/v3/settings",
  ]
}
