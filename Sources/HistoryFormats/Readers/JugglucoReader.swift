// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The tables that Juggluco exports for the history, scans and the stream, separated by tabs, without quotes
/// (HistoryFormats/Formats, "juggluco").
struct JugglucoReader: HistoryReader {
  let name = "juggluco"
  let summary = "Juggluco's TSV: Sensorid, nr, UnixTime, …, mg/dL or mmol/L"

  private static let signature = "the columns Sensorid, nr and UnixTime"
  private static let milligrams = 18.0

  private struct Columns: TableColumns {
    let sensor: Int
    let time: Int
    let glucose: Int
    let unit: GlucoseUnit
    let ring: SampleRing

    var last: Int { max(sensor, time, glucose) }
  }

  func hasSignature(_ file: any HistoryFile) -> Bool {
    file.head.contains(text: "Sensorid\tnr\tUnixTime\t")
  }

  @discardableResult func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: Self.signature) }
    let table = CSVTable(separator: UInt8(ascii: "\t"), hasQuotes: false, lacks: Self.signature)
    var facts = HistoryFacts()
    var passedOver: [String: Int] = [:]
    try table.forEachRow(of: file, header: columns, refused: &facts.refused) { (columns, row) throws(HistoryError) in
      let (seconds, glucose) = (row[columns.time], row[columns.glucose])
      guard let time = Int64(seconds).map(Instant.init(secondsSince1970:)), time >= .firstSensor,
        time <= Instant.writable.upperBound
      else { throw .badField(line: row.line, name: "UnixTime", value: SafeText.quoted(seconds)) }
      guard
        let shown = try ShownGlucose.read(
          glucose, options.unit(columns.unit), milligrams: Self.milligrams, line: row.line, name: columns.unit.rawValue)
      else { return passedOver[PassedOver.absent, default: 0] += 1 }
      try entry(imported(shown, at: time, ring: columns.ring, device: row[columns.sensor]))
    }
    facts.passedOver = passedOver
    return facts
  }

  private func columns(_ header: CSVColumns) throws(HistoryError) -> Columns? {
    guard let sensor = header.firstIndex(of: ["Sensorid"]), let time = header.firstIndex(of: ["UnixTime"]) else {
      return nil
    }
    let ring: SampleRing = header.firstIndex(of: ["Rate"]) == nil ? .history : .trend
    for (name, unit) in [
      ("mg/dL", GlucoseUnit.milligramsPerDecilitre), ("both", .milligramsPerDecilitre), ("mmol/L", .millimolesPerLitre),
    ] {
      if let glucose = header.firstIndex(of: [name]) {
        return Columns(sensor: sensor, time: time, glucose: glucose, unit: unit, ring: ring)
      }
    }
    throw .columnMissing("mg/dL")
  }
}
