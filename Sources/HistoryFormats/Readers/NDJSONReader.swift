// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// Libre's own format: one `libre.sample/1` on each line, or an array of them. Import restores all facts about an
/// entry.
///
/// | member | becomes |
/// |---|---|
/// | `ring` `finger_stick` | a finger-stick |
/// | `raw` | a sensor's sample, of the sensor with this `uid`, or else this `fingerprint` |
/// | neither | an imported value of this `source` |
///
/// A line of the schema `libre.blood_pressure/1` becomes a blood pressure.
///
/// A line that is invalid, or contradicts itself, is refused.
///
/// Source: LibreDocuments/Contract, "Sample" and "Other documents".
package struct NDJSONReader: HistoryReader {
  package init() {}

  package let name = "ndjson"
  package let summary = "libre's own export, one JSON object a line (libre.sample/1)"

  static let schema = SampleJSON.schema

  package func hasSignature(_ file: any HistoryFile) -> Bool {
    let head = file.head
    return head.looksLikeJSONObjects
      && [Self.schema, BloodPressureJSON.schema].contains { head.contains(text: "\"\($0)\"") }
  }

  @discardableResult package func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: "objects of the schema \(Self.schema)") }
    var facts = HistoryFacts()
    // What consecutive records usually have in common is read once.
    var shared = SharedParts()
    try file.forEachObject(
      Record.self, refused: &facts.refused, plain: { SampleRecord($0, &shared).map(Record.sample) }
    ) { (record, object) throws(HistoryError) in
      try entry(try record.entry(object, &shared))
    }
    return facts
  }

  /// One object of a file, by its schema.
  private enum Record: Decodable {
    case sample(SampleRecord)
    case bloodPressure(BloodPressureRecord)

    private enum CodingKeys: CodingKey { case schema }

    init(from decoder: any Decoder) throws {
      let schema = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .schema)
      self =
        if schema == BloodPressureJSON.schema {
          .bloodPressure(try BloodPressureRecord(from: decoder))
        } else {
          .sample(try SampleRecord(from: decoder))
        }
    }

    func entry(_ object: JSONObjects.Object, _ shared: inout SharedParts) throws(HistoryError) -> HistoryEntry {
      switch self {
      case .sample(let record): try record.entry(object, &shared)
      case .bloodPressure(let record): .bloodPressure(try record.entry(RecordFields(line: object.line)))
      }
    }
  }
}
