// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import LibreKit
import TextFormats

/// The result of importing a file, as text.
package enum ImportText {
  /// A summary line, then the zone used for local times, and the values left out.
  package static func text(of tally: ImportTally) -> String {
    var lines = [summary(of: tally)]
    if tally.hasLocalTimes {
      lines.append("  times without a zone are in \(tally.timeZone ?? "this computer's zone") (--time-zone)")
    }
    for (reason, count) in tally.counts.reasons.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(count) left out: \(SafeText.line(reason))")
    }
    return lines.map { "\($0)\n" }.joined()
  }

  private static func summary(of tally: ImportTally) -> String {
    var parts: [String] = []
    if tally.counts.scans > 0 {
      parts.append("\(CountText.of(tally.counts.scans, "scan")) (\(tally.counts.newScans) new)")
    }
    parts.append("\(CountText.of(tally.counts.added, "new value")), \(tally.counts.known) known")
    if tally.counts.filled > 0 { parts.append("\(tally.counts.filled) completed") }
    if tally.counts.conflicts > 0 { parts.append("\(tally.counts.conflicts) in conflict") }
    if tally.counts.leftOut > 0 { parts.append("\(tally.counts.leftOut) left out") }
    let names = tally.sensors.map { $0.serial ?? $0.uid?.description ?? "a sensor without UID" }.sorted()
    let whose = names.isEmpty ? "" : "; \(names.prefix(3).joined(separator: ", "))\(names.count > 3 ? ", …" : "")"
    let owners = tally.persons.map(\.word).sorted()
    let forWhom = owners.isEmpty ? "" : ", for \(owners.joined(separator: ", "))"
    let subject = tally.subject.map { ", subject \(SafeText.line($0))" } ?? ""
    return
      "\(SafeText.line(tally.path)) (\(tally.format)\(subject)): \(parts.joined(separator: ", "))\(whose)\(forWhom)"
  }
}
