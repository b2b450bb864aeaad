// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// Entries that are not sensors' samples, as the tables number them; 0 and 1 are the rings (`SampleRow.number`).
package enum EntryKind: Int, Hashable, Sendable, CaseIterable {
  case imported = 2
  case fingerStick = 3
  case bloodPressure = 4
}

enum EntryRow {
  /// All columns except `change` and the checksum, in the order of the table.
  private static let names = [
    "id", "kind", "time", "source", "device", "ring", "glucose_mg_dl", "bound", "note", "systolic", "diastolic", "mean",
    "unit", "pulse", "user", "conditions",
  ]
  static let columns = names.joined(separator: ", ")
  static let qualifiedColumns = names.map { "entry.\($0)" }.joined(separator: ", ")

  static let insert: String = {
    let marks = (1...names.count + 1).map { "?\($0)" }.joined(separator: ", ")
    return """
      INSERT INTO entry (\(columns), change, \(ChecksummedTable.column)) VALUES (\(marks), \(ChecksummedTable.checksum(marks)))
      ON CONFLICT DO NOTHING
      """
  }()

  private static let noPressure = [SQLiteValue](repeating: .null, count: 7)

  static func values(
    of imported: ImportedSample, id: SampleID?, milligrams: SQLiteValue, bound: SQLiteValue
  ) -> [SQLiteValue] {
    [
      .blob(orNull: id?.bytes), .integer(EntryKind.imported.rawValue), .instant(imported.time), .text(imported.source),
      .text(orNull: imported.device), .integer(SampleRow.number(imported.ring)), milligrams, bound, .null,
    ] + noPressure
  }

  static func values(of imported: ImportedSample) -> [SQLiteValue] {
    values(
      of: imported, id: imported.id, milligrams: .real(imported.concentration.milligramsPerDecilitre),
      bound: .text(orNull: imported.bound?.rawValue))
  }

  static func values(of stick: FingerStick) -> [SQLiteValue] {
    [
      .blob(orNull: stick.id?.bytes), .integer(EntryKind.fingerStick.rawValue), .instant(stick.time),
      .text(orNull: stick.source), .null, .null, .real(stick.concentration.milligramsPerDecilitre), .null,
      .text(orNull: stick.note),
    ] + noPressure
  }

  static func values(of pressure: BloodPressure) -> [SQLiteValue] {
    [
      .blob(orNull: pressure.id?.bytes), .integer(EntryKind.bloodPressure.rawValue), .instant(pressure.time),
      .text(orNull: pressure.source), .null, .null, .null, .null, .null, .real(pressure.systolic),
      .real(pressure.diastolic), .real(orNull: pressure.mean), .text(pressure.unit.rawValue),
      .real(orNull: pressure.pulse), .integer(pressure.user), .text(pressure.conditions.joined(separator: " ")),
    ]
  }

  /// Reads a row by the numbers of its columns; nil if its time or a number that it needs cannot have been measured.
  static func entry(_ column: (Int32) -> SQLiteValue) -> HistoryEntry? {
    guard let kind = kind(column(1)), let time = column(2).instant else { return nil }
    let (id, source) = (column(0).blob.flatMap(SampleID.init), column(3).text)
    switch kind {
    case .imported:
      guard let value = GlucoseConcentration(possible: column(6).real) else { return nil }
      return .imported(
        ImportedSample(
          id: id, source: source ?? "", device: column(4).text, ring: SampleRow.ring(Int(column(5).integer ?? 0)),
          time: time, concentration: value, bound: column(7).text.flatMap(ImportedSample.Bound.init)))
    case .fingerStick:
      guard let value = GlucoseConcentration(possible: column(6).real) else { return nil }
      return .fingerStick(FingerStick(id: id, time: time, concentration: value, note: column(8).text, source: source))
    case .bloodPressure:
      func number(_ place: Int32) -> Double? { column(place).real?.ifPossible(PossibleValues.bloodPressure) }
      guard let systolic = number(9), let diastolic = number(10) else { return nil }
      return .bloodPressure(
        BloodPressure(
          id: id, time: time, systolic: systolic, diastolic: diastolic, mean: number(11),
          unit: column(12).text.flatMap(BloodPressure.Unit.init) ?? .millimetresOfMercury, pulse: number(13),
          user: column(14).integer.map(Int.init),
          conditions: (column(15).text ?? "").split(separator: " ").map(String.init), source: source))
    }
  }

  static func kind(_ value: SQLiteValue) -> EntryKind? { value.integer.flatMap { EntryKind(rawValue: Int($0)) } }

  static func isPossible(_ row: [SQLiteValue]) -> Bool {
    entry { row[Int($0)] } != nil
      && [row[11], row[13]].allSatisfy { $0 == .null || $0.real?.ifPossible(PossibleValues.bloodPressure) != nil }
  }

  /// The value by which two rows of one id differ.
  static func value(of row: [SQLiteValue]) -> SQLiteValue { row[6] == .null ? row[9] : row[6] }
}
