// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleSinks
import SampleStore
package import SampleSync
package import TextFormats

/// `libre.sinks/1`.
package enum SinksJSON {
  package static let document = SchemaDocument(
    "sinks", summary: "the sinks with their status",
    description: "The sinks that are set up or enrolled (have an outbox in the store), with their status.",
    fields.members)

  package static func write(_ sinks: [SinkView], to writer: inout JSONWriter) {
    document.write(fields, sinks, to: &writer)
  }

  private static let fields: Fields<[SinkView]> = [Field("sinks", array: sink) { $0 }]

  static let sink: Fields<SinkView> = [
    Field("name") { $0.name },
    Field("type", .string, "Null if the configuration does not contain it.") { $0.setup?.type.name },
    Field("destination") { $0.destination },
    Field("status", .one(of: Availability.allCases.map(\.rawValue))) { $0.availability.rawValue },
    Field("status_code", .one(of: 0, 1, 2, 3)) { $0.availability.code },
    Field("reason", .string, "The reason for the status, unless it is enabled.") { $0.reason },
    Field("resolution") { $0.resolution },
    Field(
      "send",
      .array(
        of: .one(of: "glucose.history", "glucose.trend", "sensor", "raw", "statistics", "finger_sticks", "imported"))
    ) {
      $0.setup.map { $0.parts.map(\.rawValue).sorted() } ?? []
    },
    Field("calibration", .string, "The calibration of the values that it gets.") { $0.setup?.calibration.name },
    Field("backfill_days", .count) { $0.setup?.backfillDays },
    Field("secret_from", .string, "The place of the secret; never the secret itself.") { $0.secretOrigin },
    Field("enrolled_at", .time) { $0.stored?.enrolledAt.rfc3339 },
    Field("sends_from", .time) { $0.stored?.sendsFrom.rfc3339 },
    Field("pending", .count) { $0.stored?.queued },
    Field("oldest_pending_at", .time) { $0.stored?.oldestQueuedAt?.rfc3339 },
    Field("dead", .count) { $0.stored?.parked },
    Field("failures", .count, "Number of failures since the last success.") { $0.stored?.failures },
    Field("retry_at", .time) { $0.stored?.retry?.at.rfc3339 },
    Field("last_success_at", .time) { $0.stored?.lastSuccessAt?.rfc3339 },
    Field("last_error") { $0.stored?.lastError },
    Field(writing: "told", .object(ofAny: .string)) { sink, json in
      json.object { json in
        for (key, value) in (sink.stored?.memory ?? [:]).sorted(by: { $0.key < $1.key }) { json.member(key, value) }
      }
    },
  ]
}
