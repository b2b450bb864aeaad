// SPDX-License-Identifier: Apache-2.0
package import SQLiteAccess

/// Why a file is no history that can be imported. The culprit is the file, and where possible its line.
public enum HistoryError: Error, Hashable, Sendable {
  /// It lacks the marks of the format that was asked for, or tried; in words.
  case notThisFormat(lacks: String)
  /// It has the marks of no format that is known.
  case unknownFormat
  /// It has the marks of several formats; their names.
  case ambiguousFormat([String])
  /// There is no format of this name that can be read; the names that there are.
  case noSuchFormat(String, known: [String])
  /// A line, from 1, and what is wrong with it.
  case badLine(Int, String)
  /// A member or attribute has a value that cannot be.
  case badField(line: Int?, name: String, value: String)
  /// So many records, of which one is shown, were refused; all others were read.
  indirect case severalRefused(Int, first: HistoryError)
  /// Days and months cannot be told apart in the whole file.
  case ambiguousDates(example: String)
  /// Neither the file nor the user says whether values are mg/dL or mmol/L.
  case unknownUnit
  /// A column that the format must have.
  case columnMissing(String)
  /// More than is read at once.
  case tooLarge(found: Int, limit: Int)
  /// The file breaks off.
  case truncated(String)
  /// The operating system's, or the store's, own words.
  case unreadable(String)
}

extension HistoryError: SQLiteError {
  package init(_ failure: SQLiteFailure, path: String) { self = .unreadable(failure.words) }
}
