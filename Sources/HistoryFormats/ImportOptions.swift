// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Facts from the user that a file does not contain.
public struct ImportOptions: Sendable {
  /// The order of day, month and year in dates such as `03/04/2024`.
  public enum DateOrder: String, Hashable, Sendable, CaseIterable {
    case dayFirst = "dmy"
    case monthFirst = "mdy"
    case yearFirst = "ymd"
  }

  /// The order of day and month; nil to detect it from the whole file.
  public var dateOrder: DateOrder?
  /// The unit; nil for the file's own.
  public var unit: GlucoseUnit?
  /// The clock for times without a zone.
  public var clock: LocalClock
  /// The only subject whose values are read from a table with a column of subjects; nil for a file of one subject.
  public var subject: String?

  public init(dateOrder: DateOrder? = nil, unit: GlucoseUnit? = nil, clock: LocalClock, subject: String? = nil) {
    self.dateOrder = dateOrder
    self.unit = unit
    self.clock = clock
    self.subject = subject
  }
}

/// A file of any size, which a format can read in pieces, several times if needed.
public protocol HistoryFile {
  /// The first bytes, in which formats look for their signatures.
  var head: [UInt8] { get }
  /// The path of the file, for a format that is a database; nil for a file in memory.
  var path: String? { get }
  /// Reads from the beginning, in pieces.
  ///
  /// - Throws: `unreadable`.
  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError)
}

extension HistoryFile {
  public var path: String? { nil }
}
