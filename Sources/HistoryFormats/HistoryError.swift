// SPDX-License-Identifier: Apache-2.0
public import CGMModel
package import SQLiteAccess
import TextFormats

/// The reasons why a file cannot be imported as a history, if possible with the line.
public enum HistoryError: ExplainedError {
  /// The signature of the format is missing; `lacks` describes it.
  case notThisFormat(lacks: String)
  /// The signature of every known format is missing.
  case unknownFormat
  /// A file of a known program that no reader reads.
  case foreign(ForeignHistory)
  /// The file has the signatures of several formats; their names.
  case ambiguousFormat([String])
  /// The name of the format is unknown; the known names.
  case noSuchFormat(String, known: [String])
  /// A line, counted from 1, is invalid; the reason in words.
  case badLine(Int, String)
  /// A member or attribute has an invalid value.
  case badField(line: Int?, name: String, value: String)
  /// A number that is impossible in the unit of the file, mmol/L, and usual in mg/dL.
  case otherUnit(line: Int?, name: String, value: String)
  /// This number of records are invalid, the first of them for these reasons.
  indirect case refused(Int, first: [HistoryError])
  /// The whole file does not show whether the day or the month comes first.
  case ambiguousDates(example: String)
  /// Neither the file nor the user specifies the unit of the values.
  case unknownUnit
  /// Half of the values cannot be in the unit that the file says.
  case wrongUnit(GlucoseUnit, example: String)
  /// A required column is missing.
  case columnMissing(String)
  /// A table lacks these columns, which the user named, or the usual ones; with the columns that it has.
  case columnsMissing([String], found: [String])
  /// The table has the values of several subjects, and none was chosen.
  case severalSubjects(FileSubjects)
  /// The table has no values of this subject.
  case noSuchSubject(String, FileSubjects)
  /// A subject was chosen, but the file does not say whose its values are.
  case noSubjects
  /// The same file was imported before, with its local times read in another way; both ways in words.
  case importedBefore(number: Int, at: Instant, then: String, now: String)
  /// A record is larger than the limit.
  case tooLarge(found: Int, limit: Int)
  /// The file is incomplete.
  case truncated(String)
  /// The file cannot be read; the text of the operating system or of SQLite.
  case unreadable(String)
}

extension HistoryError: SQLiteError {
  package init(_ failure: SQLiteFailure, path: String) { self = .unreadable(failure.words) }
}

