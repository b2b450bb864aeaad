// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// Writes samples to a wear: the only code that inserts or changes a row of `sample`.
struct SampleWriter {
  /// A row of `calibration`. A sample's row holds the factory value or no value; values of other models are revisions.
  struct Model: Hashable {
    let row: Int
    let isFactory: Bool
  }

  private let store: SensorStore
  private let insert: StoreStatement
  private let find: StoreStatement
  private let replace: StoreStatement
  private let revise: StoreStatement
  private let wear: Int
  private let hasRemovals: Bool
  /// True for samples from another store: they do not restore samples removed with an import.
  private let isMerge: Bool
  private let change: Int

  init(_ store: SensorStore, wear: Int, isMerge: Bool = false, change: Int) throws(StoreError) {
    (self.store, self.wear, self.isMerge, self.change) = (store, wear, isMerge, change)
    insert = try store.statement(
      """
      INSERT INTO sample (wear, \(SampleRow.columns), change, \(ChecksummedTable.column))
        VALUES (\(Self.marks), \(ChecksummedTable.checksum(Self.marks))) ON CONFLICT DO NOTHING
      """)
    find = try store.statement(SampleRow.find)
    replace = try store.statement(
      """
      UPDATE sample SET (\(SampleRow.columns), change) = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      WHERE wear = ?1 AND ring = ?2 AND minute = ?3
      """)
    revise = try store.statement(
      """
      INSERT INTO revision (wear, ring, minute, calibration, glucose_mg_dl, change)
        SELECT ?1, ?2, ?3, ?9, ?10, ?11 WHERE EXISTS (\(Self.sameSample)) ON CONFLICT DO NOTHING
      """)
    hasRemovals = try store.exists(
      """
      SELECT 1 FROM wear JOIN sensor ON sensor.id = wear.sensor WHERE wear.id = ?
        AND EXISTS (SELECT 1 FROM deleted_sample WHERE uid = sensor.uid AND deleted_sample.wear = wear.number)
      """, .integer(wear))
  }

  /// Stores a sample with its value by `model`; nil without a value.
  func put(_ sample: SampleRow, by model: Model?) throws(StoreError) -> EntryOutcome {
    var row = sample
    row.calibration = nil
    if let model, model.isFactory {
      row.calibration = model.row
    } else {
      row.milligramsPerDecilitre = nil
    }
    let key = SampleRow.key(of: row.raw, wear: wear)
    let outcome = try put(row, key)
    guard outcome != .leftOut else { return outcome }
    try store.note(.sample, key, isNew: outcome == .added)
    if let model, !model.isFactory {
      try revise(sample.raw, calibration: model.row, milligramsPerDecilitre: sample.milligramsPerDecilitre)
    }
    return outcome
  }

  private func put(_ new: SampleRow, _ key: [SQLiteValue]) throws(StoreError) -> EntryOutcome {
    if hasRemovals {
      switch try store.stays(key) {
      case "always": return .leftOut
      case "merged" where isMerge: return .leftOut
      default: break
      }
    }
    if try run(insert, new) {
      if hasRemovals {
        try store.run(
          "DELETE FROM deleted_sample WHERE ring = ?2 AND minute = ?3 AND \(SensorStore.isRemovedOfWear)", key)
      }
      return .added
    }
    guard let stored = try SampleRow.found(of: new.raw, wear: wear, by: find) else { return .known }
    let isContradiction = SampleMerge.isContradiction(stored.raw, new.raw)
    switch SampleMerge.verdict(
      stored: stored.raw, isStoredSalvaged: stored.isSalvaged, new: new.raw, isNewSalvaged: new.isSalvaged)
    {
    case .same: return try unite(stored, new)
    case .keepStored:
      if isContradiction { try contradict(new) }
      return isContradiction ? .conflict : .known
    case .takeNew:
      _ = try run(replace, new)
      // It may have been a conflict before, and the revisions belong to the old counts.
      let settle = try store.statement("DELETE FROM conflict WHERE \(SampleRow.isSame)")
      settle.bind(wear, at: 1)
      SampleRow.bind(new.raw, to: settle, first: 2)
      while try settle.step() {}
      try store.run("DELETE FROM revision WHERE wear = ? AND ring = ? AND minute = ?", key)
      if isContradiction { try contradict(stored) }
      return isContradiction ? .conflict : .filled
    }
  }

  private static let marks = (1...2 + Int(SampleRow.count)).map { "?\($0)" }.joined(separator: ", ")

