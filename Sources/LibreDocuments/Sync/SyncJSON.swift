// SPDX-License-Identifier: Apache-2.0
import LibreKit
package import SampleSync
package import TextFormats

/// `libre.sync/1`: an event, one per line.
package enum SyncJSON {
  package static let document = SchemaDocument(
    "sync", summary: "an event of sending, one per line (libre sync --json)",
    description:
      "One event while samples are sent to a sink. With --dry-run, events that would happen; their names begin with would.",
    [
      .init(
        "event",
        .one(
          of: "syncing", "success", "removed", "failed", "nothingToSync", "retryScheduled", "paused", "waitsForClock",
          "waitsForInterval", "completed", "wouldSync", "wouldLeaveOut", "wouldAsk", "wouldSend", "wouldRemove")),
      .init("sink", .string),
      .init("at", .string),
      .optional("batch", .string.orNull, "The Idempotency-Key, unchanged for every attempt."),
      .optional("stage", .one(of: "historical", "daily")),
      .optional("accepted", .count),
      .optional(
        "removed", .count,
        "Number of samples deleted at the receiver, because they were removed here or their time changed."),
      .optional("duplicates", .count.orNull, "Null if the receiver does not report it."),
      .optional("from", .time),
      .optional("to", .time),
      .optional("samples", .array(of: .string)),
      .optional("outcome", .one(of: SyncEvent.Failure.self)),
      .optional("reason", .string),
      .optional("rejected", .array(of: rejection.schema)),
      .optional("retry_at", .time, "The next attempt, after a failure or by the sink's interval."),
      .optional("pending", .count),
      .optional("dead", .count),
      .optional("destination", .string),
      .optional("obstacle", .string.orNull, "The reason why nothing is sent."),
      .optional("id", .string.orNull),
      .optional("purpose", .string, "The purpose of a request that precedes the samples."),
      .optional(
        "person", .string, "Whose sink it is, if several people are known: a name of libre person list, or me."),
      .optional("request", .string, "The request that would be sent, with placeholders for secrets."),
    ], isClosed: true)

  private static let rejection: Fields<SyncEvent.Rejection> = [
    Field("id") { $0.id?.description },
    Field("reason") { $0.reason },
  ]

  /// Writes an event; `person` is whose sink it is, if several people are known.
  package static func write(_ event: SyncEvent, person: String? = nil, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", document.identifier)
      json.member("event", event.kind.name)
      json.member("sink", event.sink)
      json.member("at", event.at.rfc3339)
      if let person { json.member("person", person) }
      switch event.kind {
      case .syncing(let queued): json.member("pending", queued)
      case .success(let receipt):
        json.member("batch", receipt.batch)
        json.member("stage", receipt.isHistorical ? "historical" : "daily")
        json.member("accepted", receipt.samples.count)
        json.member("duplicates", receipt.duplicates)
        json.member("from", receipt.from?.rfc3339)
        json.member("to", receipt.to?.rfc3339)
        json.member("samples", receipt.samples.map(\.description))
      case .removed(let ids):
        json.member("removed", ids.count)
        json.member("samples", ids.map(\.description))
      case .failed(let batch, let failure, let reason, let rejected):
        json.member("batch", batch)
        json.member("outcome", failure.rawValue)
        json.member("reason", reason)
        json.member("rejected") { $0.array(rejected) { rejection.write($1, to: &$0) } }
      case .nothingToSync: break
      case .retryScheduled(let time, _, let reason):
        json.member("retry_at", time.rfc3339)
        if let reason { json.member("reason", reason) }
      case .paused(let reason): json.member("reason", reason)
      case .waitsForClock(let count, let last):
        json.member("pending", count)
        json.member("to", last.rfc3339)
      case .waitsForInterval(let count, let time):
        json.member("pending", count)
        json.member("retry_at", time.rfc3339)
      case .completed(let tally):
        json.member("accepted", tally.accepted)
        json.member("duplicates", tally.duplicates)
        json.member("removed", tally.removed)
        json.member("dead", tally.parked)
        json.member("pending", tally.queued)
      case .rehearsed(let rehearsal): write(rehearsal, to: &json)
      }
    }
  }

  private static func write(_ rehearsal: SyncEvent.Rehearsal, to json: inout JSONWriter) {
    switch rehearsal {
    case .queued(let queued, let destination, let obstacle):
      json.member("pending", queued)
      json.member("destination", destination)
      json.member("obstacle", obstacle)
    case .leftOut(let id, let reason):
      json.member("id", id?.description)
      json.member("reason", reason)
    case .question(let purpose, let request):
      json.member("purpose", purpose)
      json.member("request", request)
    case .batch(let isHistorical, let samples, let request):
      json.member("stage", isHistorical ? "historical" : "daily")
      json.member("samples", samples.map(\.description))
      json.member("request", request)
    case .removal(let ids, let request):
      json.member("samples", ids.map(\.description))
      json.member("request", request)
    }
  }
}

extension SyncEvent.Kind {
  package var name: String {
    switch self {
    case .syncing: "syncing"
    case .success: "success"
    case .removed: "removed"
    case .failed: "failed"
    case .nothingToSync: "nothingToSync"
    case .retryScheduled: "retryScheduled"
    case .paused: "paused"
    case .waitsForClock: "waitsForClock"
    case .waitsForInterval: "waitsForInterval"
    case .completed: "completed"
    case .rehearsed(.queued): "wouldSync"
    case .rehearsed(.leftOut): "wouldLeaveOut"
    case .rehearsed(.question): "wouldAsk"
    case .rehearsed(.batch): "wouldSend"
    case .rehearsed(.removal): "wouldRemove"
    }
  }
}
