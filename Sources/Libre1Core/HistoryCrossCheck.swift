// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A check of a memory against itself: the counts of each history record are the floor of the mean of five trend records
/// without errors, while those are still there (Libre1Core/MemoryFormat, "History from the trend").
enum HistoryCrossCheck {
  /// The number of minutes before and after a history value's own that enter it.
  private static let reach = 2

  /// One problem for each history record that differs from the trend. A window that lacks a record, or has only
  /// errors, and a history record with an error cannot be checked.
  static func problems(history: DecodedRing<32>, trend: DecodedRing<16>) -> [ReadingProblem] {
    guard history.count > 0, trend.count > 0 else { return [] }
    var records: [Int: RawSample] = [:]
    for index in 0..<trend.count {
      guard let raw = trend[index]?.raw, !raw.isNeverWritten else { continue }
      records[raw.minute.value] = raw
    }
    var problems: [ReadingProblem] = []
    // A trend of sixteen minutes covers at most the windows of the newest two records.
    for index in 0..<min(2, history.count) {
      guard let raw = history[index]?.raw, !raw.hasError, !raw.isNeverWritten else { continue }
      let window = (raw.minute.value - reach...raw.minute.value + reach).compactMap { records[$0] }
      let counts = window.filter { !$0.hasError }.map { Int($0.glucose) }
      guard window.count == 2 * reach + 1, !counts.isEmpty else { continue }
      let expected = counts.reduce(0, +) / counts.count
      if expected != Int(raw.glucose) {
        problems.append(.historyUnlikeTrend(minute: raw.minute, stored: Int(raw.glucose), expected: expected))
      }
    }
    return problems
  }
}
