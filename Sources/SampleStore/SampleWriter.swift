// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SQLiteAccess

/// Puts samples into a wear: the one place in which a row of `sample` is made or changed.
struct SampleWriter {
  enum Outcome: Hashable {
    case added
    case filled
    case known
    case conflict
  }

  private let database: SQLiteConnection
  private let insert: SQLiteStatement
  private let find: SQLiteStatement
  private let replace: SQLiteStatement
  private let conflict: SQLiteStatement
  private let revise: SQLiteStatement
  private let isLater: SQLiteStatement
  private let settle: SQLiteStatement
  private let unrevise: SQLiteStatement
  /// The transaction's number.
  let change: Int

  init(_ store: SensorStore, change: Int) throws(SQLiteFailure) {
    self.change = change
    database = store.database
    insert = try store.statement(
      """
      INSERT INTO sample (wear, \(SampleRow.columns), change) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """)
    find = try store.statement(SampleRow.find)
    replace = try store.statement(
      """
      UPDATE sample SET (\(SampleRow.columns), change) = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      WHERE wear = ?1 AND ring = ?2 AND minute = ?3
      """)
    conflict = try store.statement(
      """
      INSERT INTO conflict (wear, \(SampleRow.rawColumns), is_salvaged, change) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE NOT EXISTS (\(Self.sameSample))
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
      SELECT new.model = old.model AND new.version > old.version FROM calibration AS new, calibration AS old
      WHERE new.id = ? AND old.id = ?
      """)
  }

  func put(_ new: SampleRow, wear: Int) throws(SQLiteFailure) -> Outcome {
    if try run(insert, wear, new) { return .added }
    SampleRow.bindKey(of: new.raw, wear: wear, to: find)
    guard try find.step() else { return .known }
    let stored = SampleRow(find)
    find.reset()
    switch SampleMerge.verdict(
      stored: stored.raw, isStoredSalvaged: stored.isSalvaged, new: new.raw, isNewSalvaged: new.isSalvaged)
    {
    case .same: return try unite(stored, new, wear)
    case .keepStored:
      try contradict(new, wear)
      return .conflict
    case .takeNew:
      _ = try run(replace, wear, new)
      // It may have been a conflict before, and the other values were of the old counts.
      settle.bind(wear, at: 1)
      SampleRow.bind(new.raw, to: settle, first: 2)
      while try settle.step() {}
      try unrevise.run(.integer(wear), .integer(SampleRow.number(new.raw.ring)), .integer(new.raw.minute.value))
      try contradict(stored, wear)
      // A value in the place of an error is what a later scan is for.
      return stored.raw.hasError && !stored.isSalvaged ? .filled : .conflict
    }
  }

  /// Finds the sample of a minute if it has these counts.
  private static let sameSample = "SELECT 1 FROM sample WHERE \(SampleRow.isSame)"

  /// Keeps the value that another calibration gives; nothing if other counts stand for that minute.
  func revise(_ raw: RawSample, wear: Int, calibration: Int, milligramsPerDecilitre: Double?) throws(SQLiteFailure) {
    revise.bind(wear, at: 1)
    SampleRow.bind(raw, to: revise, first: 2)
    revise.bind(calibration, at: 9)
    revise.bind(milligramsPerDecilitre, at: 10)
    revise.bind(change, at: 11)
    while try revise.step() {}
  }

  /// The same counts, seen again: what one of the two knows more is kept.
  private func unite(_ stored: SampleRow, _ new: SampleRow, _ wear: Int) throws(SQLiteFailure) -> Outcome {
    var united = stored
    united.isSalvaged = stored.isSalvaged && new.isSalvaged
    if let calibration = new.calibration, calibration != stored.calibration {
      var isShown = stored.calibration == nil
      if let old = stored.calibration {
        isShown = try isLater.first(.integer(calibration), .integer(old))?.first == .integer(1)
        // Whichever of the two is not shown is kept beside it.
        try revise(
          new.raw, wear: wear, calibration: isShown ? old : calibration,
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
    _ = try run(replace, wear, united)
    return stored.calibration == nil && united.calibration != nil ? .filled : .known
  }

  /// Keeps counts that do not stand; nothing if they do.
  func contradict(_ row: SampleRow, _ wear: Int) throws(SQLiteFailure) {
    conflict.bind(wear, at: 1)
    SampleRow.bind(row.raw, to: conflict, first: 2)
    conflict.bind(row.isSalvaged ? 1 : 0, at: 9)
    conflict.bind(change, at: 10)
    while try conflict.step() {}
  }

  /// True if the statement changed a row.
  private func run(_ statement: SQLiteStatement, _ wear: Int, _ row: SampleRow) throws(SQLiteFailure) -> Bool {
    statement.bind(wear, at: 1)
    row.bind(to: statement, first: 2)
    statement.bind(change, at: 2 + SampleRow.count)
    while try statement.step() {}
    return database.changes > 0
  }
}
