// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// The document `libre.blood_pressure/1` (LibreDocuments/Contract, "Other documents"): one measurement of a cuff with all
/// facts. Numbers are in `unit`, as sent; those with `_mmhg` in their names are in mmHg.
package enum BloodPressureJSON {
  package static let schema = "libre.blood_pressure/1"
  /// The name of this kind of entry in tables and topics.
  package static let kind = "blood_pressure"

  /// The members in their order, for all that writes, reads or describes them.
  package enum Member: String, CaseIterable, Sendable {
    case schema, id
    case referenceID = "reference_id"
    case time
    case systolicMillimetres = "systolic_mmhg"
    case diastolicMillimetres = "diastolic_mmhg"
    case meanMillimetres = "mean_mmhg"
    case pulse = "pulse_per_minute"
    case user, conditions, unit, systolic, diastolic, mean, source
  }

  package static func write(_ pressure: BloodPressure, person: String? = nil, to writer: inout JSONWriter) {
    writer.object { json in
      for member in Member.allCases where member != .referenceID || person != nil {
        json.member(member.rawValue) { json in
          switch member {
          case .schema: json.string(schema)
          case .id: json.value(pressure.id)
          case .referenceID: json.value(person)
          case .time: json.value(pressure.time)
          case .systolicMillimetres: json.value(pressure.systolicMillimetresOfMercury, places: 4)
          case .diastolicMillimetres: json.value(pressure.diastolicMillimetresOfMercury, places: 4)
          case .meanMillimetres: json.value(pressure.meanMillimetresOfMercury, places: 4)
          case .pulse: json.value(pressure.pulse, places: 4)
          case .user: json.value(pressure.user)
          case .conditions: json.value(pressure.conditions)
          case .unit: json.string(pressure.unit.rawValue)
          case .systolic: json.value(pressure.systolic, places: 4)
          case .diastolic: json.value(pressure.diastolic, places: 4)
          case .mean: json.value(pressure.mean, places: 4)
          case .source: json.value(pressure.source)
          }
        }
      }
    }
  }
}
