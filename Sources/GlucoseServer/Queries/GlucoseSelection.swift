// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore

/// Glucose values that a client gets (GlucoseServer/ClientsAndPaths, "Which values").
struct GlucoseSelection {
  /// Clients expect a value every five minutes; a sensor that stays on a reader gives one every minute.
  static let usualInterval = 300
  /// Days that a query without a date reaches back: some clients show the newest value without its age.
  static let undatedDays = 4

  var from: Instant?
  var to: Instant?
  var limit: Int
  /// Seconds between two values, but for a sixth of it; 0 for all that there are.
  var interval = usualInterval
  /// nil for all values.
  var condition: ((ServedGlucose) -> Bool)?
}

extension ServerContext {
  /// The values, newest first and none of the future, because clients compute "minutes ago".
  func glucose(_ selection: GlucoseSelection) throws(StoreError) -> [ServedGlucose] {
    guard selection.limit > 0 else { return [] }
    let newest = min(selection.to ?? now, now)
    var rows = ThinnedRows(selection)
    rows.take(rowsOfSnapshot(from: selection.from, to: newest))
    guard let completeFrom = snapshot.completeFrom else { return rows.result }
    var last = min(newest, completeFrom.adding(seconds: -1))
    // A small chunk first, because most clients want few values; then larger ones, because few may meet a condition.
    var size = rows.firstChunk
    while !rows.isFull, selection.from.map({ $0 <= last }) ?? true {
      let chunk = try older(selection.from, last, size)
      guard let oldest = chunk.last?.time else { break }
      rows.take(chunk[...])
      size = min(4 * size, ThinnedRows.largestChunk)
      last = oldest.adding(seconds: -1)
    }
    return rows.result
  }

  func newestGlucose() throws(StoreError) -> ServedGlucose? {
    try glucose(GlucoseSelection(from: undatedStart, limit: 1)).first
  }

  var undatedStart: Instant { now.adding(days: -GlucoseSelection.undatedDays) }

  private func rowsOfSnapshot(from: Instant?, to: Instant) -> ArraySlice<ServedGlucose> {
    let rows = snapshot.glucose
    let first = rows.partitioningIndex { $0.time <= to }
    let end = from.map { from in rows.partitioningIndex { $0.time < from } } ?? rows.endIndex
    return rows[first..<max(first, end)]
  }
}

private struct ThinnedRows {
  private let selection: GlucoseSelection
  private let window: Int64
  private(set) var rows: [ServedGlucose] = []
  /// The oldest value that was too close to the first row.
  private var neighbour: ServedGlucose?

  init(_ selection: GlucoseSelection) {
    self.selection = selection
    window = Int64(selection.interval - selection.interval / 6)
  }

  var isFull: Bool { rows.count >= selection.limit }

  static let largestChunk = 20_000

  /// Number of values to read first: one a minute in the time of the rows that are wanted.
  var firstChunk: Int { min((selection.limit - rows.count) * max(1, selection.interval / 60), Self.largestChunk) }

  mutating func take(_ candidates: ArraySlice<ServedGlucose>) {
    for candidate in candidates {
      if isFull { return }
      guard selection.condition?(candidate) ?? true else { continue }
      if let last = rows.last, last.time.secondsSince1970 - candidate.time.secondsSince1970 < window {
        if rows.count == 1 { neighbour = candidate }
      } else {
        rows.append(candidate)
      }
    }
  }

  /// Two rows where there are two values, however near: six clients fail on one row.
  var result: [ServedGlucose] {
    guard rows.count == 1, !isFull, let neighbour else { return rows }
    return rows + [neighbour]
  }
}

extension RandomAccessCollection {
  /// The first index at which the predicate holds, in a collection where it holds from one place on.
  func partitioningIndex(where holds: (Element) -> Bool) -> Index {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
      if holds(self[middle]) { high = middle } else { low = index(after: middle) }
    }
    return low
  }
}
