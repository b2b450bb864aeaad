// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import GlucoseReport
import HostSystem
import LibreDocuments
import SensorHistory

struct CompareCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "compare", "Compare sensor values with finger-sticks, a reference, or each other.",
    discussion: """
      Compares the values in the store with its finger-sticks (libre add), or with the values in the given files: any \
      history that libre import reads, or a plain table with columns such as time and mg_dL. Prints one line per \
      calibration: bias, MARD, RMSE, limits of agreement (Bland-Altman), zones of the Clarke and Parkes error grids. --svg \
      draws the first calibration. --sensor selects one sensor, --source the values of another program.

      With --memories the files are dumps, and each calibration is compared with the factory's.

      With --official each calibration is compared with results of Abbott's own programs: the files are folders of dumps \
      with these results in an INDEX.json, or LibreLink's database sas.db. The answer says which known versions of that \
      software give these values, and how far off the others are. With --csv it holds neither names nor times.

      Examples:
        libre compare --svg agreement.svg
        libre compare reader.csv --time-zone Europe/Madrid --from all
        libre compare --memories --recursive dumps
        libre compare --official dumps
      """)

  @Argument(help: .value("file", "Files with reference values; dumps with --memories."), completion: .file())
  var files: [String] = []

  @Flag(help: "Compare calibrations with the factory's on the given dumps.")
  var memories = false

  @Flag(help: "Compare calibrations with official values, from folders with an INDEX.json or LibreLink's sas.db.")
  var official = false

  @Flag(name: .shortAndLong, help: "With --memories, take all files in folders.")
  var recursive = false

  @Option(
    help: .value(
      "model",
      "\(CalibrationEntry.help(default: "all that need no numbers; with --official, factory and reader")) May be repeated."
    ),
    completion: .calibrations)
  var calibration: [String] = []

  // Parsed unconditionally, so that a negative number gets a good error message.
  @Option(
    parsing: .unconditional, help: .value("minutes", "Maximum time between a sensor value and its reference value."))
  var within = SensorStore.bloodReachMinutes

  @Option(
    help: .value("grid", "The error grid to draw: \(Self.grids)."),
    completion: .list(ErrorGrid.allCases.map(\.rawValue)))
  var grid = ErrorGrid.parkesType1.rawValue

  @Option(
    help: .value("file", "Draw the error grid and the differences as SVG, - for standard output."), completion: .file())
  var svg: String?

  @Flag(help: "Write one JSON document.")
  var json = false

  @Flag(help: "Write the pairs as CSV.")
  var csv = false

  @OptionGroup var force: ForceOption
  @OptionGroup var span: SpanOptions
  @OptionGroup var scope: ScopeOptions
  @OptionGroup var histories: HistoryFileOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if let bad = calibration.first(where: { CalibrationChoice($0) == nil }) {
      throw ValidationError("invalid value \(bad) for --calibration. Try: \(CalibrationEntry.usages)")
    }
    try check(grid, of: "--grid", allowed: Self.grids) { ErrorGrid(rawValue: $0) != nil }
    try refuse(if: json && csv, "--json and --csv exclude each other. Try one of them.")
    try check(within, of: "--within", allowed: "minutes, 0 to 1440", (0...1_440).contains)
    let isAboutHistories = svg != nil || span.isUsed || scope.isUsed || histories.isUsed || store.store != nil
    if official {
      try refuse(if: files.isEmpty, "--official needs folders or databases. Try: libre compare --official dumps")
      try refuse(
        if: isAboutHistories || memories || recursive || input.isUsed,
        "--official works only with --calibration, --json and --csv. Try: libre compare --official dumps")
    }
    if memories || official {
      try refuse(if: files.isEmpty, "--memories needs dumps. Try: libre compare --memories dump.bin")
      try refuse(
        if: isAboutHistories || csv && memories,
        "--memories does not work with --csv, --svg, --from, --to, --sensor, --source, --store and options about histories, such as --date-order. Try without them."
      )
      try refuse(
        if: calibration.contains("user"),
        "--calibration user needs the store, which --memories does not use. Try: reader")
    } else if files.isEmpty, histories.subject != nil {
      throw ValidationError("--subject works only with files. Try naming one.")
    } else if recursive || input.isUsed {
      throw ValidationError(
        "--recursive, --uid, --patch-info, --read-at, --dump and --input-format work only with dumps. Try: --memories")
    }
  }

  func execute(_ session: Session) throws -> Int32 {
    if official { return try compareWithOfficial(session) }
    return memories ? try compareMemories(session) : try compareWithReference(session)
  }

  // MARK: Comparison with official values

  private func compareWithOfficial(_ session: Session) throws(LibreError) -> Int32 {
    let names = calibration.isEmpty ? ["factory", "reader"] : calibration
    let comparison: OfficialComparison
    do throws(OfficialComparison.Failure) {
      comparison = try OfficialComparison(paths: files, calibrations: named(names))
    } catch {
      Session.report(error.error, input: error.path)
      Session.write(error.error, path: error.path, as: errorFormat)
      return error.error.exitStatus
    }
    try session.write(
      json: json, csv: csv, document: { ComparisonJSON.write(comparison, to: &$0) },
      rows: ComparisonCSV.text(of: comparison), text: table(session).text(of: comparison))
    if comparison.count == 0 {
      session.remark(
        "no official value belongs to a memory that is there",
        resolution: "name a database of LibreLink with raw scans, or a folder with memories and an INDEX.json")
    }
    return 0
  }

  private static let grids = ErrorGrid.allCases.map(\.rawValue).joined(separator: ", ")

  // MARK: Comparison with a reference

  private func compareWithReference(_ session: Session) throws -> Int32 {
    let store = try StoreFile.openForReading(try session.storePath())
    let ends = try span.ends(now: LocalTime.now, standard: nil)
    let scope = try scope.scope(in: store)
    let reference: ReferenceValues
    if files.isEmpty {
      reference = try store.fingerSticks(from: ends.from, to: ends.to)
    } else {
      var worst: Int32 = 0
      reference = try ReferenceValues.read(
        files, options: histories.importOptions(session), from: ends.from, to: ends.to
      ) { path, error in
        Session.report(error, input: path)
        worst = max(worst, error.exitStatus)
      }
      // Results from only some of the files would look like results from all.
      if worst != 0 { return worst }
    }
    let comparison = try store.comparison(
      with: reference, calibrations: try choices(store, scope), within: within, of: scope)
    try write(comparison, session)
    guard comparison.maximumPairs == 0 else { return 0 }
    if !reference.points.isEmpty {
      session.remark(
        "\(self.scope.isUsed ? "no chosen value" : "no sensor value") is within \(within) min of a reference value",
        resolution: "libre sensors, to see when each was worn; --time-zone for a file with local times")
    } else if files.isEmpty {
      session.remark(
        "there is nothing to compare with",
        resolution: "libre add for a finger-stick, or name a file with reference values")
    } else {
      session.remark(
        "\(reference.name) has nothing to compare with; LO and HI do not count",
        resolution: "name a file with reference values")
    }
    return 0
  }

  private func write(_ comparison: Comparison, _ session: Session) throws(LibreError) {
    if let svg, let first = comparison.models.first, let grid = ErrorGrid(rawValue: grid) {
      let drawing = ComparisonDrawing(
        first.pairs, grid: grid, unit: session.configuration.unit, model: first.name, reference: comparison.reference,
        disclaimer: Program.disclaimer)
      let bytes = Array(drawing.svg.utf8)
      if svg == "-" { return try session.write(bytes) }
      try force.checkReplacement(of: svg, by: .picture)
      try libre(FileSystem.write(bytes, to: svg, isPrivate: true))
    }
    try session.write(
      json: json, csv: csv, document: { ComparisonJSON.write(comparison, within: within, to: &$0) },
      rows: ComparisonCSV.text(of: comparison), text: table(session).text(of: comparison, within: within))
  }

  /// The chosen calibrations; by default all without parameters, and the user's own if there is one.
  private func choices(_ store: SensorStore, _ scope: HistoryScope) throws -> [Comparison.Calibration] {
    if !calibration.isEmpty { return named(calibration) }
    if !scope.includesSensors { return [("as imported", .factory)] }
    let isCorrected = try store.hasUserCalibration()
    return named(CalibrationEntry.ready.filter { $0 != "user" || isCorrected })
  }

  private func named(_ names: [String]) -> [Comparison.Calibration] {
    names.compactMap { name in CalibrationChoice(name).map { (name, $0) } }
  }

  // MARK: Comparison of calibrations on dumps

  private func compareMemories(_ session: Session) throws(LibreError) -> Int32 {
    let names = calibration.isEmpty ? ["reader", "linear:0.1,0"] : calibration
    var comparison = MemoryComparison(calibrations: named(names))
    let decoder = DumpDecoder(options: try input.decodeOptions())
    var worst: Int32 = 0
    func report(_ error: LibreError, _ path: String, dump: Int? = nil) {
      Session.report(error, input: path, dump: dump)
      worst = max(worst, error.exitStatus)
    }
    func add(_ path: String) {
      do throws(LibreError) {
        let file = try decoder.open(path)
        for (index, result) in decoder.readings(of: file).enumerated() {
          let number = index + 1
          do throws(LibreError) {
            try comparison.add(try result.get(), path: path, dump: number > 1 ? number : nil)
          } catch {
            report(error, path, dump: number)
          }
        }
      } catch {
        report(error, path)
      }
    }
    for entry in InputFiles(files, recursive: recursive, session: session) {
      switch entry {
      case .success(let file): add(file)
      case .failure(let failure): report(.input(failure.error), failure.path)
      }
    }
    try session.write(
      json: json, document: { ComparisonJSON.write(comparison, to: &$0) }, text: table(session).text(of: comparison))
    return worst
  }

  private func table(_ session: Session) -> ComparisonTable {
    ComparisonTable(unit: session.configuration.unit, style: session.style)
  }
}
