// SPDX-License-Identifier: Apache-2.0
import DumpFormats

/// A memory that its own checksums prove, and the place of it in a file.
package struct FoundMemory: Sendable {
  package let sensor: SensorDescription
  package let readAt: Instant?
  package let source: ReadingSource
  let dump: Dump

  /// Header and body, by which a memory is known: the footer never changes, and a copy may lack it.
  package var identity: [UInt8] { Array(dump.image.bytes.prefix(MemoryMap.body.end)) }

  /// True if this copy of the same memory says more about it.
  func saysMore(than other: FoundMemory) -> Bool { knowledge > other.knowledge }

  private var knowledge: (Int, Int, Int, Int) {
    (
      readAt == nil ? 0 : 1, sensor.uid == nil ? 0 : 1, dump.memory.integrity.trustedRegions, dump.image.bytes.count
    )
  }
}

/// Finds the memories in files of any kind: those that a format reads, with the facts that it has, and all others by a
/// search. A file that is too large for one piece of memory is searched in parts, and the tables of a database value by value.
package struct MemoryFinder: Sendable {
  private let decoder: DumpDecoder
  private let formats: DumpDetector
  private let search: (any DumpFormat)?
  private let partSize: Int
  private let overlap: Int

  package init(decoder: DumpDecoder = DumpDecoder()) {
    // A memory as text is a few kilobytes long, also with other lines between its own.
    self.init(decoder: decoder, partSize: 16 << 20, overlap: 1 << 20)
  }

  init(decoder: DumpDecoder, partSize: Int, overlap: Int) {
    self.decoder = decoder
    formats = DumpDetector(formats: decoder.catalogue.dumpFormats.filter { !$0.isLastResort })
    search = decoder.detector.search
    self.partSize = partSize
    self.overlap = overlap
  }

  /// Returns the memories in a file. One that several ways of reading it give is returned as often. `goesOn` gets the
  /// number of bytes that were searched after each part of a large file, and may end the search.
  /// - Throws: the error of a file that cannot be searched: `input`, or `dump` for one that is packed or damaged.
  package func memories(in path: String, goesOn: (Int) -> Bool = { _ in true }) throws(LibreError) -> [FoundMemory] {
    let file = try InputFile(path)
    let input: DumpInput
    do throws(LibreError) {
      input = try DumpInput.reading(file)
    } catch {
      try file.requireSearchable(after: error)
      return try memories(inPartsOf: file, path, goesOn)
    }
    var found: [FoundMemory] = []
    if input.refusal == nil, let (format, dumps) = try? formats.detect(input.file) {
      found += memories(in: dumps, of: source(path, format, sha256: input.sha256))
    }
    if input.file.path != nil, file.size > partSize, let search {
      var searched = 0
      let dumps = FoundDump.dumps(inTablesOf: path) { bytes in
        searched = bytes
        return goesOn(bytes)
      }
      found += memories(
        in: DumpSequence(dumps.map { .success($0) }), of: source(path, search.name, sha256: input.sha256))
      return found + (try memories(inPartsOf: file, path) { goesOn(searched + $0) })
    }
    if let search, let dumps = dumps(in: input.file, by: search) {
      found += memories(in: dumps, of: source(path, search.name, sha256: input.sha256))
    }
    // A search unpacks ZIP, and sees the files of a tar archive as they are.
    if found.isEmpty, let refusal = input.refusal, case .isPacked = refusal, !refusal.isTar { throw .dump(refusal) }
    return found
  }

  private func dumps(in file: DumpFile, by search: any DumpFormat) -> DumpSequence? {
    do throws(DumpError) {
      return try search.dumps(in: file)
    } catch .notThisFormat {
      return nil
    } catch {
      // The text around a memory contradicts itself, so nothing is taken from it.
      return try? search.dumps(in: DumpFile(part: file.bytes))
    }
  }

  private func memories(
    inPartsOf file: InputFile, _ path: String, _ goesOn: (Int) -> Bool
  ) throws(LibreError) -> [FoundMemory] {
    guard let search else { return [] }
    var found: [Dump] = []
    try file.forEachPart(of: partSize, overlap: overlap) { part, start in
      for case .success(var dump) in (try? search.dumps(in: DumpFile(part: part))) ?? DumpSequence([]) {
        dump.found = dump.found?.moved(by: start)
        found.append(dump)
      }
      return goesOn(start + part.count)
    }
    if found.isEmpty { return [] }
    return memories(
      in: DumpSequence(found.map { .success($0) }), of: source(path, search.name, sha256: try file.sha256()))
  }

  private func source(_ path: String, _ format: String, sha256: String) -> ReadingSource {
    ReadingSource(tool: Program.tool, path: path, format: format, dump: nil, sha256: sha256)
  }

  private func memories(in dumps: DumpSequence, of source: ReadingSource) -> [FoundMemory] {
    dumps.enumerated().compactMap { index, dump in
      guard case .success(let dump) = dump, dump.records == nil,
        let reading = try? decoder.reading(of: dump, number: index + 1, in: source),
        reading.integrity.header.isTrusted, reading.integrity.body.isTrusted
      else { return nil }
      return FoundMemory(sensor: reading.sensor, readAt: reading.readAt, source: reading.source, dump: dump)
    }
  }
}

extension DumpDecoder {
  package func reading(of memory: FoundMemory) throws(LibreError) -> SensorReading {
    try reading(of: memory.dump, number: memory.source.dump ?? 1, in: memory.source)
  }
}

/// The memories in several files, each once by its bytes.
package struct FoundMemories: Sendable {
  package struct Entry: Sendable {
    /// The copy that says most.
    package fileprivate(set) var memory: FoundMemory
    /// One place in each file that has it: that of `memory`, then the others in their order.
    package fileprivate(set) var places: [ReadingSource]
  }

  /// The memories in the order in which they were found.
  package private(set) var all: [Entry] = []
  private var numbers: [[UInt8]: Int] = [:]

  package init() {}

  package mutating func add(_ memory: FoundMemory) {
    let identity = memory.identity
    guard let number = numbers[identity] else {
      numbers[identity] = all.count
      all.append(Entry(memory: memory, places: [memory.source]))
      return
    }
    let saysMore = memory.saysMore(than: all[number].memory)
    let known = all[number].places.firstIndex { $0.path == memory.source.path }
    if let known, saysMore { all[number].places.remove(at: known) }
    if saysMore {
      all[number].memory = memory
      all[number].places.insert(memory.source, at: 0)
    } else if known == nil {
      all[number].places.append(memory.source)
    }
  }
}

extension FoundPlace {
  /// The place in a file of a place in the part of it that begins at `start`, in which places are counted in bytes.
  fileprivate func moved(by start: Int) -> FoundPlace {
    FoundPlace(layer: layer, unit: unit, range: range.lowerBound + start...range.upperBound + start)
  }
}

extension DumpError {
  fileprivate var isTar: Bool { if case .isPacked("tar", _) = self { true } else { false } }
}

extension InputFile {
  /// Checks that the bytes of a file can be searched in parts although it was refused with `error`: a store of libre, or
  /// a file that is too large. Of a packed one they say nothing.
  fileprivate func requireSearchable(after error: LibreError) throws(LibreError) {
    if isOnDisk, case .isStore = error.cause as? DumpError { return }
    guard isOnDisk, error.excess != nil, !Gzip.isGzip(head) else { throw error }
    do throws(DumpError) {
      try Archive.check(head)
    } catch {
      if !error.isTar { throw .dump(error) }
    }
  }
}
