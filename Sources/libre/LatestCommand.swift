// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore

struct LatestCommand: CommandWithStore, CommandWithDocument {
  static let configuration = CommandConfiguration(
    "latest", "Show the newest value in the store, and how old it is.",
    discussion: """
      Reads only the store, so it is fast enough for a prompt or a status bar. A value older than \
      \(LatestValue.staleMinutes) minutes is stale: it is marked, and has no arrow. An imported \
      value is used if the sensor's own is stale, except from sources in the setting ignore_sources.

      A template may contain \(LatestTemplate.names). --format writes a line for a status bar: low under 70 mg/dL, high \
      over 180. Its exit status is 0 even without a value, unless the store cannot be read.

      Examples:
        libre latest
        libre latest --format waybar
        libre latest --template '{value} {arrow} {age}'
        libre latest --json | jq 'select(.stale | not) | .glucose_mg_dl'
      """)

  @Option(help: .value("text", "Write a line made from this template."))
  var template: String?

  @Option(help: .value("bar", "Write a line for a status bar: waybar, polybar or tmux."))
  var format: LatestBar?

  @OptionGroup var document: DocumentOption
  @OptionGroup var calibration: CalibrationOption
  @OptionGroup var smoothing: SmoothingOption
  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] { store.flags.merging(calibration.flags) { $1 } }

  func validate() throws {
    let forms = [template.map { _ in "--template" }, format.map { _ in "--format" }, json ? "--json" : nil]
      .compactMap(\.self)
    try refuse(if: forms.count > 1, "\(forms.joined(separator: " and ")) exclude each other. Try one of them.")
    if let template {
      do {
        _ = try LatestTemplate(template)
      } catch {
        throw ValidationError("unknown placeholder {\(error.name)}. Try: \(LatestTemplate.names)")
      }
    }
  }

  func execute(_ session: Session) throws {
    if let format { return try session.write(line(for: format, session) + "\n") }
    let (store, calibration, latest) = try newest(session)
    let unit = session.configuration.unit
    if let template, let template = try? LatestTemplate(template) {
      try session.write(template.text(of: latest, unit: unit) + "\n")
    } else if json {
      try session.write { LatestJSON.write(latest, to: &$0) }
    } else {
      let history: GlucoseHistory? =
        if let time = latest.entry.time {
          try store.glucoseHistory(
            from: time.adding(minutes: -8 * 60), to: time, rings: Set(SampleRing.allCases),
            calibration: calibration, of: HistoryScope(ignoredSources: session.ignoredSources))
        } else {
          nil
        }
      try session.write(
        LatestText.text(
          of: latest, history: history, fingerStick: try store.fingerStick(after: latest.entry.time), unit: unit,
          style: session.style, characters: Session.characters, smoothing: smoothing.choice))
    }
  }

  private func newest(_ session: Session) throws -> (SensorStore, CalibrationChoice, LatestValue) {
    let store = try StoreFile.openForReading(try session.storePath())
    let calibration = try calibration.choice(session, in: store)
    let ignored = session.ignoredSources
    return (store, calibration, try store.newestValue(now: LocalTime.now, calibration: calibration, ignoring: ignored))
  }

  /// The line for a status bar. A missing value is not an error here, because a bar shows nothing of a failed command.
  private func line(for bar: LatestBar, _ session: Session) throws -> String {
    do {
      return bar.line(of: try newest(session).2, unit: session.configuration.unit)
    } catch {
      guard let error = LibreError(wrapping: error) else { throw error }
      switch error.cause as? StoreError {
      case .missing, .noValue: return bar.line(of: nil, unit: session.configuration.unit, reason: error.message)
      default: throw error
      }
    }
  }
}

extension SensorStore {
  /// The newest finger-stick that was measured after this time; nil without one, or if the time is unknown.
  fileprivate func fingerStick(after time: Instant?) throws(StoreError) -> FingerStick? {
    guard let time else { return nil }
    var query = HistoryQuery()
    (query.rings, query.includesFingerSticks, query.limit) = ([], true, 1)
    (query.from, query.to) = (Instant(secondsSince1970: time.secondsSince1970 + 1), LocalTime.now)
    var newest: FingerStick?
    try forEachEntry(query) { entry in
      if case .fingerStick(let stick) = entry { newest = stick }
      return true
    }
    return newest
  }
}

extension LatestBar: ExpressibleByArgument {}
