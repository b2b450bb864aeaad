// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HistoryFormats
package import LibreKit
package import SampleSinks

/// Result of `sink test`: whether a receiver can be reached and accepts the credentials. Sends no sample.
package struct SinkProbe: Sendable {
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case good
    case partial
    case unavailable
    case refused
    case misdirected
  }

  package let sink: String
  package let outcome: Outcome
  /// Reason for the failure; nil for success and for an error.
  package let reason: String?
  /// The error in the configuration.
  package let error: LibreError?

  /// Runs the test, with all requests that it needs (such as creating a user or a session), and stores nothing.
  package init(
    _ setup: SinkSetup, environment: [String: String], memory kept: [String: String], now: Instant,
    courier make: @Sendable (DeliveryRoute) -> any Courier
  ) async throws(LibreError) {
    sink = setup.name
    let (receiver, person): (any SampleSink, String?)
    do throws(LibreError) {
      (receiver, person) = (try setup.sink(environment: environment), try setup.person(environment: environment))
    } catch {
      (outcome, reason, self.error) = (error.isOfSecret ? .refused : .misdirected, nil, error)
      return
    }
    error = nil
    let courier = make(receiver.route)
    let verdict: Verdict
    var lack: String?
    do throws(DeliveryError) {
      verdict = try await Self.ask(
        receiver, SinkState(kept: kept), BatchAssembly.context(now: now, person: person), courier, &lack)
    } catch {
      verdict = Verdict(error)
    }
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
    self.sink = sink
    outcome = error.isOfSecret ? .refused : .misdirected
    reason = nil
    self.error = error
  }

  private static func ask(
    _ sink: any SampleSink, _ memory: SinkState, _ context: ExportContext, _ courier: any Courier,
    _ lack: inout String?
  ) async throws(DeliveryError) -> Verdict {
    var memory = memory
    // No receiver needs more than two requests that do not depend on a sensor.
    for _ in 0..<8 {
      guard let preparation = sink.preparation(for: nil, memory, context) else { break }
      let answer = try await courier.ask(preparation.request)
      do throws(PreparationFailure) {
        memory = try preparation.learn(answer, memory)
      } catch {
        return error.verdict
      }
    }
    switch sink.route {
    case .http:
      guard let request = sink.probe(memory, context) else { return .accepted(duplicates: nil) }
      let answer = try await courier.ask(request)
      lack = sink.missingPermission(in: answer, memory)
      return sink.probeVerdict(on: answer, memory, now: context.now)
    // A broker is reachable if it accepts an empty delivery.
    case .mqtt: _ = try await courier.deliver(.mqtt([]))
    case .lines: _ = try await courier.deliver(.lines([]))
    }
    return .accepted(duplicates: nil)
  }
}
