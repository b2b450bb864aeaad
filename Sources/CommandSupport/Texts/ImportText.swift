// SPDX-License-Identifier: Apache-2.0
import LibreDocuments
package import SensorHistory
import TextFormats

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

  /// Warnings about the times, each with a suggested fix; empty if the times are certain and agree.
  package static func remarks(on tally: ImportTally) -> [(message: String, resolution: String)] {
    var remarks: [(message: String, resolution: String)] = []
    func add(_ message: String, _ resolution: String) { remarks.append((message, resolution)) }
    if let doubt = tally.doubt {
      let problem = ReadingProblem.startInDoubt(doubt)
      add(problem.message, problem.resolution)
    }
    if let seconds = tally.disagreementSeconds {
      let span = DurationText.of(minutes: abs(seconds) / 60)
      add(
        "its scans give a different start of the sensor than earlier scans, by \(span)",
        "libre sensor show, then libre sensor reanchor to use the start that most scans give")
    }
    if let seconds = tally.startMovedSeconds {
      add(
        ReadingProblem.startMoved(seconds: seconds).message,
        "libre sensor show; if its scans have wrong times, libre imports, to undo this")
    }
    if !tally.refusals.isEmpty {
      let more = tally.counts.reasons["invalid records", default: 0] > tally.refusals.count ? "; …" : ""
      add(
        "invalid records were left out: \(tally.refusals.joined(separator: "; "))\(more)",
        "fix them and import the file again")
    }
    if tally.sameTime > 0 {
      add(
        "\(CountText.of(tally.sameTime, "new history value")) \(tally.sameTime == 1 ? "is" : "are") of the same time as others with another value, as of two persons or two sensors",
        "libre imports, to see and undo the import")
    }
    return remarks
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

extension Session {
  /// Prints the number of the import and how to undo it, at a terminal only: a nightly job needs no such notice.
  package func remark(import number: Int) {
    guard showsProgress else { return }
    remark(
      "this was import \(number)",
      resolution: "libre imports remove \(number) --dry-run, to see what undoing it removes")
  }
}
