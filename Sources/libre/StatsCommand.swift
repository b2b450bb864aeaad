// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import GlucoseReport
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore

struct StatsCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show mean, spread and time in range, day by day, and the clinics' numbers.",
    discussion: """
      The last 14 days unless --from says else. Counts one usable history value a quarter of an hour, those of sensors \
      that libre read before imported ones. Of a stretch with less than 70 % of its values, or less than 14 days, the \
      numbers are shown and said not to be enough for a report.

      Examples:
        libre stats
        libre stats --from -90d --unit mmol/L --json
      """)

  enum Period: String, CaseIterable, ExpressibleByArgument {
    case day
  }

  @Option(help: "What each line is about: day.")
  var by = Period.day

  @OptionGroup var span: SpanOptions

  @Flag(help: "Write one JSON document.")
  var json = false

  @Flag(help: "Write a row a day as CSV.")
  var csv = false

  @Flag(help: "Give the values that each day counts too; with --json.")
  var samples = false

  @OptionGroup var calibration: CalibrationOption
  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] { store.flags.merging(calibration.flags) { $1 } }

  func validate() throws {
    if json, csv { throw ValidationError("--json and --csv exclude each other. Try one of them.") }
    if samples, !json {
      throw ValidationError("--samples has no place in a table. Try: --json --samples, or libre history")
    }
  }

  func execute(_ session: Session) throws {
    let store = try StoreFile.openForShowing(try session.storePath())
    let now = LocalTime.now
    let ends = try span.ends(now: now, standard: now.adding(days: -StatisticsByDay.fewestDays))
    let (from, to) = (ends.from, span.end(of: ends, now: now))
    let history = try store.glucoseHistory(
      from: from, to: to, calibration: try calibration.choice(session, in: store), ignoring: session.ignoredSources)
    let unit = session.configuration.unit
    let content = history.content(from: from, to: to, unit: unit, madeAt: nil)
    let (statistics, metrics) = (content.byDay, content.metrics)
    if json {
      try session.write {
        StatsJSON.write(
          statistics, metrics: metrics, from: from, to: to, unit: unit, includesSamples: samples, to: &$0)
      }
    } else if csv {
      try session.write(StatsCSV.text(of: statistics, unit: unit))
    } else {
      try session.write(StatsTable(unit: unit, style: session.style).text(of: statistics, metrics: metrics))
    }
    if statistics.days.isEmpty {
      var query = HistoryQuery()
      (query.from, query.to, query.ignoredSources) = (from, to, session.ignoredSources)
      session.remark(try store.hint(nothingFoundBy: query), resolution: "libre stats --from all")
    }
  }
}
