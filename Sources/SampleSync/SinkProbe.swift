// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HistoryFormats
package import LibreKit

/// Result of `sink test`: whether a receiver can be reached and accepts the credentials. Sends no sample.
package struct SinkProbe: Sendable {
  /// `partial`: it accepts the credentials, but a needed permission is missing.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case good, partial, unavailable, refused, misdirected
  }

  package let sink: String
  package let outcome: Outcome
  /// Reason for the failure; nil for success and for an error.
  package let reason: String?
  package let error: LibreError?

  /// Runs the test, with all requests that it needs (such as creating a user or a session), and stores nothing.
  package init(
    _ setup: SinkSetup, environment: [String: String], memory kept: [String: String], now: Instant,
    courier make: @Sendable (DeliveryRoute) -> any Courier
  ) async throws(LibreError) {
    let (receiver, person): (any SampleSink, String?)
    do throws(LibreError) {
      (receiver, person) = (try setup.sink(environment: environment), try setup.person(environment: environment))
    } catch {
      self = SinkProbe(wrong: error, setup.name)
      return
    }
    (sink, error) = (setup.name, nil)
    let courier = make(receiver.route)
    let context = BatchAssembly.context(now: now, person: person)
    let (verdict, lack) = await Self.ask(receiver, SinkState(kept: kept), context, courier)
    await courier.close()
    switch verdict {
    case .accepted: (outcome, reason) = (lack == nil ? .good : .partial, lack)
    case .unavailable(let words, _): (outcome, reason) = (.unavailable, words)
    case .unauthorized(let words), .sessionEnded(let words):
      let origin = setup.type.secret == .none ? nil : setup.secretOrigin(environment: environment)
      (outcome, reason) = (.refused, SinkSetup.unauthorized(words, secretOrigin: origin))
    case .refused(let words), .rejected(let words), .tooLarge(let words): (outcome, reason) = (.refused, words)
    case .misdirected(let words): (outcome, reason) = (.misdirected, words)
    case .libraryMissing(let name, let package): throw .sink(.libraryMissing(name: name, package: package))
    }
  }

  package init(wrong error: LibreError, _ sink: String) {
    (self.sink, self.error, reason) = (sink, error, nil)
    outcome = error.isOfSecret ? .refused : .misdirected
  }

  /// Returns the verdict, and a permission that is missing although the receiver accepts the credentials.
  private static func ask(
    _ sink: any SampleSink, _ memory: SinkState, _ context: ExportContext, _ courier: any Courier
  ) async -> (Verdict, lack: String?) {
    var memory = memory
    do throws(Verdict) {
      // No receiver needs more than two requests that do not depend on a sensor.
      for _ in 0..<8 {
        guard let preparation = sink.preparation(for: nil, memory, context) else { break }
        try await courier.prepare(preparation, &memory)
      }
      switch sink.route {
      case .http:
        guard let request = sink.probe(memory, context) else { break }
        let answer = try await courier.ask(request)
        return (sink.probeVerdict(on: answer, memory, now: context.now), sink.missingPermission(in: answer, memory))
      // A broker is reachable if it accepts an empty delivery.
      case .mqtt: _ = try await courier.deliver(.mqtt([]))
      case .lines: _ = try await courier.deliver(.lines([]))
      case .receiver: _ = try await courier.deliver(.samples([]))
      }
      return (.accepted(duplicates: nil), nil)
    } catch {
      return (error, nil)
    }
  }
}
