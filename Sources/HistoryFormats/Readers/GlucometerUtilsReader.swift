// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The output of `glucometer.py dump` of glucometerutils: no header, all fields in quotes, and no unit, so the options
/// must name it (HistoryFormats/Formats, "glucometerutils").
struct GlucometerUtilsReader: HistoryReader {
  let name = "glucometerutils"
  let summary = "glucometerutils' CSV without a header: time, value, meal, method, comment"

  private static let milligrams = 18.0
  private static let methods = ["blood sample", "CGM", "time"]

  func hasSignature(_ file: any HistoryFile) -> Bool {
    let head = file.head
    var csv = CSVReading(separator: UInt8(ascii: ","))
    csv.append(head)
    guard head.first == UInt8(ascii: "\""), let row = try? csv.next() ?? csv.finish() else { return false }
    return Self.isRow(row) && LocalDate(row[0]) != nil
  }

  /// - Throws: also `unknownUnit` if the options do not name it.
  @discardableResult func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else {
      throw .notThisFormat(lacks: "rows of a time, a value, a meal and a method in quotes")
    }
    guard let unit = options.unit(nil) else { throw .unknownUnit }
    return try RowDating.dating(.yearFirst, options, entry) { clock throws(HistoryError) in
      try file.forEachRow(separator: UInt8(ascii: ",")) { (row) throws(HistoryError) in
        try clock.refused.collect { () throws(HistoryError) in try read(row, unit, clock, entry) }
      }
    }
  }

  private func read(
    _ row: CSVRow, _ unit: GlucoseUnit, _ clock: RowDating, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    guard Self.isRow(row) else {
      throw .badLine(row.line, "the method is missing, such as \"blood sample\" or \"CGM\"")
    }
    guard row.count == 5 else { return }
    let (isSensor, comment) = (row[3] == "CGM", row[4])
    guard
      let glucose = try ShownGlucose.read(row[1], unit, milligrams: Self.milligrams, line: row.line, name: "value")
    else { return clock.passOver(PassedOver.absent) }
    let ring: SampleRing = comment.contains("(Scan)") ? .trend : .history
    let isRegular = isSensor && ring == .history
    let group = RowDating.Group(kind: isSensor ? isRegular ? 0 : 1 : 2, isRegular: isRegular)
    try clock.add(row[0], line: row.line, to: group, entry) { time in
      isSensor ? imported(glucose, at: time, ring: ring) : fingerStick(glucose, at: time, note: comment)
    }
  }

  /// True for a row with a method: glucose has it in the fourth field, all else in the third.
  private static func isRow(_ row: CSVRow) -> Bool {
    switch row.count {
    case 5: methods.prefix(2).contains(row[3])
    case 4: methods.contains(row[2])
    default: false
    }
  }
}
