// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// `libre.batch/1`, which SampleSync writes.
enum BatchDocument {
  static let document = SchemaDocument(
    "batch", summary: "the body that a webhook receives",
    description:
      "The body that a webhook receives, oldest first: samples of one wear of one sensor, or imported values and finger-sticks. Not for treatment decisions.",
    [
      .init(
        "key", .string.matching("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"),
        "The Idempotency-Key: unchanged if the batch is sent again."),
      .init(
        "stage", .one(of: "historical", "daily"),
        "Samples from before the sink was set up (historical), or later ones (daily)."),
      .init("tool", .string),
      .optional("user", .string, "Present if the sink's setting user is set."),
      .init(
        "sensor", sensor.orNull,
        "Null for imported values and finger-sticks. The members from uid on are present if the sink gets the part sensor."
      ),
      .init(
        "samples", .array(of: .words([("oneOf", .list([.reference("sample"), basicSample]))])),
        "Samples of a sensor are libre.sample/1 if the sink gets the part raw, else only the members listed here. Others are always libre.sample/1."
      ),
      .optional(
        "current", current.orNull,
        "The current value, if it is among the samples; present if the sink gets the part glucose.trend."),
      .optional(
        "statistics", statistics,
        "Statistics of the history values among the samples, with the names of libre.stats/1; present if the sink gets the part statistics."
      ),
    ], isClosed: true, parts: [("sample", SampleDocument.sample)])

  private static let sensor = JSONSchema.object([
    .init("serial", .string.orNull),
    .init("family", .string),
    .init("product", .string.orNull),
    .init("wear", .ordinal),
    .optional("uid", .uid.orNull),
    .optional("state", .state.orNull),
    .optional("activated_at", .time),
    .optional("expires_at", .time),
    .optional("last_read_at", .time),
  ]).with("additionalProperties", .text("false"))

  private static let basicSample = JSONSchema.object([
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
