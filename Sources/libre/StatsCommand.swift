// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import GlucoseReport
import HostSystem
import LibreDocuments
import LibreKit

struct StatsCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    "stats", "Show mean, spread and time in range, by day or another group, and the numbers that clinics use.",
    discussion: """
      Covers the last 14 days of the store, or what --from selects, or everything in the given files. Counts one usable \
      history value per quarter of an hour; values of sensors that libre read take precedence over imported ones. With less \
      than 70 % of the values, or less than 14 days, a note says that this is not enough for a report. Days, hours, weeks \
      (from Monday) and months are in local time.

      --by file and --by subject make a cohort: a line for each file, or for each subject of tables with a column such as \
      subject or id, with the figures of this history alone; --by person does so for the people of libre person list. --csv \
      and --json have all figures, and --json and --csv --profile the percentiles of the day (5, 25, 50, 75, 95).

      Examples:
        libre stats
        libre stats --by hour --from -90d
        libre stats LibreView.csv --date-order dmy --by month --json
        libre stats --by file study/*.csv --csv
        libre stats --by subject study.csv --json
        libre stats --by person --from -90d
      """)

  @OptionGroup var source: ReportSource

  @Option(
    help: .value("group", "What each line is: a group of values, or a history of its own (file, subject, person)."))
  var by = StatsLine.group(.day)

  @Flag(help: "Write one JSON document.")
  var json = false

  @Flag(help: "Write the lines as CSV.")
  var csv = false

  @Flag(
    help: "With --csv and --by file, subject or person, write the percentiles of each quarter of an hour of the day.")
  var profile = false

  @Flag(help: "With --json, include the values that each day and line counts.")
  var samples = false

  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] { source.flags }

  func validate() throws {
    try refuse(if: json && csv, "--json and --csv exclude each other. Try one of them.")
    try refuse(if: samples && !json, "--samples works only with --json. Try: --json --samples, or libre history")
    switch by {
    case .group:
      try refuse(if: profile, "--profile works only with a cohort. Try: --by file --csv --profile")
    case .cohort(let grouping):
      let option = "--by \(grouping.rawValue)"
      try refuse(
        if: grouping != .person && source.files.isEmpty,
        "\(option) works only with files. Try: libre stats \(option) *.csv")
      try refuse(
        if: grouping == .person && !source.files.isEmpty,
        "\(option) works only without files. Try: libre stats --by file FILE…")
      try refuse(if: samples, "\(option) has no lists of values. Try: without --samples")
      try refuse(if: profile && !csv, "--profile works only with --csv. Try: \(option) --csv --profile")
      try refuse(
        if: grouping == .subject && source.histories.subject != nil,
        "--subject and --by subject exclude each other. Try one of them.")
    }
  }

  func execute(_ session: Session) throws -> Int32 {
    switch by {
    case .group(let grouping): try showHistory(by: grouping, session)
    case .cohort(let grouping): try showCohort(by: grouping, session)
    }
  }

  private func showCohort(by grouping: Cohort.Grouping, _ session: Session) throws -> Int32 {
    let found = try source.findCohort(by: grouping, session, now: try Program.documentTime(Session.environment))
    guard let cohort = found.cohort else { return found.worst }
    let unit = session.configuration.unit
    try session.write(
      json: json, csv: csv, document: { CohortJSON.write(cohort, unit: unit, to: &$0) },
      rows: profile ? CohortCSV.profiles(of: cohort, unit: unit) : CohortCSV.figures(of: cohort, unit: unit),
      text: CohortTable(unit: unit, style: session.style).text(of: cohort))
    return found.worst
  }

  private func showHistory(by grouping: StatisticsGrouping, _ session: Session) throws -> Int32 {
    let found = try source.find(session, now: try Program.documentTime(Session.environment))
    if !found.isRead { return found.worst }
    let (history, from, to) = (found.history, found.from, found.to)
    if history.clock.kind == .sensorAge, ![.day, .sensor].contains(grouping) {
      throw LibreError.configuration(
        .badOption(
          name: "--by", value: grouping.rawValue,
          allowed: "day or sensor, because it is unknown when the sensor was read; --read-at TIME gives the time"))
    }
    let unit = session.configuration.unit
    let (statistics, metrics) = history.statistics(from: from, to: to)
    let groups = GroupedStatistics(history.quarters, by: grouping, from: from, to: to, clock: history.clock)
    try session.write(
      json: json, csv: csv,
      document: {
        StatsJSON.write(
          statistics, groups: groups, metrics: metrics, provenance: history.provenance, from: from, to: to, unit: unit,
          includesSamples: samples, to: &$0)
      }, rows: StatsCSV.text(of: groups, provenance: history.provenance, unit: unit),
      text: StatsTable(unit: unit, style: session.style).text(
        of: statistics, groups: groups, metrics: metrics, provenance: history.provenance))
    found.report(for: "stats", session)
    return found.worst
  }
}

enum StatsLine: ExpressibleByArgument {
  case group(StatisticsGrouping)
  case cohort(Cohort.Grouping)

  init?(argument: String) {
    let line =
      StatisticsGrouping(rawValue: argument).map(Self.group) ?? Cohort.Grouping(rawValue: argument).map(Self.cohort)
    guard let line else { return nil }
    self = line
  }

  var defaultValueDescription: String {
    switch self {
    case .group(let grouping): grouping.rawValue
    case .cohort(let grouping): grouping.rawValue
    }
  }

  static var allValueStrings: [String] {
    StatisticsGrouping.allCases.map(\.rawValue) + Cohort.Grouping.allCases.map(\.rawValue)
  }
}
