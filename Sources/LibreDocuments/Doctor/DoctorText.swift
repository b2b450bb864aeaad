// SPDX-License-Identifier: Apache-2.0
package import BluetoothTransport
package import NFCTransport
import TextFormats

/// A diagnosis as text: the result first, then each check, with the command that fixes it.
package enum DoctorText {
  /// Lines, each with its line end. The short text has the result and the failed checks.
  package static func text(_ diagnosis: Diagnosis, style: Style, isShort: Bool = false) -> String {
    let checks = diagnosis.checks.filter { !isShort || $0.verdict == .bad || $0.verdict == .warning }
    let width = checks.map(\.name.count).max() ?? 0
    var lines = [style.bold(SafeText.line(diagnosis.summary))] + (isShort ? [] : [""])
    for check in checks {
      let word = check.verdict.rawValue
      let name = check.name.replacing("_", with: " ")
      let start = colored(word, check.verdict, style) + spaces(9 - word.count) + name + spaces(width + 2 - name.count)
      lines.append(start + SafeText.line(check.what))
      if let advice = check.advice ?? check.error?.resolution {
        lines.append(spaces(width + 11) + SafeText.line(advice))
      }
      if let remedy = check.remedy { lines.append(spaces(width + 11) + "Run: " + SafeText.line(remedy)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The checks for Bluetooth meters, each line with its line end. Sensors do not need them, so that none is worse than a
  /// note.
  package static func text(_ report: BluetoothReport, style: Style) -> String {
    let width = report.findings.map(\.name.count).max() ?? 0
    let lines = report.findings.flatMap { finding in
      let word = finding.isGood ? style.good("good") : style.dim("note")
      let name = finding.name.replacing("_", with: " ")
      let start = word + spaces(5) + name + spaces(width + 2 - name.count) + SafeText.line(finding.what)
      let remedy = finding.remedy ?? finding.error?.resolution
      return [start] + (remedy.map { [spaces(width + 11) + "Try: " + SafeText.line($0)] } ?? [])
    }
    return ([style.bold("Bluetooth, only for meters (libre meter read)"), ""] + lines).map { $0 + "\n" }.joined()
  }

  private static func colored(_ word: String, _ verdict: Check.Verdict, _ style: Style) -> String {
    switch verdict {
    case .good: style.good(word)
    case .note: style.dim(word)
    case .warning: style.warning(word)
    case .bad: style.bad(word)
    }
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
