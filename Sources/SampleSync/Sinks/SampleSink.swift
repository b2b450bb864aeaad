// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import HistoryFormats
package import TextFormats

/// A receiver of samples: turns batches into requests as values, and answers into verdicts, without network and clock.
package protocol SampleSink: Sendable {
  var destination: String { get }
  var route: DeliveryRoute { get }
  var maximumBatch: Int { get }
  /// All secrets in the forms that are sent: a receiver may echo them, and its reasons are stored.
  var secrets: [Secret] { get }

  /// Returns the reason why the receiver cannot store an entry; nil for an entry that can be sent. A delivery leaves
  /// out such entries: the outbox must ask first, and park them with the reason.
  func omission(of entry: HistoryEntry) -> String?

  /// Returns the next request needed before a batch can be sent (for a token, a user, a data set); nil if all is known.
  /// A nil batch asks only for requests that do not depend on one, for adding or testing a sink.
  func preparation(for batch: SampleBatch?, _ memory: SinkState, _ context: ExportContext) -> Preparation?

  /// Called when no preparation is left.
  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery

  /// Returns the delivery of an alert; nil if the receiver takes none.
  func delivery(of alert: SentAlert, _ context: ExportContext) -> Delivery?

  /// Judges an answer to the delivery of this batch; `verdict(on:_:now:)` if it does not depend on the batch.
  func verdict(on response: HTTPResponse, to batch: SampleBatch, _ memory: SinkState, now: Instant) -> Verdict

  /// Returns the request that deletes the records with these keys, from one to `maximumBatch`, or empties the state; nil
  /// if the receiver cannot. The keys are those of the type's `removal`.
  func withdrawal(of keys: [String], _ memory: SinkState, _ context: ExportContext) -> Delivery?

  /// Judges an answer to a withdrawal: `accepted` also if no record existed.
  func withdrawalVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict

  /// Messages to send when the sink is removed, so that no outdated state stays visible.
  func farewell() -> [MQTTMessage]

  /// Judges an answer to a delivery, by default by the table of `StatusVerdict`.
  func verdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict

  /// Returns a request that checks address and credentials without changing anything; nil if not available.
  func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest?

  func probeVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict

  /// A permission that is missing although the probe succeeds, such as writing; nil if none is known to be missing.
  func missingPermission(in response: HTTPResponse, _ memory: SinkState) -> String?
}

extension SampleSink {
  package var route: DeliveryRoute { .http }
  package func omission(of entry: HistoryEntry) -> String? { SentSample.omission(of: entry) }
  func table(_ memory: SinkState) -> StatusVerdict { StatusVerdict(hiding: secrets + memory.session.values) }

  package func verdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    table(memory).verdict(on: response, now: now)
  }

  package func verdict(on response: HTTPResponse, to batch: SampleBatch, _ memory: SinkState, now: Instant) -> Verdict {
    verdict(on: response, memory, now: now)
  }

  package func withdrawal(of keys: [String], _ memory: SinkState, _ context: ExportContext) -> Delivery? { nil }

  package func withdrawalVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    verdict(on: response, memory, now: now)
  }

  package func delivery(of alert: SentAlert, _ context: ExportContext) -> Delivery? { nil }

  package func farewell() -> [MQTTMessage] { [] }

  package func preparation(for batch: SampleBatch?, _ memory: SinkState, _ context: ExportContext) -> Preparation? {
    nil
  }

  package func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest? { nil }

  package func probeVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    table(memory).verdict(on: response, now: now)
  }

  package func missingPermission(in response: HTTPResponse, _ memory: SinkState) -> String? { nil }
}

/// Values that a sink got from its receiver.
package struct SinkState: Hashable, Sendable {
  /// Values kept in the store, by name: the id of a user or of a data set. No secrets.
  package var kept: [String: String]
  /// Values for this run only: the token of a session.
  package var session: [String: Secret]

  package init(kept: [String: String] = [:], session: [String: Secret] = [:]) {
    (self.kept, self.session) = (kept, session)
  }
}

package struct Preparation: Sendable {
  package let purpose: String
  package let request: HTTPRequest
  /// Example of an answer, with placeholders for the receiver's values: `--dry-run` continues with it.
  package let example: HTTPResponse
  /// Puts the values of an answer into the state; throws the verdict on one that is not a success.
  package let learn: @Sendable (HTTPResponse, inout SinkState) throws(Verdict) -> Void
}
