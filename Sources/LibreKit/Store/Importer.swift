// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
public import HistoryFormats
public import SampleStore

/// Imports files into the store: sensors' memories in any dump format, and histories of other programs.
///
/// Memories are stored in batches, each in one transaction. A file reported as done is on the disk; after an
/// interruption, files after the last report are not stored at all.
public final class Importer {
  /// The outcome of a file, or progress.
  public enum Event: Sendable {
    /// The file is stored, except for values that were left out.
    case done(ImportTally)
    /// A file, or one of its memories (`dump`, from 1), was not stored.
    case failed(path: String, dump: Int?, LibreError)
    /// A part of a long history is stored, and more follows.
    case storing(path: String, values: Int)
  }

  private let store: SensorStore
  /// The stores of several people; nil if everything goes into one.
  private let stores: ImportStores?
  private let decoder: DumpDecoder
  private let options: ImportOptions
  private let ignoredSources: Set<String>
  private let report: (Event) throws(LibreError) -> Void

  /// A file with memories that are not stored or not read yet.
  private struct OpenFile {
    var tally: ImportTally
    var isRead = false
  }

  private var pending: [(file: Int, dump: Int?, reading: SensorReading)] = []
  private var files: [Int: OpenFile] = [:]
  private var fileCount = 0

  private static let batch = 128

  /// Creates an import into the stores of the sensors' owners; histories go into the current person's.
  public init(
    into stores: ImportStores, decoder: DumpDecoder, options: ImportOptions, ignoredSources: Set<String> = [],
    report: @escaping (Event) throws(LibreError) -> Void
  ) {
    store = stores.own
    self.stores = stores
    self.decoder = decoder
    self.options = options
    self.ignoredSources = ignoredSources
    self.report = report
  }

  /// Creates an import into one store, whosever sensors there are.
  public init(
    into store: SensorStore, decoder: DumpDecoder, options: ImportOptions, ignoredSources: Set<String> = [],
    report: @escaping (Event) throws(LibreError) -> Void
  ) {
    self.store = store
    stores = nil
    self.decoder = decoder
    self.options = options
    self.ignoredSources = ignoredSources
    self.report = report
  }

  /// Imports a file, or `-`. Errors of the file are reported.
  ///
  /// - Throws: only errors that stop the import: of the store, or from `report`.
  public func add(_ path: String) throws(LibreError) {
    do throws(LibreError) {
      let input = try InputFile(path)
      // A compressed file, or a pipe, which can be read only once, is read into memory.
      let isPlain = input.isOnDisk && !input.head.isEmpty && !Gzip.isGzip(input.head)
      let whole = isPlain ? nil : try DumpInput.reading(input)
      let file: any HistoryFile = if let whole { MemoryHistoryFile(bytes: whole.file.bytes) } else { input }
      guard let reader = try historyReader(of: file) else {
        files[try add(dumpsIn: input, whole, path)]?.isRead = true
        return
      }
      var tally = ImportTally(path: path, format: reader.name)
      // An app's database contains scans as well as the app's own values.
      let hasDumps = Registry.dumpFormats.contains { $0.isCalled(reader.name) }
      let dumps = hasDumps ? try add(dumpsIn: input, whole, path) : nil
      try flush()
      if let dumps, let stored = files.removeValue(forKey: dumps) { tally = stored.tally }
      try add(history: reader, file, path, to: tally)
    } catch .store(let error) {
      throw .store(error)
    } catch .output(let error) {
      throw .output(error)
    } catch {
      try report(.failed(path: path, dump: nil, error))
    }
  }

  /// Stores the remaining memories.
  public func finish() throws(LibreError) { try flush() }

  // MARK: Memories

  /// Adds the memories of a file, and returns the file's number. Its tally is complete once they are stored.
  private func add(dumpsIn file: InputFile, _ whole: DumpInput?, _ path: String) throws(LibreError) -> Int {
    let input = if let whole { whole } else { try DumpInput.reading(file) }
    let dumps = try decoder.open(input)
    let number = fileCount
    fileCount += 1
    files[number] = OpenFile(tally: ImportTally(path: path, format: dumps.format))
    // A time from the user applies to one memory only.
    guard decoder.options.choice == .only, decoder.options.readTime == .fromFile else {
      try add(try decoder.reading(of: dumps), dump: nil, file: number)
      return number
    }
    // One behind, because memories are numbered only in a file with several.
    var last: Result<SensorReading, LibreError>?
    var count = 0
    for result in decoder.readings(of: dumps) {
      if let last { try add(last, dump: count, file: number) }
      last = result
      count += 1
    }
    if let last { try add(last, dump: count > 1 ? count : nil, file: number) }
    return number
  }

