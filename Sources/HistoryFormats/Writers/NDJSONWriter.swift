// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Libre's own format: one `libre.sample/1` on each line, with all facts, or `libre.blood_pressure/1` for a blood pressure.
package struct NDJSONWriter: HistoryWriter {
  package let name = "ndjson"
  package let summary = "every entry with all facts, one JSON object a line (libre.sample/1)"

  package init() {}

  package func document(_ context: ExportContext) -> any HistoryDocument {
    return RecordDocument { entry in
      var json = JSONWriter(indented: false)
      SampleJSON.write(entry, unit: context.unit, person: context.person, to: &json)
      return json.bytes + [0x0A]
    }
  }
}