  /// Finds the sample of a minute if it has these counts.
  private static let sameSample = "SELECT 1 FROM sample WHERE \(SampleRow.isSame)"

  /// Stores the value by another calibration; nothing if the minute has other counts.
  func revise(_ raw: RawSample, calibration: Int, milligramsPerDecilitre: Double?) throws(StoreError) {
    revise.bind(wear, at: 1)
    SampleRow.bind(raw, to: revise, first: 2)
    revise.bind(calibration, at: 9)
    revise.bind(milligramsPerDecilitre, at: 10)
    revise.bind(change, at: 11)
    while try revise.step() {}
  }

  /// Combines two samples with equal counts, so that all known values are kept.
  private func unite(_ stored: SampleRow, _ new: SampleRow) throws(StoreError) -> EntryOutcome {
    var united = stored
    united.isSalvaged = stored.isSalvaged && new.isSalvaged
    if let calibration = new.calibration, calibration != stored.calibration {
      var isShown = stored.calibration == nil
      if let old = stored.calibration {
        isShown = try store.exists(
          "SELECT 1 FROM calibration AS new, calibration AS old WHERE new.id = ? AND old.id = ? AND new.version > old.version",
          .integer(calibration), .integer(old))
        // The value that is not shown becomes a revision.
        try revise(
          new.raw, calibration: isShown ? old : calibration,
          milligramsPerDecilitre: isShown ? stored.milligramsPerDecilitre : new.milligramsPerDecilitre)
      }
      if isShown {
        united.calibration = calibration
        united.milligramsPerDecilitre = new.milligramsPerDecilitre
        united.temperatureCelsius = new.temperatureCelsius
        united.quality = new.quality
      }
    }
    guard united != stored else { return .known }
    _ = try run(replace, united)
    return stored.calibration == nil && united.calibration != nil ? .filled : .known
  }

  /// Stores rejected counts as a conflict; nothing if they were accepted.
  func contradict(_ row: SampleRow) throws(StoreError) {
    let conflict = try store.statement(
      """
      INSERT INTO conflict (wear, \(SampleRow.rawColumns), is_salvaged)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS (\(Self.sameSample))
          AND EXISTS (SELECT 1 FROM sample WHERE wear = ?1 AND ring = ?2 AND minute = ?3)
        ON CONFLICT DO UPDATE SET is_salvaged = min(is_salvaged, excluded.is_salvaged)
      """)
    conflict.bind(wear, at: 1)
    SampleRow.bind(row.raw, to: conflict, first: 2)
    conflict.bind(row.isSalvaged ? 1 : 0, at: 9)
    while try conflict.step() {}
  }

  private func run(_ statement: StoreStatement, _ row: SampleRow) throws(StoreError) -> Bool {
    statement.bind(wear, at: 1)
    row.bind(to: statement, first: 2)
    statement.bind(change, at: 2 + SampleRow.count)
    while try statement.step() {}
    return store.database.changes > 0
  }
}

extension SensorStore {
  func model(_ description: CalibrationDescription?) throws(StoreError) -> SampleWriter.Model? {
    guard let description else { return nil }
    return SampleWriter.Model(row: try calibrationRow(description), isFactory: description.isFactory)
  }

  /// Returns the row of a calibration, and inserts it if it is missing.
  func calibrationRow(_ calibration: CalibrationDescription) throws(StoreError) -> Int {
    if let known = calibrationRows[calibration] { return known }
    let values: [SQLiteValue] = [
      .text(calibration.model), .integer(calibration.version),
      .text(calibration.parameters.map(\.text).joined(separator: " ")),
    ]
    try run("INSERT INTO calibration (model, version, parameters) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", values)
    let id = try integer("SELECT id FROM calibration WHERE model = ? AND version = ? AND parameters = ?", values) ?? 0
    calibrationRows[calibration] = id
    return id
  }

  func calibration(_ row: Int) throws(StoreError) -> CalibrationDescription? {
    if let known = calibrations[row] { return known }
    let values = try first("SELECT model, version, parameters FROM calibration WHERE id = ?", .integer(row))
    guard let values, let model = values[0].text, let version = values[1].integer, let text = values[2].text
    else { return nil }
    let calibration = CalibrationDescription(
      model: model, version: Int(version),
      parameters: text.split(separator: " ").compactMap(CalibrationDescription.Parameter.init(text:)))
    calibrations[row] = calibration
    return calibration
  }
}