extension HistoryError {
  public var explanation: ErrorExplanation {
    switch self {
    case .notThisFormat(let lacks):
      ErrorExplanation(
        "not_this_format", "expected \(lacks)",
        "choose the right --input-format (libre formats lists them), or leave it out to have it detected")
    case .unknownFormat:
      ErrorExplanation(
        "unknown_format", "the file is neither a sensor's memory nor a known history format",
        "for a table with other column names: --time-column NAME --glucose-column NAME; libre formats lists the formats"
      )
    case .foreign(let history): ErrorExplanation("foreign_format", history.message, history.resolution)
    case .ambiguousFormat(let names):
      ErrorExplanation(
        "ambiguous_format", "the file fits several formats: \(names.joined(separator: ", "))",
        "choose one with --input-format")
    case .noSuchFormat(let name, let known):
      ErrorExplanation(
        "no_such_format", "unknown format \(SafeText.excerpt(name))",
        "choose one of \(known.joined(separator: ", "))")
    case .badLine(let line, let words):
      ErrorExplanation(
        "bad_line", "line \(line): \(words)", "fix or delete that line, or import the others with --keep-going")
    case .badField(let line, let name, let value):
      ErrorExplanation(
        "bad_field", "\(line.map { "line \($0): " } ?? "")\(name) is invalid: \(SafeText.excerpt(value))",
        "fix it or delete that record, or import the others with --keep-going")
    case .otherUnit(let line, let name, let value):
      ErrorExplanation(
        "bad_field", "\(line.map { "line \($0): " } ?? "")\(name) is invalid: \(value) mmol/L is impossible",
        "fix it or delete that record, or import the others with --keep-going")
    case .refused(let count, let first):
      ErrorExplanation(
        first.first?.explanation.code ?? "bad_field",
        "\(count) records are invalid: \(first.map(\.explanation.message).joined(separator: "; "))\(count > first.count ? "; …" : "")",
        "fix them, or import the others with --keep-going")
    case .ambiguousDates(let example):
      ErrorExplanation(
        "ambiguous_dates",
        "the file does not show whether \(SafeText.excerpt(example)) has the day or the month first",
        "add --date-order dmy or --date-order mdy")
    case .unknownUnit:
      ErrorExplanation(
        "unknown_unit", "the unit of the values is unknown",
        "add --unit mg/dL or --unit mmol/L")
    case .wrongUnit(let unit, let example):
      ErrorExplanation(
        "wrong_unit",
        "the values are not in \(unit.rawValue), as the file says: most are impossible, such as \(example) \(unit.rawValue)",
        "add --unit \(unit == .millimolesPerLitre ? GlucoseUnit.milligramsPerDecilitre.rawValue : GlucoseUnit.millimolesPerLitre.rawValue)"
      )
    case .columnsMissing(let names, let found):
      ErrorExplanation(
        "column_missing",
        names.isEmpty
          ? "a table needs a column of times and one of glucose; this one has \(HistoryError.list(found))"
          : "the table has no column \(names.map(SafeText.excerpt).joined(separator: " and no column ")), only \(HistoryError.list(found))",
        names.isEmpty
          ? "name them: --time-column NAME --glucose-column NAME, with --unit if that name has no unit"
          : "choose from these")
    case .columnMissing(let name):
      ErrorExplanation(
        "column_missing", "the column \(SafeText.excerpt(name)) is missing", "export the file again, with all columns")
    case .severalSubjects(let subjects):
      ErrorExplanation(
        "several_subjects",
        "the column \(SafeText.excerpt(subjects.column)) has \(subjects.names.count) subjects: \(subjects.list)",
        "choose one with --subject \(subjects.example); or libre import --subjects-as-persons, or libre stats --by subject"
      )
    case .noSuchSubject(let name, let subjects):
      ErrorExplanation(
        "no_such_subject",
        "the column \(SafeText.excerpt(subjects.column)) has no values of \(SafeText.quoted(name)), only of \(subjects.list)",
        "choose one of them, such as --subject \(subjects.example)")
    case .noSubjects:
      ErrorExplanation(
        "no_subjects", "the file does not say whose its values are: it is not a table with a column such as subject",
        "leave out the option about subjects; libre stats --by file takes each file as one person")
    case .importedBefore(let number, let at, let then, let now):
      ErrorExplanation(
        "imported_before",
        "this file was imported on \(at.rfc3339) as import \(number) with its times \(then), and now they are \(now): nothing was stored",
        "libre imports remove \(number) --dry-run, then --yes, and import the file again")
    case .tooLarge(let found, let limit):
      ErrorExplanation("too_large", "a record has \(found) bytes, and the limit is \(limit)", "check the file")
    case .truncated(let words):
      ErrorExplanation("truncated", "the file is incomplete: \(words)", "export or copy it again")
    case .unreadable(let words): ErrorExplanation("unreadable", words, "check the disk or the connection")
    }
  }

  public var exitStatus: Int32 {
    if case .noSuchFormat = self { 64 } else { 65 }
  }
}

extension HistoryError {
  /// The names of columns for a message, shortened.
  fileprivate static func list(_ names: [String]) -> String {
    let shown = names.prefix(8).map(SafeText.excerpt).joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}

extension FileSubjects {
  private static let shownNames = 6

  /// The names for a message, shortened.
  fileprivate var list: String {
    let shown = names.prefix(Self.shownNames).map { $0.isEmpty ? "(no name)" : SafeText.excerpt($0) }
    let rest = names.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// A name as a word of a shell.
  fileprivate var example: String {
    let name = SafeText.excerpt(names.first { !$0.isEmpty } ?? "")
    let isPlain = !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    return isPlain ? name : "'\(name.replacing("'", with: "'\\''"))'"
  }
}
