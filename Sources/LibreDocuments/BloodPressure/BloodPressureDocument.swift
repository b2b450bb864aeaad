// SPDX-License-Identifier: Apache-2.0
import HistoryFormats
import TextFormats

/// `libre.blood_pressure/1`, which HistoryFormats writes.
package enum BloodPressureDocument {
  package static let document = SchemaDocument(
    "blood_pressure", summary: "one blood pressure of a cuff (libre export --format ndjson)",
    description: "One measurement of blood pressure by a Bluetooth cuff. Not for treatment decisions.",
    rules: .object(BloodPressureJSON.Member.allCases.map(member)))

  private static func member(_ member: BloodPressureJSON.Member) -> JSONSchema.Member {
    let name = member.rawValue
    return switch member {
    case .schema: .init(name, .const(.quoted(BloodPressureJSON.schema)))
    case .id: .init(name, .sampleID.orNull)
    case .referenceID: SampleDocument.person
    case .time: .init(name, .time)
    case .systolicMillimetres, .diastolicMillimetres, .systolic, .diastolic: .init(name, .number)
    case .meanMillimetres:
      .init(name, .number.orNull, "Mean arterial pressure; null if the cuff does not measure it.")
    case .pulse, .mean: .init(name, .number.orNull)
    case .user: .init(name, .integer.from(0, to: 255).orNull, "The number of the user on the cuff, from 0.")
    case .conditions:
      .init(name, .array(of: .string.matching("^[a-z_]+$")), "What the cuff reported, such as irregular_pulse.")
    case .unit:
      .init(name, .one(of: "mmHg", "kPa"), "The unit that the cuff sent, of the three members that follow.")
    case .source: .init(name, .string.orNull, "The name of the cuff.")
    }
  }
}
