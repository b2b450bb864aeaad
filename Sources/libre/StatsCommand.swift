// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
import CGMModel
import GlucoseReport
import HostSystem
import LibreDocuments
import LibreKit

struct StatsCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show mean, spread and time in range, by day or another group, and the numbers that clinics use.",
    discussion: """
      Covers the last 14 days of the store, or what --from selects, or everything in the given files. Counts one usable \
      history value per quarter of an hour; values of sensors that libre read take precedence over imported ones. With less \
      than 70 % of the values, or less than 14 days, a note says that this is not enough for a report. Days, hours, weeks \
      (from Monday) and months are in local time.

      Examples:
        libre stats
        libre stats --by hour --from -90d
        libre stats LibreView.csv --date-order dmy --by month --json
      """)

  @OptionGroup var source: ReportSource

  @Option(help: ArgumentHelp("Group of values for each line.", valueName: "group"))
  var by = StatisticsGrouping.day

  @Flag(help: "Write one JSON document.")
  var json = false

  @Flag(help: "Write the lines as CSV.")
  var csv = false

  @Flag(help: "With --json, include the values that each day and line counts.")
  var samples = false

  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] { source.flags }

  func validate() throws {
    if json, csv { throw ValidationError("--json and --csv exclude each other. Try one of them.") }
    if samples, !json {
      throw ValidationError("--samples works only with --json. Try: --json --samples, or libre history")
    }
  }

  func execute(_ session: Session) throws -> Int32 {
    let found = try source.find(
      session, rings: [.history], minutes: StatisticsByDay.minimumDays * 1_440, now: LocalTime.now)
    if !found.isRead { return found.worst }
    let (history, from, to) = (found.history, found.from, found.to)
    if history.clock.kind == .sensorAge, ![.day, .sensor].contains(by) {
      throw LibreError.configuration(
        .badOption(
          name: "--by", value: by.rawValue,
          allowed: "day or sensor, because it is unknown when the sensor was read; --read-at TIME gives the time"))
    }
    let unit = session.configuration.unit
    let (statistics, metrics) = history.statistics(from: from, to: to)
    let groups = GroupedStatistics(history.quarters, by: by, from: from, to: to, clock: history.clock)
    if json {
      try session.write {
        StatsJSON.write(
          statistics, groups: groups, metrics: metrics, from: from, to: to, unit: unit, includesSamples: samples,
          to: &$0)
      }
    } else if csv {
      try session.write(StatsCSV.text(of: groups, unit: unit))
    } else {
      try session.write(
        StatsTable(unit: unit, style: session.style).text(of: statistics, groups: groups, metrics: metrics))
    }
    found.report(for: "stats", session)
    return found.worst
  }
}

extension StatisticsGrouping: ExpressibleByArgument {}
