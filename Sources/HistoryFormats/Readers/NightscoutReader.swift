// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Nightscout's entries from its API or `mongoexport`: an array, or a sequence of objects (HistoryFormats/Formats,
/// "nightscout").
struct NightscoutReader: HistoryReader {
  let name = "nightscout"
  let summary = "Nightscout's entries as JSON: type sgv or mbg, date"

  /// The earliest `date` accepted, 2000-01-01, as by Nightscout itself; seconds instead of milliseconds are far below.
  private static let firstMillisecond = 946_684_800_000.0
  private static let errorCodes = 0.0..<39.0

  private struct Entry: Decodable {
    let type: String?
    let sgv: Double?
    let mbg: Double?
    let date: Double?
    let device: String?
    let units: String?
  }

  func hasSignature(_ file: any HistoryFile) -> Bool {
    let head = file.head
    return head.looksLikeJSONObjects && head.contains(text: "\"date\"")
      && (head.contains(text: "\"sgv\"") || head.contains(text: "\"mbg\""))
  }

  @discardableResult func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: "JSON objects with sgv or mbg, and date") }
    var facts = HistoryFacts()
    var passedOver: [String: Int] = [:]
    try file.forEachObject(Entry.self, refused: &facts.refused) { (found, object) throws(HistoryError) in
      guard let type = found.type ?? (found.sgv != nil ? "sgv" : found.mbg != nil ? "mbg" : nil) else {
        throw .badField(line: object.line, name: "type", value: "missing")
      }
      guard type == "sgv" || type == "mbg" else { return }
      guard let value = type == "sgv" ? found.sgv : found.mbg else {
        return passedOver[PassedOver.absent, default: 0] += 1
      }
      let unit = options.unit(try unit(found.units, line: object.line))
      if type == "sgv", unit == .milligramsPerDecilitre, Self.errorCodes.contains(value), value.rounded() == value {
        return passedOver[PassedOver.errorCodes, default: 0] += 1
      }
      let glucose = try ShownGlucose.read(
        value, unit, milligrams: ShownGlucose.preciseMilligrams, line: object.line, name: type)
      let time = try time(found.date, line: object.line)
      try entry(type == "sgv" ? imported(glucose, at: time, device: found.device) : fingerStick(glucose, at: time))
    }
    facts.passedOver = passedOver
    return facts
  }

  private func unit(_ text: String?, line: Int) throws(HistoryError) -> GlucoseUnit {
    switch text?.lowercased() {
    case nil, "mg", "mg/dl": return .milligramsPerDecilitre
    case "mmol", "mmol/l": return .millimolesPerLitre
    case let other?: throw .badField(line: line, name: "units", value: SafeText.quoted(other))
    }
  }

  private func time(_ milliseconds: Double?, line: Int) throws(HistoryError) -> Instant {
    let latest = Double(Instant.writable.upperBound.secondsSince1970) * 1_000
    guard let milliseconds, (Self.firstMillisecond...latest).contains(milliseconds) else {
      throw .badField(line: line, name: "date", value: milliseconds.map { "\($0)" } ?? "missing")
    }
    return Instant(secondsSince1970: Int64(Int(saturating: (milliseconds / 1_000).rounded(.down))))
  }
}
