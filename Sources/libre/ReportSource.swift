// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import SampleStore

/// What a picture is made of: the store, or files that are named.
struct ReportSource: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Dumps or histories of other programs, instead of the store.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @OptionGroup var input: InputOptions
  @OptionGroup var dates: DateOrderOption

  @Flag(help: "Take samples from a body whose checksum does not hold, too.")
  var salvage = false

  @OptionGroup var span: SpanOptions
  @OptionGroup var scope: ScopeOptions
  @OptionGroup var calibration: CalibrationOption
  @OptionGroup var store: StoreOptions

  /// What the flags say, by setting.
  var flags: [Setting: String] { store.flags.merging(calibration.flags) { $1 } }

  func validate() throws {
    if !files.isEmpty, store.store != nil {
      throw ValidationError("files are looked at without the store. Try one of them, or libre import.")
    }
    if files.isEmpty, input.isUsed || dates.dateOrder != nil || salvage {
      throw ValidationError(
        "--uid, --patch-info, --read-at, --dump, --input-format, --date-order and --salvage are about files. Try naming one."
      )
    }
  }

  /// What was found, between which ends.
  struct Found {
    /// Tells what is missing from it, and why there is nothing.
    func tell(of command: String, _ session: Session) {
      if history.undated > 0 {
        session.remark(
          "\(history.undated) samples are left out: nobody knows when their sensor was read",
          resolution: "--read-at TIME")
      }
      if history.isProvisional {
        session.remark(ReadingProblem.startIsProvisional.message, resolution: "--read-at TIME")
      }
      if let hint { session.remark(hint.words, resolution: hint.resolution ?? "libre \(command) --from all") }
    }

    let history: GlucoseHistory
    let from: Instant?
    let to: Instant?
    /// False if none of the files could be read, which has been told.
    var isRead = true
    /// The highest exit status of files that could not be read.
    var worst: Int32 = 0
    /// Why there is nothing, and the way out if it is not to look at all of the store; nil where there is something.
    var hint: (words: String, resolution: String?)?
  }

  /// The history that is wanted; from the store, beginning so many minutes ago unless the user says else.
  ///
  /// Throws what leaves nothing to be shown.
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
      from: ends.from, to: to, rings: rings, calibration: calibration, of: scope)
    var found = Found(history: history, from: ends.from, to: to)
    if history.isEmpty {
      var query = HistoryQuery()
      (query.rings, query.from, query.to, query.scope) = (rings, ends.from, to, scope)
      found.hint = (try store.hint(nothingFoundBy: query), nil)
    }
    return found
  }

  /// Throws `output` for a file that would be written over while it is the one that is looked at.
  func spare(_ path: String) throws(LibreError) {
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
    // If no file could be read, which was reported, the sensor's name is not known.
    let scope = isRead ? try scope.scope(in: store, ignoring: session.ignoredSources) : HistoryScope()
    var history = try store.glucoseHistory(
      from: ends.from, to: ends.to, rings: rings, calibration: calibration, of: scope)
    var hint: (words: String, resolution: String?)?
    if history.isEmpty {
      let names = files.joined(separator: ", ")
      let undated = try store.undatedHistory(rings: rings, calibration: calibration, of: scope)
      if let undated, !undated.isEmpty {
        if ends.from == nil, ends.to == nil {
          history = undated
        } else {
          hint = (
            "nobody knows when the sensor of \(names) was read, so --from and --to find nothing", "--read-at TIME"
          )
        }
      } else {
        var query = HistoryQuery()
        (query.rings, query.from, query.to, query.scope) = (rings, ends.from, ends.to, scope)
        hint =
          ends.from == nil && ends.to == nil
          ? ("no usable \(rings.count > 1 ? "" : "history ")values in \(names)", "libre decode, which says why")
          : (try store.hint(nothingFoundBy: query), "--from all")
      }
    }
    return Found(history: history, from: ends.from, to: ends.to, isRead: isRead, worst: worst, hint: hint)
  }
}
