// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreKit
import SampleStore
import SampleSync
import TextFormats

package struct SinksTable {
  private let style: Style

  package init(style: Style) { self.style = style }

  /// A line per sink, followed by the reason if it cannot be used, the time of the next attempt, and its last runs.
  package func list(_ sinks: [SinkView], runs: Int = 0) -> String {
    let rows = sinks.map { sink in
      let queued = sink.stored.map { "\($0.queued) queued" } ?? ""
      let parked = sink.stored?.parked ?? 0
      let last = sink.stored?.lastSuccessAt.map { "last sent \(LocalTime.minuteText($0))" } ?? "nothing sent yet"
      return [
        sink.name, sink.setup?.type.name ?? "?", sink.availability.rawValue, queued,
        parked == 0 ? "" : "\(parked) parked", last, sink.destination ?? "",
      ]
    }
    let lines = Columns.lines(rows, [.left, .left, .left, .right, .right])
    var text = ""
    for (line, sink) in zip(lines, sinks) {
      text += "\(colored(line, sink))\n"
      if let reason = sink.reason { text += "  \(SafeText.line(reason))\n" }
      if let next = Self.next(of: sink) { text += "  next attempt at \(next)\n" }
      if let resolution = sink.resolution { text += "  Try: \(resolution)\n" }
      text += Columns.indented(sink.runs.prefix(runs).map(Self.cells)).map { "\($0)\n" }.joined()
    }
    return text
  }

  /// The next attempt with its cause; nil for at once.
  private static func next(of sink: SinkView) -> String? {
    guard let next = sink.next else { return nil }
    let cause = next.isAsked ? ", requested by the receiver" : sink.stored?.failures == 0 ? ", by its interval" : ""
    return LocalTime.text(next.at) + cause
  }

  /// A run: when it began, its outcome, its numbers and the last failure.
  private static func cells(of run: StoredRun) -> [String] {
    let counts = SyncText.counts(
      removed: run.removed, accepted: run.accepted, parked: run.parked, queued: run.queued)
    return [LocalTime.text(run.at), run.outcome, counts, run.reason ?? ""]
  }

  package func text(of sink: SinkView) -> String {
    var rows: [[String]] = []
    func add(_ name: String, _ value: String?) { if let value { rows.append([name, value]) } }
    add("type", sink.setup.map { "\($0.type.name): \($0.type.summary)" })
    add("sends to", sink.destination)
    add(
      "sends",
      sink.setup.map { $0.type.takesSamples ? $0.parts.map(\.rawValue).sorted().joined(separator: ", ") : "alerts" })
    if let setup = sink.setup, let unit = setup.type.parameters.first(where: \.isUnit) {
      add("unit", setup.values[unit.key])
    }
    if let minutes = sink.setup?.intervalMinutes, minutes > 0 { add("interval", MinutesText.short(minutes)) }
    add("secret from", sink.secretOrigin)
    add("status", "\(sink.availability.rawValue)\(sink.reason.map { ": \($0)" } ?? "")")
    add("Try", sink.resolution)
    if let stored = sink.stored {
      add("enrolled", "\(LocalTime.text(stored.enrolledAt)), with samples from \(LocalTime.text(stored.sendsFrom)) on")
      let oldest = stored.oldestQueuedAt.map { ", the oldest from \(LocalTime.text($0))" } ?? ""
      add("queued", "\(stored.queued)\(oldest)")
      add("parked", stored.parked == 0 ? "0" : "\(stored.parked) (libre outbox list --sink \(sink.name))")
      add("last success", stored.lastSuccessAt.map(LocalTime.text) ?? "none yet")
      add("last error", stored.lastError)
      add("next attempt", Self.next(of: sink))
      add("last run", sink.runs.first.map { Self.cells(of: $0).filter { !$0.isEmpty }.joined(separator: "  ") })
      for (key, value) in stored.memory.sorted(by: { $0.key < $1.key }) { add("received", "\(key) \(value)") }
    }
    return ([style.bold(sink.name)] + Columns.indented(rows)).map { "\($0)\n" }.joined()
  }

  private func colored(_ line: String, _ sink: SinkView) -> String {
    switch sink.availability {
    case .enabled: line
    case .pending: style.dim(line)
    case .unavailable: style.warning(line)
    case .disabled: style.bad(line)
    }
  }

  /// The types of sinks with the keys of each; for a single type also its field map.
  package static func supported(_ name: String? = nil, style: Style) -> String {
    var text = ""
    for type in SinkType.all where name == nil || type.name == name {
      text += "\(style.bold(type.name))  \(type.summary)\n"
      var rows = type.parameters.map { parameter in
        [
          parameter.key, parameter.summary, parameter.choices.joined(separator: "|"),
          parameter.isPerson
            ? "default reference_id"
            : parameter.isUnit
              ? "default: the setting unit"
              : parameter.defaultValue.map { $0.isEmpty ? "optional" : "default \($0)" } ?? "required",
        ]
      }
      if type.secret != .none {
        rows.append(["secret", "secret_file, secret_command or a variable", "", type.secret.rawValue])
      }
      let parts = type.sendableParts.map(\.rawValue).joined(separator: " ")
      if !parts.isEmpty { rows.append(["send", "parts of the data to send", parts, "default glucose.history"]) }
      text += Columns.indented(rows).map { "\($0)\n" }.joined()
      let removal =
        switch type.removal {
        case .byKey: "are deleted there too"
        case .replacingState: "leave its state, which shows the newest value that is left, or none"
        case .impossible(let reason): "stay there: \(reason)"
        }
      text += "  Values that were removed here \(removal).\n"
      if name != nil { text += "\n" + fields(of: type, style) }
    }
    return text
  }

  private static func fields(of type: SinkType, _ style: Style) -> String {
    let rows = type.fields.map { field in
      let parts = field.parts.isEmpty ? "" : "with \(field.parts.map(\.rawValue).joined(separator: ", "))"
      return [
        field.ours ?? "–", field.theirs, [field.note ?? "", parts].filter { !$0.isEmpty }.joined(separator: "; "),
      ]
    }
    return Columns.lines([["ours", "theirs", ""]] + rows).enumerated().map { index, line in
      "  \(index == 0 ? style.bold(line) : line)\n"
    }.joined()
  }
}
