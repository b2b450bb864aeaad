// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SQLiteAccess

/// Writes samples to a wear: the only code that inserts or changes a row of `sample`.
struct SampleWriter {
  /// Calibration of a value, as a row of `calibration`. A sample's row holds the factory value or no value; values of
  /// other models are revisions.
  struct Model: Hashable {
    let row: Int
    let isFactory: Bool
  }

  private let store: SensorStore
  private let insert: StoreStatement
  private let find: StoreStatement
  private let replace: StoreStatement
  private let conflict: StoreStatement
  private let revise: StoreStatement
  private let isLater: StoreStatement
  private let settle: StoreStatement
  private let unrevise: StoreStatement
  /// Deletes the removal of a sample; nil if no sample of this wear was removed.
  private let restore: StoreStatement?
  private let wear: Int
  /// True for samples from another store: they do not restore samples removed with an import.
  private let isMerge: Bool
  /// Number of the transaction.
  private let change: Int

  init(_ store: SensorStore, wear: Int, isMerge: Bool = false, change: Int) throws(StoreError) {
    self.store = store
    self.wear = wear
    self.isMerge = isMerge
    self.change = change
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
    conflict = try store.statement(
      """
      INSERT INTO conflict (wear, \(SampleRow.rawColumns), is_salvaged)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS (\(Self.sameSample))
          AND EXISTS (SELECT 1 FROM sample WHERE wear = ?1 AND ring = ?2 AND minute = ?3)
        ON CONFLICT DO UPDATE SET is_salvaged = min(is_salvaged, excluded.is_salvaged)
      """)
    settle = try store.statement("DELETE FROM conflict WHERE \(SampleRow.isSame)")
    unrevise = try store.statement("DELETE FROM revision WHERE wear = ? AND ring = ? AND minute = ?")
    revise = try store.statement(
      """
      INSERT INTO revision (wear, ring, minute, calibration, glucose_mg_dl, change)
        SELECT ?1, ?2, ?3, ?9, ?10, ?11 WHERE EXISTS (\(Self.sameSample)) ON CONFLICT DO NOTHING
      """)
    isLater = try store.statement(
      """
      SELECT new.version > old.version FROM calibration AS new, calibration AS old WHERE new.id = ? AND old.id = ?
      """)
    let wasRemoved = try store.statement(
      """
      SELECT 1 FROM wear JOIN sensor ON sensor.id = wear.sensor WHERE wear.id = ?
        AND EXISTS (SELECT 1 FROM deleted_sample WHERE uid = sensor.uid AND deleted_sample.wear = wear.number)
      """
    ).first(.integer(wear))
    restore =
      wasRemoved == nil
      ? nil
      : try store.statement(
        """
        DELETE FROM deleted_sample WHERE ring = ?2 AND minute = ?3 AND (uid, wear) IN
          (SELECT sensor.uid, wear.number FROM wear JOIN sensor ON sensor.id = wear.sensor WHERE wear.id = ?1)
        """)
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
    let outcome = try put(row)
    guard outcome != .leftOut else { return outcome }
    try store.note(.sample, key(of: row), isNew: outcome == .added)
    if let model, !model.isFactory {
      try revise(sample.raw, calibration: model.row, milligramsPerDecilitre: sample.milligramsPerDecilitre)
    }
    return outcome
  }

  private func put(_ new: SampleRow) throws(StoreError) -> EntryOutcome {
    if let restore {
      let key = key(of: new)
      switch try store.stays(wear: key[0], ring: key[1], minute: key[2]) {
      case "always": return .leftOut
      case "merged" where isMerge: return .leftOut
      default: break
      }
      if try run(insert, new) {
        try restore.run(key)
        return .added
      }
    } else if try run(insert, new) {
      return .added
    }
    SampleRow.bindKey(of: new.raw, wear: wear, to: find)
    guard try find.step() else { return .known }
    let stored = SampleRow(find)
    find.reset()
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
      settle.bind(wear, at: 1)
      SampleRow.bind(new.raw, to: settle, first: 2)
      while try settle.step() {}
      try unrevise.run(.integer(wear), .integer(SampleRow.number(new.raw.ring)), .integer(new.raw.minute.value))
      if isContradiction { try contradict(stored) }
      return isContradiction ? .conflict : .filled
    }
  }

  private func key(of row: SampleRow) -> [SQLiteValue] {
    [.integer(wear), .integer(SampleRow.number(row.raw.ring)), .integer(row.raw.minute.value)]
  }

  /// Values of all columns, in the order of the table.
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
        isShown = try isLater.first(.integer(calibration), .integer(old))?.first == .integer(1)
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
    conflict.bind(wear, at: 1)
    SampleRow.bind(row.raw, to: conflict, first: 2)
    conflict.bind(row.isSalvaged ? 1 : 0, at: 9)
    while try conflict.step() {}
  }

  /// Runs a statement; true if it changed a row.
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
}
