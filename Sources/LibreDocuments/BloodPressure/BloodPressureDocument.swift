// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// `libre.blood_pressure/1`, which HistoryFormats writes.
package enum BloodPressureDocument {
  package static let document = SchemaDocument(
    "blood_pressure", summary: "one blood pressure of a cuff (libre export --format ndjson)",
    description: "One measurement of blood pressure by a Bluetooth cuff. Not for treatment decisions.",
    rules: JSONSchema.object([
      .init("schema", .const(.quoted("libre.blood_pressure/1"))),
      .init("id", .sampleID.orNull),
      .optional("reference_id", .string.described("The user's own name for the person, if it is set.")),
      .init("time", .time),
      .init("systolic_mmhg", .number),
      .init("diastolic_mmhg", .number),
      .init("mean_mmhg", .number.orNull.described("Mean arterial pressure; null if the cuff does not measure it.")),
      .init("pulse_per_minute", .number.orNull),
      .init("user", .integer.from(0, to: 255).orNull.described("The number of the user on the cuff, from 0.")),
      .init(
        "conditions",
        .array(of: .string.matching("^[a-z_]+$")).described("What the cuff reported, such as irregular_pulse.")),
      .init(
        "unit", .one(of: "mmHg", "kPa").described("The unit that the cuff sent, of the three members that follow.")),
      .init("systolic", .number),
      .init("diastolic", .number),
      .init("mean", .number.orNull),
      .init("source", .string.orNull.described("The name of the cuff.")),
    ]))
}
