// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import Logging
import SensorHistory
import TextFormats

struct ImportCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "import", "Import saved dumps and other programs' histories into the store.",
    discussion: """
      Accepts every dump format, all memories in a file, and the histories that libre formats lists. Importing a file again \
      changes nothing. A file is reported once its values are saved on disk. Times without a zone are in --time-zone. libre \
      imports lists past imports and can undo them. A file with an invalid value is refused as a whole, unless \
      --keep-going; an empty cell, NA, NaN, null and - mean a missing value. A table with other names of columns needs \
      --time-column and --glucose-column. A dump goes to the owner of the sensor (libre person); one \
      of a sensor that was never read here, and that was worn at the same time as another, needs --mine or --person NAME. \
      --found searches files of any kind for memories, as libre find does, and imports each once.

      Examples:
        libre import --recursive dumps
        libre import LibreView.csv --date-order dmy
        libre import study.csv --time-column when --glucose-column BG --unit mmol/L
        libre import --found phone-backup
      """)

  @Argument(help: .value("file", "Files, - for standard input, folders with --recursive."), completion: .file())
  var files: [String]

  @OptionGroup var input: InputOptions

  @Flag(name: .shortAndLong, help: "Import all files in folders, in the order of their paths.")
  var recursive = false

  @Flag(help: "Import the sensor memories in any files, and in all that is in folders (see libre find); no histories.")
  var found = false

  @Flag(help: "Decode samples even if the checksum of the memory's body is wrong, and mark them.")
  var salvage = false

  @OptionGroup var calibration: CalibrationOption
  @OptionGroup var histories: HistoryFileOptions

  @Option(help: .value("name", "Skip a history's values from this source; may be repeated."))
  var ignoreSource: [String] = []

  @Flag(help: "Of a table of several subjects, store the values of each for a person of that name, who is added.")
  var subjectsAsPersons = false

  @OptionGroup var owner: OwnerOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions
  var flags: [Setting: String] { store.flags.merging(calibration.flags) { $1 } }

  func validate() throws {
    try refuse(if: output.format == .csv, "import cannot write CSV. Try: --ndjson")
    try refuse(
      if: subjectsAsPersons && (histories.subject != nil || global.person != nil || store.store != nil),
      "--subjects-as-persons excludes --subject, --person and --store. Try one of them.")
    try refuse(
      if: found && (input.isUsed || salvage || histories.isUsed || !ignoreSource.isEmpty || subjectsAsPersons),
      "--found takes proven memories only, and no option about one dump or a history. Try: without --found for that file"
    )
  }

  /// Only errors that stop all files are thrown.
  func execute(_ session: Session) async throws -> Int32 {
    let walk = found ? await MemoryWalk.run(files, session) : nil
    let decodeOptions = try input.decodeOptions(salvage: salvage, calibration: calibration.choice(session))
    var worst: Int32 = 0
    // With subjects, nothing goes into the current person's store.
    let store =
      if subjectsAsPersons { try StoreFile.openInMemory() } else {
        try Session.openForWriting(try session.storePath())
      }
    session.log(
      .debug, "import options",
      [
        "time_zone": LocalTime.zoneName ?? "unnamed", "date_order": histories.dateOrder ?? "as the file says",
        "calibration": session.configuration[.calibration].text,
      ])
    let isOne = files.count == 1 && !found && !(recursive && FileSystem.isFolder(files[0]))
    var printer = ImportPrinter(
      session: session, format: output.format, progress: RunProgress(session, word: "imported"), isOne: isOne)
    let household = try session.household(of: session.household(), isNamed: owner.isNamed(global), source: .importing)
    let stores = ImportStores(own: store, of: household, files: files, now: LocalTime.now) { name throws(LibreError) in
      let person = try Persons.subject(name, environment: Session.environment)
      return try Session.openForWriting(try session.session(of: person).storePath())
    }
    let importer = Importer(
      into: store, of: stores, decoder: DumpDecoder(options: decodeOptions), options: histories.importOptions(session),
      ignoredSources: Set(ignoreSource),
      subjects: subjectsAsPersons ? { name throws(LibreError) in try stores.store(of: name) } : nil
    ) { event throws(LibreError) in
      var number = 0
      switch event {
      case .failed(_, _, let error): worst = max(worst, error.exitStatus)
      case .done(let tally): number = stores.count(tally)
      case .checking, .storing: break
      }
      try printer.add(event, number: number)
    }
    try printer.begin()
    var added: Int?
    do throws(LibreError) {
      try stores.begin()
      if let walk { try importer.add(walk.found) }
      for entry in InputFiles(walk == nil ? files : [], recursive: recursive, session: session) {
        switch entry {
        case .success(let file):
          printer.progress.begin(file)
          session.log(.info, "importing", ["file": file])
          try importer.add(file)
        case .failure(let failure):
          printer.progress.begin(failure.path)
          worst = max(worst, failure.error.exitStatus)
          try printer.add(.failed(path: failure.path, dump: nil, .input(failure.error)))
        }
      }
      try importer.finish()
      for file in walk?.unread ?? [] {
        try printer.add(.failed(path: file.path, dump: nil, file.error))
      }
      if let failure = walk?.failure { Session.report(failure) }
      worst = max(worst, walk?.exitStatus ?? 0)
      added = try stores.end()
    } catch {
      _ = try? stores.end()
      // What was already written has to become a complete document.
      try printer.end(with: error)
      throw stores.hasStored ? error.afterPart : error
    }
    try printer.end(with: nil)
    if let added { session.remark(import: added) }
    printer.progress.end()
    return worst
  }
}

