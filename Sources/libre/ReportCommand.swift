// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import GlucoseReport
import HostSystem
import LibreDocuments
import SensorHistory

struct ReportCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    "report", "Write a report page: statistics, ambulatory glucose profile, daily profiles.",
    discussion: """
      Covers the last 14 days of the store, or what --from selects, or everything in the given files. The page is one file \
      without external resources, has a light and a dark mode, and prints on A4. It warns if there are less than 14 days, \
      or less than 70 % of their values. Finger-sticks are drawn as diamonds, and no number counts them. --svg and --png \
      write only the picture: the profile, or the values over time if there are less than \(AmbulatoryProfile.minimumDays) days. PNG needs an installed converter (librsvg2-bin). \
      A newer report replaces an older one of libre; any other file only with --force. A span without values is an error \
      (exit status 65), and nothing is written.

      Examples:
        libre report --from -90d --out report.html
        libre report dump.bin
        libre report --svg profile.svg --unit mmol/L
      """)

  @OptionGroup var source: ReportSource

  @Option(
    name: .shortAndLong,
    help: .value(
      "file",
      "The page, HTML or PDF by its extension, - for standard output. Default: \(Self.page), unless --svg or --png is given."
    ),
    completion: .file()
  )
  var out: String?

  @Option(help: .value("file", "Write only the picture, as SVG, - for standard output."), completion: .file())
  var svg: String?

  @Option(help: .value("file", "Write only the picture, as PNG, - for standard output."), completion: .file())
  var png: String?

  @Option(help: .value("text", "Name of the person, on each page. Default: the setting name of the person."))
  var name: String?

  @Option(help: .value("date", "Date of birth, on each page. Default: the setting born of the person."))
  var born: String?

  @OptionGroup var force: ForceOption
  @OptionGroup var smoothing: SmoothingOption
  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] {
    var flags = source.flags
    flags[.name] = name
    flags[.born] = born
    return flags
  }

  private static let page = "libre-report.html"

  private static func isPDF(_ path: String) -> Bool { path.lowercased().hasSuffix(".pdf") }

  func validate() throws {
    try refuse(
      if: [out, svg, png].count { $0 == "-" } > 1,
      "only one of --out, --svg and --png can be standard output. Try a file for the others.")
    try refuse(
      if: Set(outputFiles).count < outputFiles.count,
      "--out, --svg and --png name the same file. Try another name for each.")
  }

  private var outputFiles: [String] { [out, svg, png].compactMap(\.self).filter { $0 != "-" } }

  func execute(_ session: Session) throws -> Int32 {
    for path in outputFiles { try source.checkIsNotInput(path) }
    try checkName("--out", out, ["html", "htm", "pdf"])
    try checkName("--svg", svg, ["svg"])
    try checkName("--png", png, ["png"])
    let now = try Program.documentTime(Session.environment)
    let found = try source.find(session, now: now)
    if !found.isRead { return found.worst }
    try found.requireValues(for: "report")
    let page = out ?? (svg == nil && png == nil ? Self.page : nil)
    if let page { try force.checkReplacement(of: page, by: Self.isPDF(page) ? .pdf : .page) }
    if let svg { try force.checkReplacement(of: svg, by: .picture) }
    if let png { try force.checkReplacement(of: png, by: .png) }
    var content = found.history.content(
      from: found.from, to: found.to, unit: session.configuration.unit, madeAt: now, smoothing: smoothing.choice)
    // Files may be anybody's.
    let isOfPerson = source.files.isEmpty
    content.person = session.text(of: .name, isOfPerson: isOfPerson)
    content.born = session.text(of: .born, isOfPerson: isOfPerson)
    if let page {
      let html = ReportPage(content).html
      try write(
        Self.isPDF(page) ? try ReportConverter.pdf.convert(html, environment: Session.environment) : Array(html.utf8),
        to: page, session)
    }
    lazy var drawing = ReportDrawing(content).svg
    if let svg { try write(Array(drawing.utf8), to: svg, session) }
    if let png {
      try write(try ReportConverter.png.convert(drawing, environment: Session.environment), to: png, session)
    }
    found.report(for: "report", session)
    return found.worst
  }

  private func checkName(_ option: String, _ path: String?, _ endings: [String]) throws(LibreError) {
    guard let path, path != "-", let name = path.split(separator: "/").last, let dot = name.lastIndex(of: "."),
      dot != name.startIndex
    else { return }
    let ending = name[name.index(after: dot)...].lowercased()
    if endings.contains(ending) { return }
    let names = endings.filter { $0 != "htm" }.map { ".\($0)" }.joined(separator: " or ")
    let other = [("--out", "html"), ("--out", "pdf"), ("--svg", "svg"), ("--png", "png")].first { $1 == ending }
    let instead = other.map { ", or \($0.0) \(path)" } ?? ""
    throw .configuration(.badOption(name: option, value: path, allowed: "a name that ends in \(names)\(instead)"))
  }

  private func write(_ bytes: [UInt8], to path: String, _ session: Session) throws(LibreError) {
    if path == "-" { return try session.write(bytes) }
    try libre(FileSystem.write(bytes, to: path, isPrivate: true))
    session.remark("wrote \(path)")
  }
}

