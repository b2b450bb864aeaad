// SPDX-License-Identifier: Apache-2.0
import DumpFormats
package import HistoryFormats
import HostSystem

/// Imports files into the store: sensors' memories in any dump format, and histories of other programs. Memories are
/// stored in batches, each in one transaction. A file reported as done is on the disk; after an interruption, files
/// after the last report are not stored at all, except the values of a long history before it. A history is read twice:
/// first to see that all of it can be imported, so that a file with invalid records, or in another unit than it says,
/// leaves nothing behind.
package final class Importer {
  package enum Event: Sendable {
    /// The file is stored, except for values that were left out.
    case done(ImportTally)
    /// A file, or one of its memories (`dump`, from 1), was not stored.
    case failed(path: String, dump: Int?, LibreError)
    /// A part of a long history is checked, or is stored after that, and more follows.
    case checking(path: String, values: Int)
    case storing(path: String, values: Int)
  }

  private let store: SensorStore
  private let stores: ImportStores?
  private let decoder: DumpDecoder
  private let options: ImportOptions
  private let ignoredSources: Set<String>
  private let subjects: ((String) throws(LibreError) -> SensorStore)?
  /// False to leave out the scans in the database of an app, whose values then count even if they equal those of a scan.
  var includesScans = true
  private let entry: (HistoryEntry) -> Void
  private let report: (Event) throws(LibreError) -> Void

  private struct OpenFile {
    var tally: ImportTally
    var recordsOnly = 0
    var isRead = false
  }

  private var pending: [(file: Int, dump: Int?, reading: SensorReading)] = []
  private var files: [Int: OpenFile] = [:]
  private var fileCount = 0

  private static let batch = 128

  /// Creates an importer. With `stores`, each memory goes to the owner of its sensor, and histories go into `store`, the
  /// current person's. With `subjects`, only tables with a column of subjects are imported, and the values of each
  /// subject go into the store that it returns, which may be asked for several times. `entry` gets each value of a history
  /// that goes into a store.
  package init(
    into store: SensorStore, of stores: ImportStores? = nil, decoder: DumpDecoder, options: ImportOptions,
    ignoredSources: Set<String> = [], subjects: ((String) throws(LibreError) -> SensorStore)? = nil,
    entry: @escaping (HistoryEntry) -> Void = { _ in },
    report: @escaping (Event) throws(LibreError) -> Void
  ) {
    (self.store, self.stores, self.decoder, self.options) = (store, stores, decoder, options)
    (self.ignoredSources, self.subjects) = (ignoredSources, subjects)
    (self.entry, self.report) = (entry, report)
  }

  /// Imports a file, or `-`. Errors of the file are reported; those of the store and of `report` stop the import.
  package func add(_ path: String) throws(LibreError) {
    do throws(LibreError) {
      let input = try InputFile(path)
      // A compressed file, or a pipe, which can be read only once, is read into memory.
      let isPlain = input.isOnDisk && !input.head.isEmpty && !Gzip.isGzip(input.head)
      let whole = isPlain ? nil : try DumpInput.reading(input)
      let file: any HistoryFile = if let whole { MemoryHistoryFile(bytes: whole.file.bytes) } else { input }
      guard let reader = try historyReader(of: file) else {
        if choosesSubjects { throw .history(.noSubjects) }
        do throws(LibreError) {
          files[try add(dumpsIn: input, whole, path)]?.isRead = true
        } catch {
          guard case .unknownFormat(let refusals) = error.cause as? DumpError, decoder.options.inputFormat == nil else {
            throw error
          }
          if let foreign = ForeignHistory(in: file.head) { throw .history(.foreign(foreign)) }
          // The reasons of the dump formats say more than "unknown".
          throw refusals.isEmpty ? .history(.unknownFormat) : .dump(.unknownFormat(refusals))
        }
        return
      }
      if choosesSubjects, !(reader is TableReader) { throw .history(.noSubjects) }
      var tally = ImportTally(path: path, format: reader.name)
      // An app's database contains scans as well as the app's own values.
      let hasDumps = includesScans && decoder.catalogue.dumpFormats.contains { $0.isCalled(reader.name) }
      var dumps: Int?
      var recordsOnly = 0
      do throws(LibreError) {
        dumps = hasDumps ? try add(dumpsIn: input, whole, path) : nil
      } catch {
        switch error.cause as? DumpError {
        // The app keeps its values longer than the scans.
        case .noMemory: break
        case .recordsNotRecognised: recordsOnly = 1
        default: throw error
        }
      }
      try flush()
      if let dumps, let stored = files.removeValue(forKey: dumps) {
        (tally, recordsOnly) = (stored.tally, stored.recordsOnly)
      }
      var unrecorded = OutcomeCounts()
      unrecorded.leaveOut(Self.recordsOnly, recordsOnly)
      tally.counts.add(unrecorded)
      try add(history: reader, file, path, to: tally, unrecorded: unrecorded) { () throws(LibreError) in
        if let whole { whole.sha256 } else { try input.sha256() }
      }
    } catch {
      if error.cause is StoreError || error.cause is OutputError { throw error }
      try report(.failed(path: path, dump: nil, error))
    }
  }

  /// Imports memories that were found in files, each once, and reports the files as if they had only these.
  package func add(_ memories: FoundMemories) throws(LibreError) {
    var files: [(path: String, format: String, memories: [FoundMemory])] = []
    for memory in memories.all.map(\.memory) {
      let (path, format) = (memory.source.path ?? "", memory.source.format ?? "")
      if let last = files.last, last.path == path, last.format == format {
        files[files.count - 1].memories.append(memory)
      } else {
        files.append((path, format, [memory]))
      }
    }
    for file in files {
      let number = begin(file.path, format: file.format)
      for memory in file.memories {
        let result = Result { () throws(LibreError) in try decoder.reading(of: memory) }
        try add(result, dump: file.memories.count > 1 ? memory.source.dump : nil, file: number)
      }
      self.files[number]?.isRead = true
    }
  }

  private var choosesSubjects: Bool { subjects != nil || options.subject != nil }

  package func finish() throws(LibreError) { try flush() }

  // MARK: Memories

  private func add(dumpsIn file: InputFile, _ whole: DumpInput?, _ path: String) throws(LibreError) -> Int {
    let input = if let whole { whole } else { try DumpInput.reading(file) }
    let dumps = try decoder.open(input)
    let number = begin(path, format: dumps.format)
    // A time from the user applies to one memory only.
    guard decoder.options.choice == .only, decoder.options.readTime == .fromFile else {
      try add(.success(try decoder.reading(of: dumps)), dump: nil, file: number)
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

  private func begin(_ path: String, format: String) -> Int {
    defer { fileCount += 1 }
    files[fileCount] = OpenFile(tally: ImportTally(path: path, format: format))
    return fileCount
  }

  /// The reason to leave a scan out of which only the records are left: they have no values, and lack the error field, so
  /// that they would contradict the same records in a memory.
  private static let recordsOnly = "scans of which the app kept only the records (see libre decode FILE)"

  private func add(_ result: Result<SensorReading, LibreError>, dump: Int?, file: Int) throws(LibreError) {
    switch result {
    case .success(let reading) where reading.lacksMemory: files[file]?.recordsOnly += 1
    case .success(let reading): try add(reading, dump: dump, file: file)
    case .failure(let error):
      if case .recordsNotRecognised = error.cause as? DumpError {
        files[file]?.recordsOnly += 1
      } else {
        try report(.failed(path: files[file]?.tally.path ?? "", dump: dump, error))
      }
    }
  }

  private func add(_ reading: SensorReading, dump: Int?, file: Int) throws(LibreError) {
    pending.append((file, dump, reading))
    if pending.count >= Self.batch { try flush() }
  }

  private func flush() throws(LibreError) {
    let batch = pending
    pending = []
    var stored = files
    var counts = OutcomeCounts()
    var failures: [(path: String, dump: Int?, error: LibreError)] = []
    if !batch.isEmpty {
      try store.transaction { () throws(LibreError) in
        for entry in batch {
          do throws(LibreError) {
            let calibration = decoder.options.calibration
            if let stores {
              let (receipt, person) = try stores.remember(entry.reading, calibration: calibration)
              stored[entry.file]?.tally.count(receipt, of: person)
              if person == nil { counts.count(receipt) }
            } else {
              let remembered = try store.remember(entry.reading, calibration: calibration, isShown: false)
              stored[entry.file]?.tally.count(remembered.receipt)
              counts.count(remembered.receipt)
            }
          } catch {
            // An error of one reading does not stop the others; a disk error stops all.
            if error.isOfDisk { throw error }
            failures.append((stored[entry.file]?.tally.path ?? "", entry.dump, error))
          }
        }
        try libre(store.count(counts))
      }
    }
    files = stored
    for failure in failures { try report(.failed(path: failure.path, dump: failure.dump, failure.error)) }
    for (number, file) in files.sorted(by: { $0.key < $1.key }) where file.isRead {
      files[number] = nil
      var tally = file.tally
      tally.counts.leaveOut(Self.recordsOnly, file.recordsOnly)
      if tally.counts.scans + tally.counts.leftOut > 0 { try report(.done(tally)) }
    }
  }

  // MARK: Histories

  private func historyReader(of file: any HistoryFile) throws(LibreError) -> (any HistoryReader)? {
    // Only tables have columns that a user can name.
    let wanted =
      decoder.options.inputFormat ?? (options.timeColumn ?? options.glucoseColumn != nil ? TableReader().name : nil)
    // The user chose a dump format.
    if let wanted, !decoder.catalogue.historyReaders.contains(where: { $0.name == wanted }) { return nil }
    do throws(HistoryError) {
      return try decoder.catalogue.historyReaders.detect(file, as: wanted)
    } catch .unknownFormat {
      return nil
    } catch {
      throw .history(error)
    }
  }

  private func add(
    history reader: any HistoryReader, _ file: any HistoryFile, _ path: String, to tally: ImportTally,
    unrecorded: OutcomeCounts, sha256: () throws(LibreError) -> String
  ) throws(LibreError) {
    var failure: LibreError?
    func pass(on event: Event) {
      do throws(LibreError) { try report(event) } catch { failure = failure ?? error }
    }
    let (options, checked) = try libre(
      reader.validated(file, self.options, isOfSubjects: subjects != nil) {
        pass(on: .checking(path: path, values: $0))
      })
    if let failure { throw failure }
    let dating = try dating(of: checked, options, sha256)
    var intakes: [String: HistoryIntake] = [:]
    // In the order of the first values.
    var names: [String] = []
    func intake(of subject: String) throws(LibreError) -> HistoryIntake {
      if let known = intakes[subject] { return known }
      let intake: HistoryIntake
      if let subjects {
        let tally = ImportTally(path: path, format: tally.format, subject: subject)
        intake = try HistoryIntake(try subjects(subject), tally, unrecorded: OutcomeCounts())
      } else {
        intake = try HistoryIntake(store, tally, unrecorded: unrecorded)
      }
      intakes[subject] = intake
      names.append(subject)
      return intake
    }
    if let dating {
      for name in checked.keys.sorted() { try check(dating, in: try subjects?(name) ?? store) }
    }
    func add(_ subject: String, _ found: HistoryEntry) throws(HistoryError) {
      do throws(LibreError) {
        let intake = try intake(of: subject)
        if let reason = found.impossibleTime(at: options.now) { return intake.leaveOut(reason) }
        if let source = found.foreignSource, ignoredSources.contains(source) {
          return intake.leaveOut("from the ignored source \(source)")
        }
        entry(found)
        if let stored = try intake.add(found) { try report(.storing(path: path, values: stored)) }
      } catch {
        failure = error
        throw .unreadable(error.message)
      }
    }
    do throws(HistoryError) {
      let facts: [String: HistoryFacts]
      if subjects != nil {
        guard let reader = reader as? TableReader else { throw .noSubjects }
        facts = try reader.readSubjects(of: file, options, add)
      } else {
        facts = ["": try reader.read(file, options) { (found) throws(HistoryError) in try add("", found) }]
      }
      do throws(LibreError) {
        for (subject, facts) in facts.sorted(by: { $0.key < $1.key }) {
          try intake(of: subject).count(facts, zone: options.clock.zoneName)
        }
      } catch {
        failure = error
      }
    } catch {
      if failure == nil { failure = .history(error) }
    }
    // Values before an error in the file are kept.
    if failure?.isOfDisk != true {
      for name in names { try intakes[name]?.finish(dating) }
    } else {
      // The last write of the import waits for the disk, and so takes the earlier batches there too.
      for name in names { try? intakes[name]?.store.setDurable(true) }
    }
    for name in names {
      guard let tally = intakes[name]?.tally else { continue }
      if failure == nil || tally.counts.added + tally.counts.known > 0 { try report(.done(tally)) }
    }
    if let failure { throw failure }
  }

  private func dating(
    of facts: [String: HistoryFacts], _ options: ImportOptions, _ sha256: () throws(LibreError) -> String
  ) throws(LibreError) -> DatedFile? {
    guard let dated = facts.values.first(where: \.hasLocalTimes) else { return nil }
    return DatedFile(
      sha256: try sha256(), timeZone: options.clock.zoneName, dateOrder: (dated.dateOrder ?? .yearFirst).rawValue)
  }

  /// - Throws: `importedBefore` for a file that the store has with other times: its values would stay beside the right ones.
  private func check(_ file: DatedFile, in store: SensorStore) throws(LibreError) {
    guard let earlier = try libre(store.importedOtherwise(file)) else { return }
    let isOtherZone = earlier.file.timeZone != file.timeZone
    func words(_ file: DatedFile) -> String {
      isOtherZone ? "in \(file.timeZone ?? "a zone without a name")" : "in the order \(file.dateOrder)"
    }
    throw .history(.importedBefore(number: earlier.number, at: earlier.at, then: words(earlier.file), now: words(file)))
  }
}

extension LibreError {
  fileprivate var isOfDisk: Bool { (cause as? StoreError)?.culprit == .disk }
}

extension HistoryEntry {
  /// The first moment of 2000, before which no meter kept times: earlier ones are of a clock that was never set.
  private static let earliest = Instant(secondsSince1970: 946_684_800)

  /// The reason to leave an entry of a file out because of its time, in words; nil for a possible time. A sensor's sample
  /// was dated by a store. Clocks of other zones are up to a day ahead.
  fileprivate func impossibleTime(at now: Instant?) -> String? {
    if case .sensor = self { return nil }
    guard let time else { return nil }
    if time < Self.earliest { return "of a time before 2000" }
    if let now, time > now.adding(days: 1) { return "of a time in the future" }
    return nil
  }
}
