// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import HostSystem
import TextFormats

/// The reasons why a file cannot be imported as a history, if possible with the line.
package enum HistoryError: ExplainedError, SQLiteError {
  /// The signature of the format is missing; `lacks` describes it.
  case notThisFormat(lacks: String)
  case unknownFormat
  /// A file of a known program that no reader reads.
  case foreign(ForeignHistory)
  case ambiguousFormat([String])
  case noSuchFormat(String, known: [String])
  /// A line, counted from 1, is invalid; the reason in words.
  case badLine(Int, String)
  case badField(line: Int?, name: String, value: String)
  /// A number that is impossible in the unit of the file, mmol/L, and usual in mg/dL.
  case otherUnit(line: Int?, name: String, value: String)
  /// This number of records are invalid, the first of them for these reasons.
  indirect case refused(Int, first: [HistoryError])
  case ambiguousDates(example: String)
  case unknownUnit
  /// Half of the values cannot be in the unit that the file says.
  case wrongUnit(GlucoseUnit, example: String)
  case columnMissing(String)
  /// A table lacks these columns, which the user named, or the usual ones; with the columns that it has.
  case columnsMissing([String], found: [String])
  case severalSubjects(FileSubjects)
  case noSuchSubject(String, FileSubjects)
  case noSubjects
  case importedBefore(number: Int, at: Instant, then: String, now: String)
  case tooLarge(found: Int, limit: Int)
  case truncated(String)
  /// A format that a program added refuses the file, in its own words.
  case ownFormat(String, reason: String)
  /// The file cannot be read; the text of the operating system or of SQLite.
  case unreadable(String)
}

extension HistoryError {
  package init(_ failure: SQLiteFailure, path: String) { self = .unreadable(failure.words) }

  package var explanation: (code: String, message: String) {
    switch self {
    case .notThisFormat(let lacks): ("not_this_format", "expected \(lacks)")
    case .unknownFormat: ("unknown_format", "the file is neither a sensor's memory nor a known history format")
    case .foreign(let history): ("foreign_format", history.message)
    case .ambiguousFormat(let names):
      ("ambiguous_format", "the file fits several formats: \(names.joined(separator: ", "))")
    case .noSuchFormat(let name, _): ("no_such_format", "unknown format \(SafeText.excerpt(name))")
    case .badLine(let line, let words): ("bad_line", "line \(line): \(words)")
    case .badField(let line, let name, let value):
      ("bad_field", "\(line.map { "line \($0): " } ?? "")\(name) is invalid: \(SafeText.excerpt(value))")
    case .otherUnit(let line, let name, let value):
      ("bad_field", "\(line.map { "line \($0): " } ?? "")\(name) is invalid: \(value) mmol/L is impossible")
    case .refused(let count, let first):
      (
        first.first?.explanation.code ?? "bad_field",
        "\(count) records are invalid: \(first.map(\.explanation.message).joined(separator: "; "))\(count > first.count ? "; …" : "")"
      )
    case .ambiguousDates(let example):
      ("ambiguous_dates", "the file does not show whether \(SafeText.excerpt(example)) has the day or the month first")
    case .unknownUnit: ("unknown_unit", "the unit of the values is unknown")
    case .wrongUnit(let unit, let example):
      (
        "wrong_unit",
        "the values are not in \(unit.rawValue), as the file says: most are impossible, such as \(example) \(unit.rawValue)"
      )
    case .columnsMissing(let names, let found):
      (
        "column_missing",
        names.isEmpty
          ? "a table needs a column of times and one of glucose; this one has \(Self.list(found, limit: 8))"
          : "the table has no column \(names.map(SafeText.excerpt).joined(separator: " and no column ")), only \(Self.list(found, limit: 8))"
      )
    case .columnMissing(let name): ("column_missing", "the column \(SafeText.excerpt(name)) is missing")
    case .severalSubjects(let subjects):
      (
        "several_subjects",
        "the column \(SafeText.excerpt(subjects.column)) has \(subjects.names.count) subjects: \(subjects.list)"
      )
    case .noSuchSubject(let name, let subjects):
      (
        "no_such_subject",
        "the column \(SafeText.excerpt(subjects.column)) has no values of \(SafeText.quoted(name)), only of \(subjects.list)"
      )
    case .noSubjects:
      ("no_subjects", "the file does not say whose its values are: it is not a table with a column such as subject")
    case .importedBefore(let number, let at, let then, let now):
      (
        "imported_before",
        "this file was imported on \(at.rfc3339) as import \(number) with its times \(then), and now they are \(now): nothing was stored"
      )
    case .tooLarge(let found, let limit): ("too_large", "a record has \(found) bytes, and the limit is \(limit)")
    case .truncated(let words): ("truncated", "the file is incomplete: \(words)")
    case .ownFormat(let name, let reason): ("format_refused", "\(name): \(reason)")
    case .unreadable(let words): ("unreadable", words)
    }
  }

  /// The first of these names for a message, shortened.
  fileprivate static func list(_ names: [String], limit: Int) -> String {
    let shown = names.prefix(limit).map(SafeText.excerpt).joined(separator: ", ")
    return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
  }
}

extension FileSubjects {
  fileprivate var list: String { HistoryError.list(names.map { $0.isEmpty ? "(no name)" : $0 }, limit: 6) }
}
