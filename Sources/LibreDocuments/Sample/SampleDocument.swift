// SPDX-License-Identifier: Apache-2.0
import HistoryFormats
import LibreKit
import TextFormats

/// `libre.sample/1`, which HistoryFormats writes; also the samples in other documents.
package enum SampleDocument {
  package static let document = SchemaDocument(
    "sample", summary: "one entry of a history (libre history --ndjson, libre export --format ndjson)",
    description:
      "One entry of a history: a sensor's sample, an imported value, or a finger-stick. Not for treatment decisions.",
    rules: .reference("sample"), parts: [("sample", sample)])

  static let sample = JSONSchema.object(SampleJSON.Member.allCases.map(member)).with(
    "oneOf",
    .list([
      form(["calibration", "family", "fingerprint"], "minute", .integer),
      form(["source", "device", "bound"], "minute", .type("null")),
      form(["source", "note"], "ring", .const(.quoted("finger_stick"))),
    ]))

  private static func member(_ member: SampleJSON.Member) -> JSONSchema.Member {
    let name = member.rawValue
    return switch member {
    case .schema: .init(name, .const(.quoted(SampleJSON.schema)))
    case .id: .init(name, .sampleID.orNull)
    case .referenceID: person
    case .uid: .init(name, .uid.orNull)
    case .serial: .init(name, .string.orNull)
    case .wear: .init(name, .ordinal.orNull)
    case .ring: .init(name, .ring)
    case .minute:
      .init(
        name, .ordinal.orNull,
        "Minutes since the sensor was started; null for entries that libre did not read from a sensor.")
    case .time: .init(name, .time)
    case .raw: .init(name, counts.schema.orNull)
    case .quality: .init(name, quality)
    case .errors: .init(name, .array(of: .string.matching("^[a-z_]+$")).with("uniqueItems", .text("true")))
    case .temperature: .init(name, .number.orNull)
    case .glucose: .init(name, usable)
    case .glucoseInMillimoles, .modelGlucoseInMillimoles: .optional(name, .number.orNull)
    case .modelGlucose:
      .init(
        name, .number.orNull,
        "The result of the calibration model, whatever the quality; null for entries that libre did not read from a sensor."
      )
    case .calibration: .optional(name, calibration())
    case .family: .optional(name, .string)
    case .fingerprint: .optional(name, .fingerprint.orNull)
    case .salvaged: .optional(name, .const(.text("true")))
    case .supersededBy:
      .optional(
        name, .uid.orNull,
        "Only in libre history, for a value that does not count because another sensor was worn at the same time: the UID of the sensor that counts, null if it is unknown."
      )
    case .source: .optional(name, .string.orNull, "The program or format that an entry was imported from.")
    case .device, .note: .optional(name, .string.orNull)
    case .bound:
      .optional(
        name, .one(of: ImportedSample.Bound.self).orNull, "low if the true value is lower, high if it is higher.")
    }
  }

  static let person = JSONSchema.Member.optional(
    SampleJSON.referenceID, .string, "The user's own name for the person, if it is set.")

  /// The members that distinguish a sensor's sample, an imported value and a finger-stick.
  private static func form(_ required: [String], _ member: String, _ schema: JSONSchema) -> JSONSchema {
    .words([("required", .list(required.map(JSONSchema.quoted))), ("properties", .words([(member, schema)]))])
  }

  /// A sample in `libre.reading/1`.
  static let measured = JSONSchema.object([
    .init("id", .words([("oneOf", .list([.sampleID, .type("null")]))])),
    .init("ring", .measuredRing),
    .init("minute", .ordinal, "Minutes since the sensor was started, from the stored ring index."),
    .init("time", .time),
    .init("raw", counts.schema),
    .init("quality", quality),
    .init("errors", .array(of: errors).with("uniqueItems", .text("true"))),
    .init("temperature_c", .number.orNull),
    .init("glucose_mg_dl", usable),
    .optional("glucose_mmol_l", .number.orNull),
    .init(
      "model_glucose_mg_dl", .number.orNull, "The unrounded result of the calibration model, whatever the quality."),
    .optional("model_glucose_mmol_l", .number.orNull),
  ])

  /// The fields of a raw sample, with their ranges in the sensor's memory.
  static let counts: Fields<RawSample> = [
    Field(SampleJSON.RawMember.glucose.rawValue, .integer.from(0, to: 16383)) { Int($0.glucose) },
    Field(SampleJSON.RawMember.temperature.rawValue, .integer.from(0, to: 16380)) { Int($0.temperature) },
    Field(SampleJSON.RawMember.adjustment.rawValue, .integer.from(-2044, to: 2044)) { Int($0.temperatureAdjustment) },
    Field(SampleJSON.RawMember.hasError.rawValue) { $0.hasError },
    Field(SampleJSON.RawMember.errorField.rawValue, .integer.from(0, to: 2047)) { $0.errorField.map(Int.init) },
  ]

  static func calibration(provenance: [JSONSchema.Member] = []) -> JSONSchema {
    .object(
      [.init("model", .string), .init("version", .ordinal)] + provenance + [
        .optional(
          "series", .one(of: CalibrationBasis.self), "The samples that a model with neighbouring samples used."),
        .optional(
          "software", .string,
          "The software, with its versions, whose values the model gives; absent if it follows none."),
      ]
    ).orNull.with("additionalProperties", .number)
  }

  private static let quality = JSONSchema.one(of: SampleQuality.self)
  private static let errors = JSONSchema.one(of: MeasurementError.allNames)
  private static let usable = JSONSchema.number.orNull.described("The usable glucose value; null unless quality is ok.")
}
