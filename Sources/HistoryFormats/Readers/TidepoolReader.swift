// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Tidepool's data from its API or its export: an array, or a sequence of records of all types (HistoryFormats/Formats,
/// "tidepool").
struct TidepoolReader: HistoryReader {
  let name = "tidepool"
  let summary = "Tidepool's JSON: type cbg or smbg, time, value, units"

  private static let trendInterval = 60_000.0

  func hasSignature(_ file: any HistoryFile) -> Bool {
    let head = file.head
    return head.looksLikeJSONObjects && head.contains(text: "\"type\"")
      && ["\"cbg\"", "\"smbg\"", "\"deviceTime\"", "\"uploadId\""].contains { head.contains(text: $0) }
  }

  @discardableResult func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: "JSON objects of the type cbg or smbg") }
    var facts = HistoryFacts()
    var passedOver: [String: Int] = [:]
    try file.forEachObject(Record.self, refused: &facts.refused) { (record, object) throws(HistoryError) in
      guard let found = record.glucose else { return }
      guard let unit = GlucoseUnit.allCases.first(where: { $0.rawValue.lowercased() == found.units.lowercased() })
      else { throw .badField(line: object.line, name: "units", value: SafeText.quoted(found.units)) }
      guard let number = found.value else { return passedOver[PassedOver.absent, default: 0] += 1 }
      let shown = try ShownGlucose.read(
        number, options.unit(unit), milligrams: ShownGlucose.preciseMilligrams, line: object.line, name: "value")
      guard let time = Instant(rfc3339: found.time) else {
        throw .badField(line: object.line, name: "time", value: SafeText.quoted(found.time))
      }
      let annotation = found.annotations?.first { $0.bound != nil }
      let concentration = annotation?.limit ?? shown.concentration
      let glucose = ShownGlucose(concentration: concentration, bound: annotation?.bound)
      if record.type == Record.continuous {
        let ring: SampleRing = found.sampleInterval == Self.trendInterval ? .trend : .history
        try entry(imported(glucose, at: time, ring: ring, device: found.deviceId))
      } else if glucose.bound != nil {
        passedOver[PassedOver.fingerSticksOutOfRange, default: 0] += 1
      } else {
        try entry(fingerStick(glucose, at: time))
      }
    }
    facts.passedOver = passedOver
    return facts
  }
}

private struct Record: Decodable {
  static let (continuous, selfMonitored) = ("cbg", "smbg")

  let type: String
  /// The glucose members; nil for a record of another type, which may use the same names for other members.
  let glucose: Glucose?

  private enum Keys: CodingKey { case type }

  init(from decoder: any Decoder) throws {
    type = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .type)
    glucose = type == Self.continuous || type == Self.selfMonitored ? try Glucose(from: decoder) : nil
  }
}

private struct Glucose: Decodable {
  let time: String
  let value: Double?
  let units: String
  let deviceId: String?
  let sampleInterval: Double?
  let annotations: [Annotation]?
}

private struct Annotation: Decodable {
  /// The bound; nil for an annotation of another kind.
  let bound: ImportedSample.Bound?
  /// The limit of the device; nil if the annotation does not say it. The record's value lies beyond it.
  let limit: GlucoseConcentration?

  private enum Keys: CodingKey { case code, value, threshold }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Keys.self)
    guard try members.decode(String.self, forKey: .code) == "bg/out-of-range" else {
      (bound, limit) = (nil, nil)
      return
    }
    bound = ImportedSample.Bound(rawValue: try members.decode(String.self, forKey: .value))
    // The threshold is in mg/dL, whatever the unit of the record. A smaller number is from a program that writes mmol/L.
    let threshold = try members.decodeIfPresent(Double.self, forKey: .threshold)
    limit = threshold.flatMap {
      $0 < UnitEvidence.limit ? nil : ShownGlucose($0, .milligramsPerDecilitre)?.concentration
    }
    if bound == nil {
      throw DecodingError.dataCorruptedError(forKey: .value, in: members, debugDescription: "neither low nor high")
    }
  }
}
