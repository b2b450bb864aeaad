// SPDX-License-Identifier: Apache-2.0

/// The number of steps of SQLite's virtual machine that a statement may take. A legal statement takes some ten steps
/// for each byte of the database at most (a search for each of its rows). Pages that refer to each other can make a
/// loop of exponential length out of a small file.
final class StepLimit {
  /// Steps after which SQLite asks again.
  static let interval: Int32 = 100_000

  static func limit(bytes: Int64) -> Int { 20_000_000 + 100 * Int(clamping: min(bytes, 1 << 50)) }

  var limit = StepLimit.limit(bytes: 0)
  var count = 0

  /// Counts an interval; true if the statement has to end.
  func isReached() -> Bool {
    count += Int(Self.interval)
    return count > limit
  }
}
