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

  package func hasSignature(_ file: any HistoryFile) -> Bool {
    let head = file.head
    return head.looksLikeJSONObjects
      && [SampleJSON.schema, BloodPressureJSON.schema].contains { head.contains(text: "\"\($0)\"") }
  }

  @discardableResult package func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: "objects of the schema \(SampleJSON.schema)") }
    var facts = HistoryFacts()
    // What consecutive records usually have in common is read once.
    var shared = SharedParts()
    try file.forEachObject(refused: &facts.refused) { (object) throws(HistoryError) in
      try entry(try Self.entry(object, &shared))
    }
    return facts
  }

  private static func entry(
    _ object: JSONObjects.Object, _ shared: inout SharedParts
  ) throws(HistoryError) -> HistoryEntry {
    let fields = LineFields(line: object.line)
    func read(_ members: (inout JSONCursor) -> Bool) throws(HistoryError) -> String? {
      var json = JSONCursor(object.text)
      guard members(&json), json.isAtEnd else { throw HistoryError(.notJSON(""), line: object.line) }
      return json.wrongMember
    }
    var sample = SampleRecord()
    var wrong = try read { sample.read(&$0, &shared) }
    guard sample.schema == BloodPressureJSON.schema else {
      if let wrong { throw HistoryError(.badField(wrong), line: object.line) }
      return try sample.entry(fields, &shared)
    }
    var pressure = BloodPressureMembers()
    wrong = try read { pressure.read(&$0) }
    if let wrong { throw HistoryError(.badField(wrong), line: object.line) }
    return .bloodPressure(try pressure.entry(fields))
  }
}