extension LibreError {
  /// The error of an import that has stored and listed some files.
  fileprivate var afterPart: LibreError {
    if case .diskFull(let path) = cause as? StoreError { .store(.diskFullAfterPart(path: path)) } else { self }
  }
}

private struct ImportPrinter {
  let session: Session
  let format: OutputFormat
  var progress: RunProgress
  /// True for one input: its JSON is one document instead of an array, unless several of its memories fail.
  let isOne: Bool
  var count = 0
  /// The first document of a single input, held back until it is known whether others follow.
  var first: Document?

  typealias Document = (inout JSONWriter) -> Void

  func begin() throws(LibreError) {
    if format == .json, !isOne { try session.write("[") }
  }

  /// `number` is that of the import in the store of what is done.
  mutating func add(_ event: Importer.Event, number: Int = 0) throws(LibreError) {
    session.log(event)
    switch event {
    case .checking(let path, let values): progress.show(values, of: path, word: "checked")
    case .storing(let path, let values): progress.show(values, of: path, word: "stored")
    case .done(let tally):
      progress.clear()
      progress.count(isRefused: false)
      switch format {
      case .table, .csv:
        try session.write(ImportText.text(of: tally))
        for remark in ImportText.remarks(on: tally) {
          Session.notify("\(tally.path): \(remark.message)", resolution: remark.resolution)
        }
      case .json, .ndjson: try write { ImportJSON.write((number, tally), to: &$0) }
      }
    case .failed(let path, let dump, let error):
      progress.clear()
      progress.count(isRefused: true)
      Session.report(error, input: path, dump: dump)
      if format == .json || format == .ndjson { try write { ErrorJSON.write(error, path: path, dump: dump, to: &$0) } }
    }
  }

  /// Ends the output; `error` is the one that stopped the import, which is reported elsewhere.
  mutating func end(with error: LibreError?) throws(LibreError) {
    guard format == .json else { return }
    if isOne, count == 0, let error { try write { ErrorJSON.write(error, path: nil, dump: nil, to: &$0) } }
    if let first {
      try session.write(document: first)
    } else if !isOne || count > 0 {
      try session.write(count == 0 ? "]\n" : "\n]\n")
    }
  }

  private mutating func write(_ document: @escaping Document) throws(LibreError) {
    defer { count += 1 }
    if format == .ndjson { return try session.writeLine(document) }
    if isOne, count == 0 { return first = document }
    if let earlier = first {
      first = nil
      try session.write("[")
      try writeElement(earlier, isFirst: true)
    }
    try writeElement(document, isFirst: count == 0)
  }

  private func writeElement(_ document: Document, isFirst: Bool) throws(LibreError) {
    var writer = JSONWriter(indented: true, depth: 1)
    document(&writer)
    try session.write(Array((isFirst ? "\n  " : ",\n  ").utf8) + writer.bytes)
  }
}
