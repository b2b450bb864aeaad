// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import SensorHistory
import TextFormats

struct HistoryCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "history", "Show the samples in the store, newest first.",
    discussion: """
      Shows the last 24 hours, or what --from or --after select. Samples of a sensor that was never read at a known time \
      have no time; --from all shows them too, at the end.

      With --json the document ends with an anchor, which names the current state of the store. --after ANCHOR shows only \
      samples added or changed since then, the ids of removed ones, and the next anchor, so that another program never \
      misses or repeats a sample.

      Examples:
        libre history --from yesterday
        libre history --from -90d --csv > history.csv
        libre history --json --after 3F2A91C07B5D44E1-1204
      """)

  @OptionGroup var span: SpanOptions
  @OptionGroup var ring: RingOption
  @OptionGroup var scope: ScopeOptions

  @Flag(help: "Show finger-sticks too.")
  var fingerSticks = false

  @Flag(help: "Show after each sample its earlier values by other calibrations.")
  var revisions = false

  @Option(help: .value("anchor", "Show only changes since this anchor."))
  var after: String?

  @Option(help: .value("number", "Maximum number of samples."))
  var limit: Int?

  @OptionGroup var calibration: CalibrationOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOption
  var errorFormat: OutputFormat? { output.format }
  @OptionGroup var store: StoreOptions
  var flags: [Setting: String] { store.flags.merging(calibration.flags) { $1 } }

  func validate() throws {
    try check(limit, of: "--limit", allowed: "1 or more, such as --limit 10") { $0 >= 1 }
    try refuse(
      if: limit != nil && after != nil, "--limit would make the list of changes (--after) incomplete. Try one of them.")
    try refuse(
      if: spreadsheet.csvSafe && output.format != .csv,
      "--csv-safe works only with --csv. Try: libre history --csv --csv-safe")
    try refuse(
      if: revisions && calibration.model != nil,
      "--revisions shows stored values, --calibration computes others. Try one of them.")
  }

  func execute(_ session: Session) throws {
    let store = try StoreFile.openForReading(try session.storePath())
    let query = try query(store, session)
    let calibration = revisions ? .factory : try calibration.choice(session, in: store)
    var listing = HistoryListing(
      format: output.format, unit: session.configuration.unit, style: session.style, rings: query.rings,
      showsCalibration: revisions, isWithoutFormulas: spreadsheet.csvSafe, now: LocalTime.now)
    let output = try OutputFile(nil, session: session)
    let changes = try store.snapshot { () throws(LibreError) in
      let changes = try libre(store.changes(after: query.after))
      try output.write(listing.begin())
      // The table shows no ids.
      try store.forEachEntry(query, calibration: calibration) { entry throws(LibreError) in
        try output.write(listing.add(entry))
        return true
      }
      try output.write(listing.end(deleted: changes.removed, anchor: changes.next))
      return changes
    }
    try output.finish()
    if listing.count == 0 {
      session.remark(try store.hint(nothingFoundBy: query), resolution: "libre history --from all")
    }
    if listing.count > 0, query.rings == [.history], self.output.format == .table, session.showsProgress {
      session.remark(
        "this is the history, a value every 15 minutes; each minute before a scan is in the trend",
        resolution: "libre history --ring all")
    }
    if after != nil, self.output.format != .json {
      session.remark("\(changes.removed.count) removed; continue with --after \(changes.next)")
    }
  }

  private func query(_ store: SensorStore, _ session: Session) throws -> HistoryQuery {
    let now = LocalTime.now
    var query = HistoryQuery()
    (query.from, query.to) = try span.ends(now: now, standard: after == nil ? now.adding(days: -1) : nil)
    query.rings = ring.rings
    query.includesFingerSticks = fingerSticks
    query.includesRevisions = revisions
    query.marksSuperseded = true
    query.scope = try scope.scope(in: store, ignoring: session.ignoredSources)
    query.limit = limit
    if let after {
      guard let anchor = StoreAnchor(after) else { throw LibreError.store(.badAnchor(SafeText.excerpt(after))) }
      query.after = anchor
    }
    return query
  }
}

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
          of: latest, history: history,
          fingerStick: try store.fingerStick(after: latest.entry.time, now: LocalTime.now), unit: unit,
          style: session.style, characters: Session.characters, smoothing: smoothing.choice))
      if let problem = latest.doubt.map(ReadingProblem.startInDoubt) {
        Session.notify(problem.message, resolution: problem.resolution)
      }
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

extension LatestBar: ExpressibleByArgument {}