extension Session {
  /// The text of a setting about the person; nil if it is empty, or not given for this report and it is about files.
  fileprivate func text(of setting: Setting, isOfPerson: Bool) -> String? {
    let value = configuration[setting]
    return isOfPerson || value.origin == .flag ? value.textIfSet : nil
  }
}

struct PlotCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    "plot", "Draw the values over time, in the terminal.",
    discussion: """
      Shows the last 24 hours of the store, or what --from selects, or everything in the given files. Values up to \
      \(DataGap.bridgedMinutes) minutes apart are joined; finger-sticks are marks of their own. If the terminal has no \
      braille characters (by LC_ALL, LC_CTYPE, LANG and TERM), or with --ascii, the picture is made of plain characters.

      Examples:
        libre plot
        libre plot --from -7d --width 120
        libre plot dump.bin --ascii
      """)

  @OptionGroup var source: ReportSource

  @Option(help: .value("number", "Width in columns, \(Self.text(TerminalPlot.widths)). Default: that of the terminal."))
  var width: Int?

  @Option(help: .value("number", "Height in rows between the axes, \(Self.text(TerminalPlot.heights))."))
  var height = 16

  @Flag(help: "Draw with plain characters.")
  var ascii = false

  @OptionGroup var smoothing: SmoothingOption
  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] { source.flags }

  func validate() throws {
    try check(width, of: "--width", allowed: Self.text(TerminalPlot.widths), TerminalPlot.widths.contains)
    try check(height, of: "--height", allowed: Self.text(TerminalPlot.heights), TerminalPlot.heights.contains)
  }

  func execute(_ session: Session) throws -> Int32 {
    let found = try source.find(
      session, rings: Set(SampleRing.allCases), minutes: 1_440,
      now: try Program.documentTime(Session.environment))
    if !found.isRead { return found.worst }
    try found.requireValues(for: "plot")
    let plot = PlotText(
      unit: session.configuration.unit, style: session.style,
      characters: ascii ? .ascii : Session.characters, smoothing: smoothing.choice)
    try session.write(
      plot.text(
        // The picture starts at the first value unless --from is given.
        of: found.history, from: source.span.from == nil ? nil : found.from, to: found.to,
        width: width ?? session.columns, height: height))
    found.report(for: "plot", session)
    return found.worst
  }

  private static func text(_ range: ClosedRange<Int>) -> String { "\(range.lowerBound) to \(range.upperBound)" }
}

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
      json: json, csv: csv, document: { CohortJSON.write((cohort, unit), to: &$0) },
      rows: profile ? CohortCSV.profiles(of: cohort, unit: unit) : CohortCSV.figures(of: cohort, unit: unit),
      text: CohortTable.text(of: cohort, unit: unit, style: session.style))
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
        StatsJSON.write((statistics, groups, metrics, history.provenance, from, to, unit, samples), to: &$0)
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
