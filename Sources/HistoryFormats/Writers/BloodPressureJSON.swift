// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// The document `libre.blood_pressure/1` (LibreDocuments/Contract, "Other documents"): one measurement of a cuff with all
/// facts. Numbers are in `unit`, as sent; those with `_mmhg` in their names are in mmHg.
package enum BloodPressureJSON {
  package static let schema = "libre.blood_pressure/1"
  /// The name of this kind of entry in tables and topics.
  package static let kind = "blood_pressure"

  package static func write(_ pressure: BloodPressure, person: String? = nil, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", schema)
      json.member("id", pressure.id?.description)
      json.memberIfKnown(SampleJSON.referenceID, person)
      json.member("time", pressure.time.rfc3339)
      json.member("systolic_mmhg", pressure.systolicMillimetresOfMercury, places: 4)
      json.member("diastolic_mmhg", pressure.diastolicMillimetresOfMercury, places: 4)
      json.member("mean_mmhg", pressure.meanMillimetresOfMercury, places: 4)
      json.member("pulse_per_minute", pressure.pulse, places: 4)
      json.member("user", pressure.user)
      json.member("conditions", pressure.conditions)
      json.member("unit", pressure.unit.rawValue)
      json.member("systolic", pressure.systolic, places: 4)
      json.member("diastolic", pressure.diastolic, places: 4)
      json.member("mean", pressure.mean, places: 4)
      json.member("source", pressure.source)
    }
  }
}
