// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem

extension SensorStore {
  /// Numbers the values of the same time that the file brought. Call it at the end of the file; values that follow
  /// afterwards are numbered together with these.
  package func settle(_ values: SameTimeValues) throws(StoreError) {
    guard !values.unsettled.isEmpty else { return }
    try transaction { () throws(StoreError) in
      for imported in values.unsettled.values { try settle(imported, values) }
    }
    values.unsettled = [:]
  }

  private func settle(_ imported: ImportedSample, _ values: SameTimeValues) throws(StoreError) {
    let rows = try stored(atTimeOf: imported, values).filter { $0.change > values.since.change }
      .sorted { ($0.milligrams, $0.bound ?? "") < ($1.milligrams, $1.bound ?? "") }
    let taken = Set(rows.map(\.id))
    let ids = values.ids(of: imported).filter(taken.contains)
    // Rows with another id came with it.
    guard ids.count == rows.count, ids != rows.map(\.id) else { return }
    let change = try nextChange()
    for row in rows { try run("DELETE FROM entry WHERE id = ?", .blob(row.id.bytes)) }
    for (row, id) in zip(rows, ids) {
      let values = EntryRow.values(
        of: imported, id: id, milligrams: .real(row.milligrams), bound: .text(orNull: row.bound))
      try run(EntryRow.insert, values + [.integer(change)])
      try note(.entry, [.blob(id.bytes)], isNew: true)
    }
  }

  /// Stores an imported value, whose id may belong to another value of the same time.
  func add(_ imported: ImportedSample, among values: SameTimeValues) throws(StoreError) -> EntryOutcome {
    guard let first = imported.id else { throw .sensorUnknown }
    func isSame(_ row: Row) -> Bool {
      row.milligrams == imported.concentration.milligramsPerDecilitre && row.bound == imported.bound?.rawValue
    }
    let stored = try stored(atTimeOf: imported, values, first: first, until: isSame)
    if let same = stored.last, isSame(same) {
      try note(.entry, [.blob(same.id.bytes)], isNew: false)
      return .known
    }
    let taken = Set(stored.map(\.id))
    let free = taken.contains(first) ? values.ids(of: imported).first { !taken.contains($0) } : first
    guard let free else { return .conflict }
    var numbered = imported
    numbered.id = free
    let outcome = try insert(EntryRow.values(of: numbered), isTyped: false, change: try nextChange())
    if outcome == .added, !stored.isEmpty { values.note(imported, isSettled: free == first) }
    return outcome
  }

  private typealias Row = (id: SampleID, milligrams: Double, bound: String?, change: Int)

  /// The values of the same source, device, ring and time up to one that `isWanted`, found by their ids: an index of the
  /// times would be read through for each row of a file with a thousand devices at one time. `first` is the id that is
  /// looked for first, and after two free ordinals no more: a value that was removed leaves its own free.
  private func stored(
    atTimeOf imported: ImportedSample, _ values: SameTimeValues, first: SampleID? = nil,
    until isWanted: (Row) -> Bool = { _ in false }
  ) throws(StoreError) -> [Row] {
    var found: [Row] = []
    var free = 0
    func isEnough(_ id: SampleID) throws(StoreError) -> Bool {
      guard let row = try row(id) else {
        free += 1
        return free == 2
      }
      found.append(row)
      return isWanted(row)
    }
    if let first, try isEnough(first) { return found }
    for id in values.ids(of: imported) where id != first {
      if try isEnough(id) { break }
    }
    return found
  }

  private func row(_ id: SampleID) throws(StoreError) -> Row? {
    let row = try first("SELECT glucose_mg_dl, bound, change FROM entry WHERE id = ?", .blob(id.bytes))
    return row.map { (id, $0[0].real ?? .nan, $0[1].text, Int($0[2].integer ?? 0)) }
  }
}
