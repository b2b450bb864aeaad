// SPDX-License-Identifier: Apache-2.0
import LibreKit
import SampleStore
import SampleSync
import TextFormats

package enum SinksJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "sinks", summary: "the sinks with their status",
    description: "The sinks that are set up or enrolled (have an outbox in the store), with their status.",
    fields.members)

  package static let fields: Fields<[SinkView]> = [Field("sinks", array: sink) { $0 }]

  static let sink: Fields<SinkView> = [
    Field("name") { $0.name },
    Field("type", .string, "Null if the configuration does not contain it.") { $0.setup?.type.name },
    Field("destination") { $0.destination },
    Field("status", .one(of: Availability.self)) { $0.availability.rawValue },
    Field("status_code", .one(of: 0, 1, 2, 3)) { $0.availability.code },
    Field("reason", .string, "The reason for the status, unless it is enabled.") { $0.reason },
    Field("resolution") { $0.resolution },
    Field("send", .array(of: .one(of: SampleBatch.Part.self))) {
      $0.setup.map { $0.parts.map(\.rawValue).sorted() } ?? []
    },
    Field("calibration", .string, "The calibration of the values that it gets.") { $0.setup?.calibration.name },
    Field("backfill_days", .count) { $0.setup?.backfillDays },
    Field("interval_minutes", .count, "Least time between two runs; 0 for none.") { $0.setup?.intervalMinutes },
    Field("secret_from", .string, "The place of the secret; never the secret itself.") { $0.secretOrigin },
    Field("enrolled_at") { $0.stored?.enrolledAt },
    Field("sends_from") { $0.stored?.sendsFrom },
    Field("pending", .count) { $0.stored?.queued },
    Field("oldest_pending_at") { $0.stored?.oldestQueuedAt },
    Field("dead", .count) { $0.stored?.parked },
    Field("failures", .count, "Number of failures since the last success.") { $0.stored?.failures },
    Field("retry_at", .time, "The next attempt, after a failure or by the interval; null for at once.") { $0.next?.at },
    Field("last_success_at") { $0.stored?.lastSuccessAt },
    Field("last_error") { $0.stored?.lastError },
    Field(writing: "told", .object(ofAny: .string)) { sink, json in
      json.object { json in
        for (key, value) in (sink.stored?.memory ?? [:]).sorted(by: { $0.key < $1.key }) { json.member(key, value) }
      }
    },
    Field("runs", "The last runs, newest first: at most \(SensorStore.keptRuns).", array: run) { $0.runs },
  ]

  private static let run: Fields<StoredRun> = [
    Field("at", .time, "The time at which it began.") { $0.at },
    Field("outcome", .one(of: SyncResult.self)) { $0.outcome },
    Field("accepted", .count) { $0.accepted },
    Field("removed", .count, "Number of samples deleted at the receiver.") { $0.removed },
    Field("dead", .count, "Number of samples that were parked.") { $0.parked },
    Field("pending", .count, "Null if the run was ended from outside.") { $0.queued },
    Field("reason", .string, "The last failure in words.") { $0.reason },
  ]
}
