// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
public import SampleSync
public import TextFormats

/// `libre.sync/1`: an event, one a line.
public enum SyncJSON {
  public static func write(_ event: SyncEvent, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.sync.identifier)
      json.member("event", event.kind.name)
      json.member("sink", event.sink)
      json.member("at", event.at.rfc3339)
      switch event.kind {
      case .syncing(let pending): json.member("pending", pending)
      case .success(let receipt):
        json.member("batch", receipt.batch)
        json.member("stage", receipt.isHistorical ? "historical" : "daily")
        json.member("accepted", receipt.samples.count)
        json.member("duplicates", receipt.duplicates)
        json.member("from", receipt.from?.rfc3339)
        json.member("to", receipt.to?.rfc3339)
        json.member("samples", receipt.samples.map(\.description))
      case .failed(let batch, let failure, let reason, let rejected):
        json.member("batch", batch)
        json.member("outcome", failure.rawValue)
        json.member("reason", reason)
        json.member("rejected") { json in
          json.array(rejected) { json, rejection in
            json.object {
              $0.member("id", rejection.id?.description)
              $0.member("reason", rejection.reason)
            }
          }
        }
      case .nothingToSync: break
      case .retryScheduled(let time): json.member("retry_at", time.rfc3339)
      case .paused(let reason): json.member("reason", reason)
      case .completed(let tally):
        json.member("accepted", tally.accepted)
        json.member("duplicates", tally.duplicates)
        json.member("dead", tally.dead)
        json.member("pending", tally.pending)
      case .rehearsed(let rehearsal): write(rehearsal, to: &json)
      }
    }
  }

  private static func write(_ rehearsal: SyncEvent.Rehearsal, to json: inout JSONWriter) {
    switch rehearsal {
    case .pending(let pending, let destination, let obstacle):
      json.member("pending", pending)
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
    }
  }
}

extension SyncEvent.Kind {
  /// As in `event`.
  public var name: String {
    switch self {
    case .syncing: "syncing"
    case .success: "success"
    case .failed: "failed"
    case .nothingToSync: "nothingToSync"
    case .retryScheduled: "retryScheduled"
    case .paused: "paused"
    case .completed: "completed"
    case .rehearsed(.pending): "wouldSync"
    case .rehearsed(.leftOut): "wouldLeaveOut"
    case .rehearsed(.question): "wouldAsk"
    case .rehearsed(.batch): "wouldSend"
    }
  }
}
