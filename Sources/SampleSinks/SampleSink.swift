// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import HistoryFormats

/// A receiver of samples: turns batches into requests as values, and answers into verdicts. It has no network and no
/// clock; couriers perform what it makes.
public protocol SampleSink: Sendable {
  /// Where it sends to, for people; without secrets.
  var destination: String { get }

  /// All its deliveries go this way.
  var route: DeliveryRoute { get }

  /// At most so many samples in a batch.
  var maximumBatch: Int { get }

  /// Why the receiver cannot hold an entry, in words; nil for one that can be sent.
  ///
  /// A delivery leaves out every entry that has such a reason, so that a batch that is `accepted` holds none of them:
  /// who keeps the outbox asks first, and parks the entry with the reason.
  func omission(of entry: HistoryEntry) -> String?

  /// What has to be asked before a batch can go (a token, a user, a data set); nil when all of it is known.
  ///
  /// A nil batch asks for what does not depend on one, as when a sink is added or tested.
  func preparation(for batch: SampleBatch?, _ memory: SinkState, _ context: ExportContext)
    -> Preparation?

  /// The request for a batch. Called when nothing is left to prepare for it.
  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery

  /// What an answer to the delivery of this batch means; `verdict(on:_:now:)` where that does not depend on the batch.
  func verdict(on response: HTTPResponse, to batch: SampleBatch, _ memory: SinkState, now: Instant) -> Verdict

  /// The request that takes back the records of these keys, at least one and at most `maximumBatch`; nil if the receiver
  /// cannot. The keys are those of the type's `removal`.
  func withdrawal(of keys: [String], _ memory: SinkState, _ context: ExportContext) -> Delivery?

  /// What an answer to a withdrawal means: `accepted` also if none of the records was there.
  func withdrawalVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict

  /// What has to be sent when the sink is removed, so that nothing stays that shows an old state as that of now.
  func farewell() -> [MQTTMessage]

  /// What an answer to a delivery means. `StatusVerdict` has the table that most sinks use.
  func verdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict

  /// A question that shows whether the receiver is there and lets us in, and changes nothing; nil if there is none.
  func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest?

  /// What the answer to the probe means.
  func probeVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict

  /// What a receiver that accepts the probe still does not allow, such as writing; nil if nothing is known to be missing.
  func missingPermission(in response: HTTPResponse, _ memory: SinkState) -> String?
}

extension SampleSink {
  public var route: DeliveryRoute { .http }

  public func omission(of entry: HistoryEntry) -> String? { SentSample.omission(of: entry) }

  public func verdict(
    on response: HTTPResponse, to batch: SampleBatch, _ memory: SinkState, now: Instant
  ) -> Verdict {
    verdict(on: response, memory, now: now)
  }

  public func withdrawal(of keys: [String], _ memory: SinkState, _ context: ExportContext) -> Delivery? { nil }

  public func withdrawalVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    verdict(on: response, memory, now: now)
  }

  public func farewell() -> [MQTTMessage] { [] }

  public func preparation(for batch: SampleBatch?, _ memory: SinkState, _ context: ExportContext)
    -> Preparation?
  {
    nil
  }

  public func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest? { nil }

  public func probeVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    verdict(on: response, memory, now: now)
  }

  public func missingPermission(in response: HTTPResponse, _ memory: SinkState) -> String? { nil }
}
