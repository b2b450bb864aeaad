// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import HostSystem
public import LibreKit
public import SampleStore
import SensorHistory
import TextFormats

/// A receiver of samples that a program has itself: another store, a service in the same process, a network of its own.
///
/// The store keeps an outbox for it under its name, as for every sink: what it accepted is not sent again, what it could
/// not take waits, and what was removed or is flagged never comes.
public protocol SampleReceiver: Sendable {
  /// The name of its outbox: up to 64 lower-case letters, digits and dashes.
  var name: String { get }
  /// The largest number of samples that it takes at once.
  var maximumBatch: Int { get }

  /// Takes samples, oldest first. The same ones come again if it threw, or if the program ended meanwhile.
  ///
  /// - Throws: `SampleRejection` if it will never take these: they are sent one by one then, and a single one that it rejects
  ///   is kept aside. Any other error means "not now": they stay in the outbox.
  func receive(_ samples: [SentSample]) async throws
}

extension SampleReceiver {
  public var maximumBatch: Int { 1_000 }
}

/// Thrown by a receiver that will never take the samples that it got.
public struct SampleRejection: Error, Hashable, Sendable {
  public let reason: String

  public init(reason: String) { self.reason = reason }
}

extension SensorStore {
  /// The outcome of sending to a receiver.
  public struct SendReceipt: Hashable, Sendable {
    /// The number of samples that it took.
    public internal(set) var accepted = 0
    /// The number of those that it rejected, or cannot be told, which are kept aside.
    public internal(set) var parked = 0
    /// The number of those that wait for the next time.
    public internal(set) var queued = 0
    /// The words of the last failure; nil without one.
    public internal(set) var failure: String?
  }

  /// Sends what a receiver of the program does not have yet. The first time, that is what was measured from `days` days
  /// before now on.
  ///
  /// It runs where its caller does, so that an actor may own the store.
  ///
  /// - Throws: `LibreError`: `sink` for an invalid name, `store` if the store fails. The failure of a receiver is in the
  ///   receipt instead.
  public nonisolated(nonsending) func send(
    to receiver: some SampleReceiver, parts: Set<SampleBatch.Part> = [.history], startingDaysAgo days: Int = 14
  ) async throws(LibreError) -> SendReceipt {
    let type = SinkType(receiver)
    let section = SinkSection(
      path: "", name: receiver.name, values: ["type": type.name, "backfill_days": String(days)],
      send: parts.map(\.rawValue).sorted())
    let setup = try SinkSetup(section, types: [type])
    try libre(enrol(setup, now: LocalTime.now))
    var receipt = SendReceipt()
    let sync = Sync(environment: [:], courier: { _, _ in ReceiverCourier(receiver: receiver) }) { event in
      switch event.kind {
      case .completed(let tally):
        (receipt.accepted, receipt.parked, receipt.queued) = (tally.accepted, tally.parked, tally.queued)
      case .failed(_, _, let reason, _): receipt.failure = reason
      case .syncing, .success, .removed, .nothingToSync, .retryScheduled, .paused, .waitsForClock, .waitsForInterval,
        .rehearsed:
        break
      }
    }
    _ = try await sync.send(to: [setup], from: self, urgency: .asksOnce)
    return receipt
  }
}

extension SinkType {
  /// The type of which a program's receiver is the only sink.
  fileprivate init(_ receiver: some SampleReceiver) {
    self.init(
      name: "receiver", summary: "a receiver of the program", parameters: [], secret: .none,
      parts: [.trend, .fingerSticks, .imported], removal: .impossible("the program keeps what it got"), fields: [],
      make: { options in ReceiverSink(name: options.name, maximumBatch: receiver.maximumBatch) })
  }
}

private struct ReceiverSink: SampleSink {
  let name: String
  let maximumBatch: Int

  var destination: String { name }
  var route: DeliveryRoute { .receiver }
  var secrets: [Secret] { [] }

  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    .samples(batch.sent)
  }
}

private struct ReceiverCourier: Courier {
  let receiver: any SampleReceiver

  func deliver(_ delivery: Delivery) async throws(Verdict) -> HTTPResponse {
    guard case .samples(let samples) = delivery, !samples.isEmpty else { return HTTPResponse(status: 204) }
    do {
      try await receiver.receive(samples)
    } catch let rejection as SampleRejection {
      throw .rejected(reason: rejection.reason)
    } catch {
      throw .unavailable(reason: LibreError.words(of: error))
    }
    return HTTPResponse(status: 204)
  }

  func close() async {}
}