  private func add(_ result: Result<SensorReading, LibreError>, dump: Int?, file: Int) throws(LibreError) {
    switch result {
    case .success(let reading): try add(reading, dump: dump, file: file)
    case .failure(let error): try report(.failed(path: files[file]?.tally.path ?? "", dump: dump, error))
    }
  }

  private func add(_ reading: SensorReading, dump: Int?, file: Int) throws(LibreError) {
    pending.append((file, dump, reading))
    if pending.count >= Self.batch { try flush() }
  }

  /// Stores the pending memories, and reports the files that are now complete.
  private func flush() throws(LibreError) {
    let batch = pending
    pending = []
    var stored = files
    var failures: [(path: String, dump: Int?, error: LibreError)] = []
    if !batch.isEmpty {
      try store.transaction { () throws(LibreError) in
        for entry in batch {
          do throws(LibreError) {
            let calibration = decoder.options.calibration
            if let stores {
              let (receipt, person) = try stores.remember(entry.reading, calibration: calibration)
              stored[entry.file]?.tally.count(receipt, of: person)
            } else {
              let remembered = try store.remember(entry.reading, calibration: calibration, isShown: false)
              stored[entry.file]?.tally.count(remembered.receipt)
            }
          } catch {
            // An error of one reading does not stop the others; a disk error stops all.
            guard error.exitStatus != 74 else { throw error }
            failures.append((stored[entry.file]?.tally.path ?? "", entry.dump, error))
          }
        }
      }
    }
    files = stored
    for failure in failures { try report(.failed(path: failure.path, dump: failure.dump, failure.error)) }
    for (number, file) in files.sorted(by: { $0.key < $1.key }) where file.isRead {
      files[number] = nil
      if file.tally.scans > 0 { try report(.done(file.tally)) }
    }
  }

  // MARK: Histories

  /// The reader for a history; nil for another kind of file.
  private func historyReader(of file: any HistoryFile) throws(LibreError) -> (any HistoryReader)? {
    let wanted = decoder.options.inputFormat
    // The user chose a dump format.
    if let wanted, !Registry.historyReaders.contains(where: { $0.name == wanted }) { return nil }
    do throws(HistoryError) {
      return try HistoryDetector(readers: Registry.historyReaders).detect(file, as: wanted)
    } catch .unknownFormat {
      return nil
    } catch {
      throw .history(error)
    }
  }

  private func add(
    history reader: any HistoryReader, _ file: any HistoryFile, _ path: String, to tally: ImportTally
  ) throws(LibreError) {
    var tally = tally
    let foreign = ForeignWears()
    var identities = EntryIdentities()
    var batch: [HistoryEntry] = []
    var stored = 0
    var failure: LibreError?
    func store(_ entries: [HistoryEntry]) throws(LibreError) {
      let outcomes = try libre(self.store.add(entries, from: foreign))
      for outcome in outcomes {
        if let outcome { tally.count(outcome) } else { tally.leaveOut("from a sensor without UID and fingerprint") }
      }
    }
    do throws(HistoryError) {
      let facts = try reader.read(file, options) { entry throws(HistoryError) in
        if let source = entry.foreignSource, ignoredSources.contains(source) {
          tally.leaveOut("from the ignored source \(source)")
          return
        }
        if case .sensor(let stored) = entry { tally.sensors.insert(stored.sensor) }
        batch.append(identities.identified(entry).withFactoryValue)
        guard batch.count >= 8 * Self.batch else { return }
        do throws(LibreError) {
          try store(batch)
          stored += batch.count
          batch = []
          try report(.storing(path: path, values: stored))
        } catch {
          failure = error
          throw .unreadable(error.message)
        }
      }
      for (reason, count) in facts.passedOver { tally.leaveOut(reason, count) }
      tally.hasLocalTimes = facts.hasLocalTimes
      if facts.hasLocalTimes { tally.timeZone = options.clock.zoneName }
    } catch {
      if failure == nil { failure = .history(error) }
    }
    // Values before an error in the file are kept.
    if failure.map({ $0.exitStatus != 74 }) ?? true { try store(batch) }
    if let failure {
      if tally.added + tally.known > 0 { try report(.done(tally)) }
      throw failure
    }
    try report(.done(tally))
  }
}

extension HistoryEntry {
  /// The program that a value comes from; nil for a sensor's own sample, and for a finger-stick that was typed.
  fileprivate var foreignSource: String? {
    switch self {
    case .sensor: nil
    case .imported(let imported): imported.source
    case .fingerStick(let stick): stick.source
    case .bloodPressure(let pressure): pressure.source
    }
  }
}
