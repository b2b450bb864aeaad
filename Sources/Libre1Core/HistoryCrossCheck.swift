// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A memory held against itself: a history record is made of five trend records, and while those are still there it can
/// be made again (derived; verified in 98 of 100 testable cases of the reference memories, the other two being windows
/// of errors only, Libre1Core/MemoryFormat, "History from the trend").
///
/// | history record of minute m | made of trend records |
/// |---|---|
/// | glucose | floor of the mean of those of m−2 … m+2 that have no error |
enum HistoryCrossCheck {
  /// Minutes before and after a history value's own that go into it.
  private static let reach = 2

  /// One for each history record that is not what the trend says. A window of which a record is missing, or all have
  /// errors, and a history record with an error tell nothing.
  static func problems(history: DecodedRing<32>, trend: DecodedRing<16>) -> [ReadingProblem] {
    guard history.count > 0, trend.count > 0 else { return [] }
    var records: [Int: RawSample] = [:]
    for index in 0..<trend.count {
      guard let raw = trend[index]?.raw, !raw.isNeverWritten else { continue }
      records[raw.minute.value] = raw
    }
    var problems: [ReadingProblem] = []
    // A trend of sixteen minutes covers the windows of the two newest at most.
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
