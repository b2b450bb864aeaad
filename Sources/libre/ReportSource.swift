// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import SampleStore

/// Options for the source of a picture: the store, or given files.
struct ReportSource: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Dumps or histories of other programs, instead of the store.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @OptionGroup var input: InputOptions
  @OptionGroup var dates: DateOrderOption

  @Flag(help: "Decode samples even if the checksum of the memory's body is wrong.")
  var salvage = false

  @OptionGroup var span: SpanOptions
  @OptionGroup var scope: ScopeOptions
  @OptionGroup var calibration: CalibrationOption
  @OptionGroup var store: StoreOptions

  /// Settings from the flags.
  var flags: [Setting: String] { store.flags.merging(calibration.flags) { $1 } }

  func validate() throws {
    if !files.isEmpty, store.store != nil {
      throw ValidationError("files and --store exclude each other. Try one of them, or libre import.")
    }
    if files.isEmpty, input.isUsed || dates.dateOrder != nil || salvage {
      throw ValidationError(
        "--uid, --patch-info, --read-at, --dump, --input-format, --date-order and --salvage work only with files. Try naming one."
      )
    }
  }

  /// The history that was found, and its range.
  struct Found {
    /// Prints which samples are missing, or why nothing was found.
    func report(for command: String, _ session: Session) {
      if history.undated > 0 {
        session.remark(
          "\(history.undated) samples are left out: it is unknown when their sensor was read",
          resolution: "--read-at TIME")
      }
      if let words = history.supersededWords { session.remark(words, resolution: "--sensor SENSOR") }
      if history.isProvisional {
        session.remark(ReadingProblem.startIsProvisional.message, resolution: "--read-at TIME")
      }
      if let hint { session.remark(hint.words, resolution: hint.resolution ?? "libre \(command) --from all") }
    }

    let history: GlucoseHistory
    let from: Instant?
    let to: Instant?
    /// False if none of the files could be read, which was reported.
    var isRead = true
    /// The highest exit status of files that could not be read.
    var worst: Int32 = 0
    /// The reason for an empty history, and a fix other than `--from all`; nil if the history is not empty.
    var hint: (words: String, resolution: String?)?
  }

  /// Finds the history; from the store, by default the last `minutes`.
  ///
  /// - Throws: errors that leave nothing to show.
  func find(_ session: Session, rings: Set<SampleRing>, minutes: Int, now: Instant) throws -> Found {
    guard files.isEmpty else {
      return try findInFiles(
        session, rings, calibration.choice(session), ends: try span.ends(now: now, standard: nil))
    }
    let ends = try span.ends(now: now, standard: now.adding(minutes: -minutes))
    let store = try StoreFile.openForShowing(try session.storePath())
    let calibration = try calibration.choice(session, in: store)
    let to = span.end(of: ends, now: now)
    let scope = try scope.scope(in: store, ignoring: session.ignoredSources)
    let history = try store.glucoseHistory(
      from: ends.from, to: to, rings: rings, includesFingerSticks: true, calibration: calibration, of: scope)
    var found = Found(history: history, from: ends.from, to: to)
    if history.isEmpty {
      var query = HistoryQuery()
      (query.rings, query.from, query.to, query.scope) = (rings, ends.from, to, scope)
      found.hint = (try store.hint(nothingFoundBy: query), nil)
    }
    return found
  }

  /// Checks that an output path is not one of the input files.
  ///
  /// - Throws: `output(isInput)`.
  func checkIsNotInput(_ path: String) throws(LibreError) {
    guard let file = files.first(where: { FileSystem.isSame($0, path) }) else { return }
    throw .output(.isInput(path: path, input: file))
  }

  private func findInFiles(
    _ session: Session, _ rings: Set<SampleRing>, _ calibration: CalibrationChoice,
    ends: (from: Instant?, to: Instant?)
  ) throws -> Found {
    let store = try StoreFile.openInMemory()
    var options = try input.decodeOptions()
    options.salvage = salvage
    var worst: Int32 = 0
    var isRead = false
    let importer = Importer(
      into: store, decoder: DumpDecoder(options: options),
      options: dates.importOptions(session)
    ) { event throws(LibreError) in
      switch event {
      case .failed(let path, let dump, let error):
        Session.report(error, input: path, dump: dump)
        worst = max(worst, error.exitStatus)
      case .done: isRead = true
      case .storing: break
      }
    }
    for path in files { try importer.add(path) }
    try importer.finish()
    // If no file could be read, which was reported, the store does not know the named sensor.
    let scope = isRead ? try scope.scope(in: store, ignoring: session.ignoredSources) : HistoryScope()
    var history = try store.glucoseHistory(
      from: ends.from, to: ends.to, rings: rings, includesFingerSticks: true, calibration: calibration, of: scope)
    var hint: (words: String, resolution: String?)?
    if history.isEmpty {
      let names = files.joined(separator: ", ")
      let undated = try store.undatedHistory(rings: rings, calibration: calibration, of: scope)
      if let undated, !undated.isEmpty {
        if ends.from == nil, ends.to == nil {
          history = undated
        } else {
          hint = (
            "it is unknown when the sensor of \(names) was read, so --from and --to find nothing", "--read-at TIME"
          )
        }
      } else {
        var query = HistoryQuery()
        (query.rings, query.from, query.to, query.scope) = (rings, ends.from, ends.to, scope)
        hint =
          ends.from == nil && ends.to == nil
          ? ("no usable \(rings.count > 1 ? "" : "history ")values in \(names)", "libre decode, to see why")
          : (try store.hint(nothingFoundBy: query), "--from all")
      }
    }
    return Found(history: history, from: ends.from, to: ends.to, isRead: isRead, worst: worst, hint: hint)
  }
}
