// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// What the user says about a file that it does not say itself.
public struct ImportOptions: Sendable {
  /// Order of day, month and year in dates such as `03/04/2024`.
  public enum DateOrder: String, Hashable, Sendable, CaseIterable {
    case dayFirst = "dmy"
    case monthFirst = "mdy"
    case yearFirst = "ymd"
  }

  /// nil: as the whole file shows.
  public var dateOrder: DateOrder?
  /// nil: as the file says.
  public var unit: GlucoseUnit?
  /// The clock whose times a file without a zone has.
  public var clock: LocalClock

  public init(dateOrder: DateOrder? = nil, unit: GlucoseUnit? = nil, clock: LocalClock) {
    self.dateOrder = dateOrder
    self.unit = unit
    self.clock = clock
  }
}

/// A file of any size, read in pieces as often as a format has to.
public protocol HistoryFile {
  /// The first bytes, to look for marks in.
  var head: [UInt8] { get }
  /// The place of the file, for a format that is a database; nil for one that is in memory.
  var path: String? { get }
  /// Reads from the beginning, piece by piece. Throws `unreadable`.
  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError)
}

extension HistoryFile {
  public var path: String? { nil }
}
