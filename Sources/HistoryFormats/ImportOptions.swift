// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Facts from the user that a file does not contain.
package struct ImportOptions: Sendable {
  /// The order of day, month and year in dates such as `03/04/2024`.
  package enum DateOrder: String, Hashable, Sendable, CaseIterable {
    case dayFirst = "dmy"
    case monthFirst = "mdy"
    case yearFirst = "ymd"
  }

  /// The order of day and month; nil to detect it from the whole file.
  package var dateOrder: DateOrder?
  /// The unit of a file that does not say its own, or whose own cannot be right.
  package var unit: GlucoseUnit?
  /// Dates times without a zone.
  package var clock: LocalClock
  /// The only subject whose values are read from a table with a column of subjects; nil for a file of one subject.
  package var subject: String?

  /// The names of the columns of times and of glucose in a table; nil to find them by the usual names.
  package var timeColumn: String?
  package var glucoseColumn: String?
  /// True to import a file without its invalid records, which are counted; otherwise such a file is refused.
  package var keepsGoing = false
  /// The unit of the values whatever the file says, because its own cannot be right.
  package var certainUnit: GlucoseUnit?
  /// The moment of the import: values of later days are left out. nil for no such limit.
  package var now: Instant?

  /// The unit of values that the file says are in `own`; nil if neither the file nor the user names one.
  package func unit(_ own: GlucoseUnit?) -> GlucoseUnit? { certainUnit ?? own ?? unit }

  package func unit(_ own: GlucoseUnit) -> GlucoseUnit { certainUnit ?? own }

  package init(dateOrder: DateOrder? = nil, unit: GlucoseUnit? = nil, clock: LocalClock, subject: String? = nil) {
    self.dateOrder = dateOrder
    self.unit = unit
    self.clock = clock
    self.subject = subject
  }
}

/// A file of any size, which a format can read in pieces, several times if needed.
package protocol HistoryFile {
  /// The first bytes, in which formats look for their signatures.
  var head: [UInt8] { get }
  /// The path, for a format that is a database; nil for a file in memory.
  var path: String? { get }
  /// Reads from the beginning.
  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError)
}

extension HistoryFile {
  package var path: String? { nil }
}
