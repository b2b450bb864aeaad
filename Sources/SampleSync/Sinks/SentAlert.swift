// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import LibreKit
package import SensorHistory

/// An alert for a receiver: the document `libre.alert/1`, the word by which receivers tell kinds apart, and what a person
/// is shown.
package struct SentAlert: Hashable, Sendable {
  package let kind: String
  package let title: String
  package let text: String
  package let urgency: AlertKind.Urgency
  package let document: [UInt8]

  package init(kind: String, title: String, text: String, urgency: AlertKind.Urgency, document: [UInt8]) {
    (self.kind, self.title, self.text, self.urgency, self.document) = (kind, title, text, urgency, document)
  }

  /// The same for the same alert, so that a receiver can notice that it came twice.
  var key: String { SampleID(name: "alert/" + String(decoding: document, as: UTF8.self)).description }

  /// Sends it to a sink once, besides its samples. Returns the reason if that failed.
  package nonisolated(nonsending) func send(
    to setup: SinkSetup, environment: [String: String], now: Instant,
    courier make: @Sendable (DeliveryRoute) -> any Courier
  ) async -> String? {
    guard setup.isEnabled else { return SinkSetup.switchedOff }
    let (sink, person): (any SampleSink, String?)
    do throws(LibreError) {
      (sink, person) = (try setup.sink(environment: environment), try setup.person(environment: environment))
    } catch {
      return error.message
    }
    guard let delivery = sink.delivery(of: self, BatchAssembly.context(now: now, person: person)) else {
      return "a sink of the type \(setup.type.name) takes no alerts"
    }
    let courier = make(sink.route.beside("alerts"))
    let verdict: Verdict
    do throws(Verdict) {
      verdict = sink.verdict(on: try await courier.deliver(delivery), SinkState(), now: now)
    } catch {
      verdict = error
    }
    await courier.close()
    if case .accepted = verdict { return nil }
    return verdict.words
  }
}
