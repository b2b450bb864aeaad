// SPDX-License-Identifier: Apache-2.0
public import CGMModel
package import SQLiteAccess
import TextFormats

/// Why a file is no history that can be imported. The culprit is the file, and where possible its line.
public enum HistoryError: ExplainedError {
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

extension HistoryError {
  public var explanation: ErrorExplanation {
    switch self {
    case .notThisFormat(let lacks):
      ErrorExplanation("not_this_format", "it lacks \(lacks)", "leave --input-format out, or see libre formats")
    case .unknownFormat:
      ErrorExplanation(
        "unknown_format", "it is neither a sensor's memory nor a history that libre knows",
        "libre formats lists what can be imported; --input-format names one")
    case .ambiguousFormat(let names):
      ErrorExplanation(
        "ambiguous_format", "it could be any of \(names.joined(separator: ", "))", "say which with --input-format")
    case .noSuchFormat(let name, let known):
      ErrorExplanation(
        "no_such_format", "there is no format called \(SafeText.excerpt(name))",
        "choose one of \(known.joined(separator: ", "))")
    case .badLine(let line, let words):
      ErrorExplanation("bad_line", "line \(line): \(words)", "mend that line, or leave it out")
    case .badField(let line, let name, let value):
      ErrorExplanation(
        "bad_field", "\(line.map { "line \($0): " } ?? "")\(name) is \(SafeText.excerpt(value))",
        "mend it, or leave that record out")
    case .severalRefused(let count, let first):
      ErrorExplanation(
        first.explanation.code,
        "\(count) records are refused, all others are read; the first: \(first.explanation.message)",
        first.explanation.resolution)
    case .ambiguousDates(let example):
      ErrorExplanation(
        "ambiguous_dates",
        "nothing in the file tells whether \(SafeText.excerpt(example)) has the day or the month first",
        "say so: --date-order dmy or --date-order mdy")
    case .unknownUnit:
      ErrorExplanation(
        "unknown_unit", "neither the file nor you say in which unit its values are",
        "say so: --unit mg/dL or --unit mmol/L")
    case .columnMissing(let name):
      ErrorExplanation(
        "column_missing", "there is no column \(SafeText.excerpt(name))", "export the file again, with all columns")
    case .tooLarge(let found, let limit):
      ErrorExplanation("too_large", "a record of \(found) bytes; no more than \(limit) are read", "check the file")
    case .truncated(let words):
      ErrorExplanation("truncated", "the file breaks off: \(words)", "export or copy it again")
    case .unreadable(let words): ErrorExplanation("unreadable", words, "check the disk or the connection")
    }
  }

  public var exitStatus: Int32 {
    if case .noSuchFormat = self { 64 } else { 65 }
  }
}
