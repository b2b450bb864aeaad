// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The table that LibreView offers for download, in mg/dL or mmol/L, with columns found by name
/// (HistoryFormats/Formats, "libreview").
struct LibreViewReader: HistoryReader {
  let name = "libreview"
  let summary = "LibreView's CSV: Device Timestamp, Record Type, Historic Glucose, Scan Glucose"

  private static let signature = "the columns Device Timestamp and Record Type"
  private static let limits = 40.0...500.0

  func hasSignature(_ file: any HistoryFile) -> Bool {
    let head = file.head
    return [Names.time, Names.type].allSatisfy { names in names.contains { head.contains(text: $0) } }
  }

  /// - Throws: also `ambiguousDates` if neither the file nor the options show the order of day and month,
  ///   `columnMissing` without a column with glucose and its unit.
  @discardableResult func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: Self.signature) }
    let table = CSVTable(separator: CSVReading.separator(in: file.head), lacks: Self.signature)
    let order = if let known = options.dateOrder { known } else { try order(of: file, table) }
    return try RowDating.dating(order, options, entry) { clock throws(HistoryError) in
      try table.forEachRow(of: file, header: LibreViewColumns.init(of:), refused: &clock.refused) {
        (columns, row) throws(HistoryError) in
        guard let kind = try columns.kind(of: row) else { return }
        guard let column = columns.glucose[kind] else { throw .columnMissing("\(Names.glucose[kind][0]) mg/dL") }
        guard
          let glucose = try ShownGlucose.read(
            row[column.index], options.unit(column.unit), limits: Self.limits, line: row.line,
            name: Names.glucose[kind][0])
        else { return clock.passOver(PassedOver.absent) }
        if kind == 2, glucose.bound != nil { return clock.passOver(PassedOver.fingerSticksOutOfRange) }
        let device = columns.device(of: row)
        let note = columns.notes.map { row[$0] }
        // Rows are grouped by device and then by type, each group in the order of time (read: Tidepool's uploader,
        // libreViewDriver).
        let group = RowDating.Group(device: device, kind: kind, isRegular: kind == 0)
        try clock.add(row[columns.time], line: row.line, to: group, entry) { time in
          if kind == 2 { return fingerStick(glucose, at: time, note: note) }
          let ring: SampleRing = kind == 0 ? .history : .trend
          return imported(glucose.clamped(to: Self.limits), at: time, ring: ring, device: device)
        }
      }
    }
  }

  /// Returns the order of day and month from all dates together.
  private func order(of file: any HistoryFile, _ table: CSVTable) throws(HistoryError) -> ImportOptions.DateOrder {
    var evidence = DateOrderEvidence()
    try table.forEachRow(of: file, header: LibreViewColumns.init(of:)) { (columns, row) throws(HistoryError) in
      let text = row[columns.time]
      guard let date = LocalDate(text) else { return }
      let group = "\(columns.device(of: row) ?? "") \(row[columns.type])"
      evidence.add(date, text: text, line: row.line, group: group)
    }
    return try evidence.order()
  }
}

/// The columns' names in English, German and Spanish.
private enum Names {
  static let device = ["Device", "Gerät", "Dispositivo"]
  static let serial = ["Serial Number", "Seriennummer", "Número de serie", "Número de serial"]
  static let time = ["Device Timestamp", "Gerätezeitstempel", "Sello de tiempo del dispositivo"]
  static let type = ["Record Type", "Aufzeichnungstyp", "Tipo de registro"]
  static let notes = ["Notes", "Notizen", "Notas"]
  /// The names by record type; a unit follows.
  static let glucose = [
    ["Historic Glucose", "Glukosewert-Verlauf", "Historial de glucosa"],
    ["Scan Glucose", "Glukose-Scan", "Escaneo de glucosa"],
    ["Strip Glucose", "Glukose-Teststreifen", "Tira reactiva para glucosa"],
  ]
}

private struct LibreViewColumns: TableColumns {
  let device: Int?
  let serial: Int?
  let time: Int
  let type: Int
  let notes: Int?
  /// The columns by record type.
  let glucose: [(index: Int, unit: GlucoseUnit)?]

  var last: Int { ([device, serial, time, type, notes] + glucose.map { $0?.index }).compactMap(\.self).max() ?? 0 }

  /// The columns of a header; nil for any other row.
  init?(of header: CSVColumns) throws(HistoryError) {
    guard let time = header.firstIndex(of: Names.time), let type = header.firstIndex(of: Names.type) else { return nil }
    self.time = time
    self.type = type
    device = header.firstIndex(of: Names.device)
    serial = header.firstIndex(of: Names.serial)
    notes = header.firstIndex(of: Names.notes)
    glucose = Names.glucose.map(header.glucose)
    guard glucose.contains(where: { $0 != nil }) else { throw .columnMissing("Historic Glucose mg/dL") }
  }

  /// Returns the record type; nil for one without glucose.
  func kind(of row: CSVRow) throws(HistoryError) -> Int? {
    guard let kind = Int(row[type]), kind >= 0 else {
      throw .badField(line: row.line, name: "Record Type", value: SafeText.quoted(row[type]))
    }
    return glucose.indices.contains(kind) ? kind : nil
  }

  /// Returns the serial number, or else the device's name.
  func device(of row: CSVRow) -> String? {
    [serial, device].compactMap { $0.map { row[$0] } }.first { !$0.isEmpty }
  }
}
