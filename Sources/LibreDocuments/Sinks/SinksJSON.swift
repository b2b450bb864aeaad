// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleSinks
import SampleStore
public import SampleSync
public import TextFormats

/// `libre.sinks/1`.
public enum SinksJSON {
  public static func write(_ sinks: [SinkView], to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.sinks.identifier)
      json.member("sinks") { $0.array(sinks) { write($1, to: &$0) } }
    }
  }

  static func write(_ sink: SinkView, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("name", sink.name)
      json.member("type", sink.setup?.type.name)
      json.member("destination", sink.destination)
      json.member("status", sink.availability.rawValue)
      json.member("status_code", sink.availability.code)
      json.member("reason", sink.reason)
      json.member("resolution", sink.resolution)
      json.member("send", sink.setup.map { $0.parts.map(\.rawValue).sorted() } ?? [])
      json.member("calibration", sink.setup?.calibration.name)
      json.member("backfill_days", sink.setup?.backfillDays)
      json.member("secret_from", sink.secretOrigin)
      json.member("enrolled_at", sink.stored?.enrolledAt.rfc3339)
      json.member("sends_from", sink.stored?.sendsFrom.rfc3339)
      json.member("pending", sink.stored?.pending)
      json.member("oldest_pending_at", sink.stored?.oldestPendingAt?.rfc3339)
      json.member("dead", sink.stored?.dead)
      json.member("failures", sink.stored?.failures)
      json.member("retry_at", sink.stored?.retry?.at.rfc3339)
      json.member("last_success_at", sink.stored?.lastSuccessAt?.rfc3339)
      json.member("last_error", sink.stored?.lastError)
      json.member("told") { json in
        json.object { json in
          for (key, value) in (sink.stored?.memory ?? [:]).sorted(by: { $0.key < $1.key }) { json.member(key, value) }
        }
      }
    }
  }
}
