// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreDocuments
import LibreKit
package import Meters
package import NFCTransport
import TextFormats

/// A diagnosis as text: the result first, then each check, with the command that fixes it.
package enum DoctorText {
  /// Lines, each with its line end. The short text has the result and the failed checks.
  package static func text(_ diagnosis: Diagnosis, style: Style, isShort: Bool = false) -> String {
    let checks = diagnosis.checks.filter { !isShort || $0.verdict == .bad || $0.verdict == .warning }
    let rows: [Row] = checks.map { check in
      let advice = check.advice ?? check.error?.resolution
      return (check.verdict, check.name, check.what, [advice, check.remedy.map { "Run: \($0)" }])
    }
    return text(style.bold(SafeText.line(diagnosis.summary)) + (isShort ? "" : "\n"), rows, style)
  }

  /// The checks for Bluetooth meters, each line with its line end. Sensors do not need them, so that none is worse than a
  /// note.
  package static func text(_ report: BluetoothReport, style: Style) -> String {
    let rows: [Row] = report.findings.map { finding in
      let remedy = finding.remedy ?? finding.error?.resolution
      return (finding.isGood ? .good : .note, finding.name, finding.what, [remedy.map { "Try: \($0)" }])
    }
    return text(style.bold("Bluetooth, only for meters (libre meter read)") + "\n", rows, style)
  }

  private typealias Row = (verdict: Check.Verdict, name: String, what: String, hints: [String?])

  private static func text(_ title: String, _ rows: [Row], _ style: Style) -> String {
    let width = rows.map { $0.name.count }.max() ?? 0
    let lines = rows.flatMap { row in
      let word = row.verdict.rawValue
      let name = row.name.replacing("_", with: " ")
      let start = colored(word, row.verdict, style) + spaces(9 - word.count) + name + spaces(width + 2 - name.count)
      return [start + SafeText.line(row.what)]
        + row.hints.compactMap { $0.map { spaces(width + 11) + SafeText.line($0) } }
    }
    return ([title] + lines).map { $0 + "\n" }.joined()
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

extension Session {
  /// Checks whether this machine can read a sensor, without disturbing a reader.
  package static func diagnosis() async -> Diagnosis {
    let ways = await ReaderSurvey(asking: Catalogue.standard.readerBackends).ways
    let pcsc = ways.first { $0.scheme == "pcsc" }?.result ?? .failure(.notInThisBuild(scheme: "pcsc"))
    let asked = await AskedReader.all(of: Catalogue.standard.readerBackends)
    var facts = SystemFacts(root: "/", environment: environment)
    facts.exposedConfiguration = ConfigurationFile.path(environment: environment).flatMap {
      FileSystem.isExposed($0) ? $0 : nil
    }
    return Doctor(facts: facts, pcsc: pcsc, asked: asked).diagnosis
  }
}
