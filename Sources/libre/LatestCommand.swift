// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore

struct LatestCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "latest",
    abstract: "Show the newest value in the store, and how old it is.",
    discussion: """
      Looks into the store only, so it is fast enough for a prompt or a status bar. A value older than \
      \(LatestValue.staleMinutes) minutes is stale: it is marked, and has no arrow. Imported values \
      count where the sensor's own is stale, but for those of the sources in the setting ignore_sources.

      A template takes \(LatestTemplate.names).

      Examples:
        libre latest
        libre latest --template '{value} {arrow} {age}'
        libre latest --json | jq 'select(.stale | not) | .glucose_mg_dl'
      """)

  @Option(help: ArgumentHelp("Write a line of your own.", valueName: "text"))
  var template: String?

  @Flag(help: "Write one JSON document.")
  var json = false

  @OptionGroup var calibration: CalibrationOption
  @OptionGroup var smoothing: SmoothingOption
  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] { store.flags.merging(calibration.flags) { $1 } }

  func validate() throws {
    if template != nil, json { throw ValidationError("--template and --json exclude each other. Try one of them.") }
    if let template {
      do {
        _ = try LatestTemplate(template)
      } catch {
        throw ValidationError("there is no {\(error.name)}. Try: \(LatestTemplate.names)")
      }
    }
  }

  func execute(_ session: Session) throws {
    let store = try StoreFile.openForShowing(try session.storePath())
    let calibration = try calibration.choice(session, in: store)
    let latest = try store.latestValue(
      now: LocalTime.now, calibration: calibration, ignoring: session.ignoredSources)
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
          of: latest, history: history, unit: unit, style: session.style, characters: Session.characters,
          smoothing: smoothing.choice))
    }
  }
}
