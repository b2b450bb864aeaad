// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The table that Dexcom Clarity offers for download: every event of a receiver, with columns found by name
/// (HistoryFormats/Formats, "clarity").
struct ClarityReader: HistoryReader {
  let name = "clarity"
  let summary = "Dexcom Clarity's CSV: Timestamp, Event Type, Glucose Value"

  private static let time = "Timestamp (YYYY-MM-DDThh:mm:ss)"
  private static let signature = "the columns Timestamp and Event Type"
  private static let limits = 40.0...400.0

  private struct Columns: TableColumns {
    let time: Int
    let event: Int
    let transmitter: Int?
    let device: Int?
    let glucose: (index: Int, unit: GlucoseUnit)

    var last: Int { [time, event, transmitter, device, glucose.index].compactMap(\.self).max() ?? 0 }
  }

  func hasSignature(_ file: any HistoryFile) -> Bool {
    file.head.contains(text: Self.time) && file.head.contains(text: "Event Type")
  }

  @discardableResult func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: Self.signature) }
    let table = CSVTable(separator: CSVReading.separator(in: file.head), lacks: Self.signature)
    return try RowDating.dating(.yearFirst, options, entry) { clock throws(HistoryError) in
      try table.forEachRow(of: file, header: columns, refused: &clock.refused) { (columns, row) throws(HistoryError) in
        let event = row[columns.event]
        guard event == "EGV" || event == "Calibration" else { return }
        guard
          let glucose = try ShownGlucose.read(
            row[columns.glucose.index], options.unit(columns.glucose.unit), limits: Self.limits, line: row.line,
            name: "Glucose Value")
        else { return clock.passOver(PassedOver.absent) }
        let isSensor = event == "EGV"
        if !isSensor, glucose.bound != nil { return clock.passOver(PassedOver.fingerSticksOutOfRange) }
        let device = [columns.transmitter, columns.device].compactMap { $0.map { row[$0] } }.first { !$0.isEmpty }
        let group = RowDating.Group(device: device, kind: isSensor ? 0 : 1, isRegular: isSensor)
        try clock.add(row[columns.time], line: row.line, to: group, entry) { time in
          isSensor ? imported(glucose, at: time, device: device) : fingerStick(glucose, at: time)
        }
      }
    }
  }

  private func columns(_ header: CSVColumns) throws(HistoryError) -> Columns? {
    guard let time = header.firstIndex(of: [Self.time]) else { return nil }
    guard let glucose = header.glucose(["Glucose Value"]) else { throw .columnMissing("Glucose Value (mg/dL)") }
    return Columns(
      time: time, event: try header.index(of: "Event Type"), transmitter: header.firstIndex(of: ["Transmitter ID"]),
      device: header.firstIndex(of: ["Source Device ID"]), glucose: glucose)
  }
}
