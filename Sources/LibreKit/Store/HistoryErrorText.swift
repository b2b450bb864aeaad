// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

extension HistoryError {
  var explanation: Explanation {
    switch self {
    case .notThisFormat(let lacks):
      Explanation("not_this_format", "it lacks \(lacks)", "leave --input-format out, or see libre formats")
    case .unknownFormat:
      Explanation(
        "unknown_format", "it is neither a sensor's memory nor a history that libre knows",
        "libre formats lists what can be imported; --input-format names one")
    case .ambiguousFormat(let names):
      Explanation(
        "ambiguous_format", "it could be any of \(names.joined(separator: ", "))", "say which with --input-format")
    case .noSuchFormat(let name, let known):
      Explanation(
        "no_such_format", "there is no format called \(SafeText.excerpt(name))",
        "choose one of \(known.joined(separator: ", "))")
    case .badLine(let line, let words):
      Explanation("bad_line", "line \(line): \(words)", "mend that line, or leave it out")
    case .badField(let line, let name, let value):
      Explanation(
        "bad_field", "\(line.map { "line \($0): " } ?? "")\(name) is \(SafeText.excerpt(value))",
        "mend it, or leave that record out")
    case .severalRefused(let count, let first):
      Explanation(
        first.explanation.code,
        "\(count) records are refused, all others are read; the first: \(first.explanation.message)",
        first.explanation.resolution)
    case .ambiguousDates(let example):
      Explanation(
        "ambiguous_dates",
        "nothing in the file tells whether \(SafeText.excerpt(example)) has the day or the month first",
        "say so: --date-order dmy or --date-order mdy")
    case .unknownUnit:
      Explanation(
        "unknown_unit", "neither the file nor you say in which unit its values are",
        "say so: --unit mg/dL or --unit mmol/L")
    case .columnMissing(let name):
      Explanation(
        "column_missing", "there is no column \(SafeText.excerpt(name))", "export the file again, with all columns")
    case .tooLarge(let found, let limit):
      Explanation("too_large", "a record of \(found) bytes; no more than \(limit) are read", "check the file")
    case .truncated(let words): Explanation("truncated", "the file breaks off: \(words)", "export or copy it again")
    case .unreadable(let words): Explanation("unreadable", words, "check the disk or the connection")
    }
  }
}
