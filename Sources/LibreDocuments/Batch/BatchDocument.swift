// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// `libre.batch/1`, which SampleSinks writes.
enum BatchDocument {
  static let document = SchemaDocument(
    "batch", summary: "what a webhook gets",
    description:
      "What a webhook gets, oldest first: samples of one wear of one sensor, or imported values and finger-sticks. Not for treatment decisions.",
    [
      .init(
        "key",
        .string.matching("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$").described(
          "The same whenever the batch is sent again: the Idempotency-Key.")),
      .init(
        "stage",
        .one(of: "historical", "daily").described("Samples from before the sink was set up, or later ones.")),
      .init("tool", .string),
      .optional("user", .string.described("Present if the sink's setting user is.")),
      .init(
        "sensor",
        sensor.orNull.described(
          "Null for imported values and finger-sticks. From uid on: present if the sink is sent the part sensor.")),
      .init(
        "samples",
        .array(of: .words([("oneOf", .list([.reference("sample"), fewFacts]))])).described(
          "A sensor's: libre.sample/1 if the sink is sent the part raw, else its first facts. Others are always libre.sample/1."
        )),
      .optional(
        "current",
        current.orNull.described(
          "The value of now, if it is among the samples; present if the sink is sent the part glucose.trend.")),
      .optional(
        "statistics",
        statistics.described(
          "Of the history values among the samples, with the names of libre.stats/1; present if the sink is sent the part statistics."
        )),
    ], isClosed: true, parts: [("sample", SampleDocument.sample)])

  private static let sensor = JSONSchema.object([
    .init("serial", .string.orNull),
    .init("family", .string),
    .init("wear", .ordinal),
    .optional("uid", .uid.orNull),
    .optional("state", .state.orNull),
    .optional("activated_at", .time),
    .optional("expires_at", .time),
    .optional("last_read_at", .time),
  ]).with("additionalProperties", .text("false"))

  private static let fewFacts = JSONSchema.object([
    .init("id", .string),
    .init("ring", .measuredRing),
    .init("minute", .ordinal),
    .init("time", .time),
    .init("glucose_mg_dl", .number),
  ]).with("additionalProperties", .text("false"))

  private static let current = JSONSchema.object([
    .init("minute", .ordinal),
    .init("glucose_mg_dl", .number.orNull),
    .init("rate_mg_dl_per_min", .number.orNull),
    .init("direction", .string),
  ])

  private static let statistics = JSONSchema.object([
    .init("values", .count),
    .init("expected", .count.orNull),
  ]).with("additionalProperties", .number.orNull)
}
