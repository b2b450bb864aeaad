// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit

/// `libre.sample/1`, which HistoryFormats writes, and samples in other documents.
public enum SampleDocument {
  public static let document = SchemaDocument(
    "sample", summary: "one entry of a history (libre history --ndjson, libre export --format ndjson)",
    description:
      "One entry of a history: a sensor's sample, an imported value, or a finger-stick. Not for treatment decisions.",
    rules: .reference("sample"), parts: [("sample", sample)])

  /// The definition that documents with samples refer to.
  static let sample = JSONSchema.object([

    .init("schema", .const(.quoted("libre.sample/1"))),
    .init("id", .sampleID.orNull),
    .optional("reference_id", .string.described("The user's own name for the person, where it is set.")),
    .init("uid", .uid.orNull),
    .init("serial", .string.orNull),
    .init("wear", .ordinal.orNull),
    .init("ring", .ring),
    .init(
      "minute",
      .ordinal.orNull.described("Minutes since the sensor was started; null for what no sensor of libre's measured.")),
    .init("time", .time),
    .init("raw", counts.schema.orNull),
    .init("quality", quality),
    .init("errors", .array(of: .string.matching("^[a-z_]+$")).with("uniqueItems", .text("true"))),
    .init("temperature_c", .number.orNull),
    .init("glucose_mg_dl", usable),
    .optional("glucose_mmol_l", .number.orNull),
    .init(
      "model_glucose_mg_dl",
      .number.orNull.described(
        "The number that the calibration model gave, whatever the quality; null for what no sensor measured.")),
    .optional("model_glucose_mmol_l", .number.orNull),
    .optional("calibration", calibration()),
    .optional("family", .string),
    .optional("fingerprint", .fingerprint.orNull),
    .optional("salvaged", .const(.text("true"))),
    .optional(
      "source", .string.orNull.described("The program or format that an entry was imported from.")),
    .optional("device", .string.orNull),
    .optional(
      "bound", .one(of: "low", "high").orNull.described("The true value is lower, or higher.")),
    .optional("note", .string.orNull),
  ]).with(
    "oneOf",
    .list([
      form(["calibration", "family", "fingerprint"], "minute", .integer),
      form(["source", "device", "bound"], "minute", .type("null")),
      form(["source", "note"], "ring", .const(.quoted("finger_stick"))),
    ]))

  /// What tells a sensor's sample, an imported value and a finger-stick apart.
  private static func form(_ required: [String], _ member: String, _ schema: JSONSchema) -> JSONSchema {
    .words([("required", .list(required.map(JSONSchema.quoted))), ("properties", .words([(member, schema)]))])
  }

  /// A sample in `libre.reading/1`.
  static let measured = JSONSchema.object([
    .init("id", .words([("oneOf", .list([.sampleID, .type("null")]))])),
    .init("ring", .measuredRing),
    .init("minute", .ordinal.described("Minutes since the sensor was started, from the stored ring index.")),
    .init("time", .time),
    .init("raw", counts.schema),
    .init("quality", quality),
    .init("errors", .array(of: errors).with("uniqueItems", .text("true"))),
    .init("temperature_c", .number.orNull),
    .init("glucose_mg_dl", usable),
    .optional("glucose_mmol_l", .number.orNull),
    .init(
      "model_glucose_mg_dl",
      .number.orNull.described("The unrounded number of the calibration model, whatever the quality.")),
    .optional("model_glucose_mmol_l", .number.orNull),
  ])

  /// A record's fields, in the widths that they have there.
  static let counts: Fields<RawSample> = [
    Field("glucose", .integer.from(0, to: 16383)) { Int($0.glucose) },
    Field("temperature", .integer.from(0, to: 16380)) { Int($0.temperature) },
    Field("temperature_adjustment", .integer.from(-2044, to: 2044)) { Int($0.temperatureAdjustment) },
    Field("has_error") { $0.hasError },
    Field("error_field", .integer.from(0, to: 2047)) { Int($0.errorField) },
  ]

  /// The model that made a value, with its numbers.
  static func calibration(provenance: [JSONSchema.Member] = []) -> JSONSchema {
    .object(
      [.init("model", .string), .init("version", .ordinal)] + provenance + [
        .optional(
          "series", .one(of: "scan", "store").described("What a model that needs neighbours had."))
      ]
    ).orNull.with("additionalProperties", .number)
  }

  private static let quality = JSONSchema.one(
    of: "ok", "error", "never_written", "low_signal", "temperature", "warm_up")
  private static let errors = JSONSchema.one(
    of: "fifo_overflow", "filter_delta", "work_voltage", "peak_delta", "average_delta", "rf_interference",
    "reference_resistance", "signal_saturated", "signal_low")
  private static let usable = JSONSchema.number.orNull.described(
    "What may be used as glucose: null unless quality is ok.")
}
