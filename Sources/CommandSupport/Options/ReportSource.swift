// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import GlucoseReport
import HostSystem
import LibreDocuments
package import SensorHistory

package struct ReportSource: ParsableArguments {
  package init() {}

  @Argument(help: .value("file", "Dumps or histories of other programs, instead of the store."), completion: .file())
  package var files: [String] = []

  @OptionGroup package var input: InputOptions
  @OptionGroup package var histories: HistoryFileOptions

  @Flag(help: "Decode samples even if the checksum of the memory's body is wrong.")
  package var salvage = false

  @OptionGroup package var span: SpanOptions
  @OptionGroup package var scope: ScopeOptions
  @OptionGroup package var calibration: CalibrationOption
  @OptionGroup package var store: StoreOption

  package var flags: [Setting: String] { store.flags.merging(calibration.flags) { $1 } }

  package func validate() throws {
    try refuse(
      if: !files.isEmpty && store.store != nil,
      "files and --store exclude each other. Try one of them, or libre import.")
    try refuse(
      if: files.isEmpty && (input.isUsed || histories.isUsed || salvage),
      "--uid, --patch-info, --read-at, --dump, --input-format, --date-order, --subject, --time-column, --glucose-column, --keep-going and --salvage work only with files. Try naming one."
    )
  }

  package struct Found {
    package var history: GlucoseHistory
    package let from: Instant?
    package let to: Instant?
    /// False if none of the files could be read, which was reported.
    package var isRead = true
    /// The highest exit status of files that could not be read.
    package var worst: Int32 = 0
    /// The reason for an empty history, and a fix other than `--from all`; nil if the history is not empty.
    var hint: (words: String, resolution: String?)?

    /// Checks that there is something to draw: an empty document must not replace one with values.
    /// - Throws: `report(nothingFound)`.
    package func requireValues(for command: String) throws(LibreError) {
      guard let hint, history.fingerSticks.isEmpty else { return }
      throw .report(.nothingFound(hint.words, resolution: hint.resolution ?? "libre \(command) --from all"))
    }

    /// Prints which samples are missing, or why nothing was found. `subject` is the name of the history among several.
    package func report(for command: String, _ session: Session, subject: String? = nil) {
      func remark(_ text: String, resolution: String) {
        session.remark(subject.map { "\($0): \(text)" } ?? text, resolution: resolution)
      }
      if history.undated > 0 {
        remark(
          "\(history.undated) samples are left out: it is unknown when their sensor was read",
          resolution: "--read-at TIME")
      }
      if let overlap = history.overlap {
        let resolution =
          switch overlap {
          case .sensors(let sensors): "--sensor \(sensors.first.serial ?? sensors.first.uid?.description ?? "UID")"
          case .files: command == "stats" ? "libre stats --by file" : "libre \(command) with one file at a time"
          }
        remark(overlap.message(history.clock), resolution: resolution)
      } else if let words = history.supersededWords {
        remark(words, resolution: "--sensor SENSOR")
      }
      if let doubt = history.doubt {
        let problem = ReadingProblem.startInDoubt(doubt)
        remark(problem.message, resolution: doubt == .modificationTime ? "--read-at TIME" : problem.resolution)
      }
      if let hint { remark(hint.words, resolution: hint.resolution ?? "libre \(command) --from all") }
    }
  }

  /// Finds the history; from the store, by default the last `minutes`.
  package func find(
    _ session: Session, rings: Set<SampleRing> = [.history], minutes: Int = StatisticsByDay.minimumDays * 1_440,
    now: Instant
  ) throws -> Found {
    guard files.isEmpty else {
      return try findInFiles(session, rings, calibration.choice(session), ends: try span.ends(now: now, standard: nil))
    }
    let ends = try span.ends(now: now, standard: now.adding(minutes: -minutes))
    let store = try StoreFile.openForReading(try session.storePath())
    let calibration = try calibration.choice(session, in: store)
    return try found(in: store, nil, session, rings, calibration, (ends.from, span.end(of: ends, now: now)))
  }

  package func checkIsNotInput(_ path: String) throws(LibreError) {
    guard let file = files.first(where: { FileSystem.isSame($0, path) }) else { return }
    throw .output(.isInput(path: path, input: file))
  }

  private func findInFiles(
    _ session: Session, _ rings: Set<SampleRing>, _ calibration: CalibrationChoice,
    ends: (from: Instant?, to: Instant?)
  ) throws -> Found {
    let store = try StoreFile.openInMemory()
    let (worst, facts, differing) = try read(files, into: store, session)
    let isRead = !facts.isEmpty
    var found = try found(in: store, files.joined(separator: ", "), session, rings, calibration, ends, isRead: isRead)
    (found.worst, found.isRead) = (worst, isRead)
    found.history.files = facts[""] ?? HistoryProvenance.FileFacts()
    if found.history.overlap == nil { found.history.overlap = differing.most.map(HistoryOverlap.files) }
    return found
  }

  /// Imports files into a store in memory, or with `subjects` into several. Errors of a file are reported; returns the
  /// highest exit status, the facts about the files that were read for each subject, and what several files differ in.
  private func read(
    _ paths: [String], into store: SensorStore, _ session: Session,
    subjects: ((String) throws(LibreError) -> SensorStore)? = nil
  ) throws(LibreError) -> (worst: Int32, facts: [String: HistoryProvenance.FileFacts], differing: DifferingFiles) {
    let options = try input.decodeOptions(salvage: salvage)
    var worst: Int32 = 0
    var facts: [String: HistoryProvenance.FileFacts] = [:]
    var differing = DifferingFiles()
    let isOne = paths.count == 1
    let importer = Importer(
      into: store, decoder: DumpDecoder(options: options), options: histories.importOptions(session),
      subjects: subjects, entry: { if !isOne { differing.add($0) } }
    ) { event throws(LibreError) in
      switch event {
      case .failed(let path, let dump, let error):
        Session.report(error, input: path, dump: dump)
        worst = max(worst, error.exitStatus)
      case .done(let tally): facts[tally.subject ?? "", default: HistoryProvenance.FileFacts()].add(tally)
      case .checking, .storing: break
      }
    }
    for path in paths {
      differing.begin(path)
      try importer.add(path)
    }
    try importer.finish()
    return (worst, facts, differing)
  }

  /// Finds the history in a store; `names` are the files that one in memory was read from, or the subject.
  private func found(
    in store: SensorStore, _ names: String?, _ session: Session, _ rings: Set<SampleRing>,
    _ calibration: CalibrationChoice, _ ends: (from: Instant?, to: Instant?), isRead: Bool = true
  ) throws -> Found {
    // If no file could be read, which was reported, the store does not know the named sensor.
    let scope = isRead ? try scope.scope(in: store, ignoring: session.ignoredSources) : HistoryScope()
    var history = try store.glucoseHistory(
      from: ends.from, to: ends.to, rings: rings, includesFingerSticks: true, calibration: calibration, of: scope)
    history.overlap = try store.simultaneousSensors(from: ends.from, to: ends.to, of: scope).map(HistoryOverlap.sensors)
    var found = Found(history: history, from: ends.from, to: ends.to)
    guard history.isEmpty else { return found }
    let isUnlimited = ends.from == nil && ends.to == nil
    if let names, let undated = try store.undatedHistory(rings: rings, calibration: calibration, of: scope),
      !undated.isEmpty
    {
      if isUnlimited {
        found.history = undated
      } else {
        let words = "it is unknown when the sensor of \(names) was read, so --from and --to find nothing"
        found.hint = (words, "--read-at TIME")
      }
    } else if let names, isUnlimited {
      found.hint = ("no usable \(rings.count > 1 ? "" : "history ")values in \(names)", "libre decode, to see why")
    } else {
      var query = HistoryQuery()
      (query.rings, query.from, query.to, query.scope) = (rings, ends.from, ends.to, scope)
      found.hint = (try store.hint(nothingFoundBy: query), names == nil ? nil : "--from all")
    }
    return found
  }

  /// Finds a history for each file, subject of the files or person, as `find` finds that one alone. A file that cannot be
  /// read is reported; returns nil if none could be read, and the highest exit status.
  package func findCohort(by grouping: Cohort.Grouping, _ session: Session, now: Instant) throws -> (
    cohort: Cohort?, worst: Int32
  ) {
    let calibration = calibration.choice(session)
    if grouping == .person { return try findPersons(session, now: now) }
    let ends = try span.ends(now: now, standard: nil)
    var members: [Cohort.Member] = []
    var worst: Int32 = 0
    func add(_ name: String, path: String?, _ store: SensorStore, _ facts: HistoryProvenance.FileFacts?) throws {
      do {
        var found = try found(in: store, name, session, [.history], calibration, ends)
        found.history.files = facts ?? HistoryProvenance.FileFacts()
        found.report(for: "stats", session, subject: name)
        members.append(Cohort.Member(name, found.history, from: ends.from, to: ends.to))
      } catch {
        guard let error = LibreError(wrapping: error) else { throw error }
        Session.report(error, input: path, subject: path == nil ? name : nil)
        worst = max(worst, error.exitStatus)
      }
    }
    switch grouping {
    case .person: break
    case .file:
      for (path, name) in zip(files, Self.names(of: files)) {
        let store = try StoreFile.openInMemory()
        let read = try read([path], into: store, session)
        worst = max(worst, read.worst)
        if !read.facts.isEmpty { try add(name, path: path, store, read.facts[""]) }
      }
    case .subject:
      var stores: [String: SensorStore] = [:]
      // In the order of the rows.
      var names: [String] = []
      let read = try read(files, into: try StoreFile.openInMemory(), session) { name throws(LibreError) in
        if let known = stores[name] { return known }
        let store = try StoreFile.openInMemory()
        stores[name] = store
        names.append(name)
        return store
      }
      worst = read.worst
      for name in names {
        if let store = stores.removeValue(forKey: name) { try add(name, path: nil, store, read.facts[name]) }
      }
    }
    return (members.isEmpty ? nil : Cohort(grouping, members, from: ends.from, to: ends.to), worst)
  }

  private func findPersons(_ session: Session, now: Instant) throws -> (cohort: Cohort?, worst: Int32) {
    var members: [Cohort.Member] = []
    var span: (from: Instant?, to: Instant?)
    for theirs in try session.household() {
      let name = theirs.person.word
      guard try theirs.existingStore()?.hasValues() ?? false else {
        session.remark("\(name): nothing is stored yet", resolution: "libre read --person \(name)")
        continue
      }
      let found = try find(theirs, now: now)
      found.report(for: "stats", session, subject: name)
      members.append(Cohort.Member(name, found.history, from: found.from, to: found.to))
      span = (found.from, found.to)
    }
    return (members.isEmpty ? nil : Cohort(.person, members, from: span.from, to: span.to), members.isEmpty ? 66 : 0)
  }

  /// The names of files without their folders, except those that are then the same.
  private static func names(of paths: [String]) -> [String] {
    let short = paths.map { path in path.split(separator: "/").last.map(String.init) ?? path }
    let counts = Dictionary(short.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(paths, short).map { path, name in counts[name] == 1 ? name : path }
  }
}
