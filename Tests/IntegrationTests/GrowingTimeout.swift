// SPDX-License-Identifier: Apache-2.0
import Testing

/// Timeouts for a device that never answers. The first is short; the others are for a busy machine, on which the answers
/// before the last one may take longer than that.
enum GrowingTimeout {
  static let all: [Duration] = [
    .milliseconds(100), .milliseconds(500), .milliseconds(2_500), .milliseconds(12_500), .seconds(60),
  ]

  /// Expects this outcome of an attempt with one of the timeouts. Each attempt starts with a new device.
  static func expect<Outcome: Equatable>(
    _ expected: Outcome, at place: SourceLocation = #_sourceLocation, of attempt: (Duration) async throws -> Outcome
  ) async throws {
    for timeout in all.dropLast() { if let outcome = try? await attempt(timeout), outcome == expected { return } }
    let outcome = try await attempt(all[all.count - 1])
    #expect(outcome == expected, sourceLocation: place)
  }
}
