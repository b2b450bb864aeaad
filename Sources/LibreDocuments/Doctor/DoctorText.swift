// SPDX-License-Identifier: Apache-2.0
public import NFCTransport
import TextFormats

/// A diagnosis for people: the answer first, then what was looked at, each with the line that mends it.
public enum DoctorText {
  /// Lines, each with its line end. The short text has the answer and what stands in the way.
  public static func text(_ diagnosis: Diagnosis, style: Style, isShort: Bool = false) -> String {
    let checks = diagnosis.checks.filter { !isShort || $0.verdict == .bad || $0.verdict == .warning }
    let width = checks.map(\.name.count).max() ?? 0
    var lines = [style.bold(SafeText.line(diagnosis.summary))] + (isShort ? [] : [""])
    for check in checks {
      let word = check.verdict.rawValue
      let name = check.name.replacing("_", with: " ")
      let start = colored(word, check.verdict, style) + blanks(9 - word.count) + name + blanks(width + 2 - name.count)
      lines.append(start + SafeText.line(check.what))
      if let advice = check.advice { lines.append(blanks(width + 11) + SafeText.line(advice)) }
      if let remedy = check.remedy { lines.append(blanks(width + 11) + "Run: " + SafeText.line(remedy)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func colored(_ word: String, _ verdict: Check.Verdict, _ style: Style) -> String {
    switch verdict {
    case .good: style.good(word)
    case .note: style.dim(word)
    case .warning: style.warning(word)
    case .bad: style.bad(word)
    }
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
