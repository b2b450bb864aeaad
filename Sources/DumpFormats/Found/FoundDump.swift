// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import TextFormats

/// Memories anywhere in a file of any kind, found by their checksums (DumpFormats/Formats, "Found").
package struct FoundDump: DumpFormat {
  package init() {}

  package let name = "found"
  package let summary = "memories anywhere in any file: hex, numbers, base64, bytes, gzip, ZIP, SQLite; tried last"
  package let isLastResort = true

  package func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    var budget = DumpFile.sizeLimit
    var tables = FoundList()
    if let path = file.path {
      tables.add(tablesOf: try? ForeignDatabase.open(path), at: 0...0, &budget)
      tables.databases = [0..<Int.max]
    }
    let (bytes, isText) = try Self.content(of: file, after: tables)
    // Tables that are searched through the file are not searched again among its bytes.
    var search = FileSearch(bytes, hasDatabases: file.path == nil, after: tables)
    search.run(&budget)
    let found = search.found.inOrder
    if found.isEmpty { throw .notThisFormat(lacks: "a memory with correct checksums anywhere in the file") }
    let lines = Self.lineNumbers(
      of: found.flatMap { [$0.place.lowerBound, $0.place.upperBound] + ($0.conflict?.places ?? []) }, in: bytes)
    var facts = MemoryImage(bytes: [])
    if found.count == 1, isText { facts = try Self.facts(in: file) }
    return DumpSequence(
      found.map { found in
        if let conflict = found.conflict {
          return .failure(.conflictingBlocks(block: conflict.block, lines: conflict.places.compactMap { lines[$0] }))
        }
        if file.path != nil, let dump = Self.dump(inTable: found) { return .success(dump) }
        var image = found.image
        image.complete(with: facts)
        let first = lines[found.place.lowerBound] ?? 1
        let last = lines[found.place.upperBound] ?? first
        // A place in one long line is found by its byte.
        let isLines = isText && (first < last || !file.isPlain)
        let place = FoundPlace(
          layer: found.layer, unit: isLines ? .line : .byte, range: isLines ? first...last : found.place)
        return .success(Self.dump(of: image, at: place))
      })
  }

  /// The memories in the tables of a database file of any size; `goesOn` gets the number of bytes that were searched after
  /// each value, and may end the search.
  package static func dumps(inTablesOf path: String, goesOn: (Int) -> Bool) -> [Dump] {
    var (found, budget, searched) = (FoundList(), DumpFile.sizeLimit, 0)
    found.add(tablesOf: try? ForeignDatabase.open(path), at: 0...0, &budget) { count in
      searched += count
      return goesOn(searched)
    }
    return found.inOrder.compactMap { $0.conflict == nil ? dump(inTable: $0) : nil }
  }

  private static func dump(inTable found: FoundList.Found) -> Dump? {
    found.row.map { dump(of: found.image, at: FoundPlace(layer: found.layer, unit: .row, range: $0...$0)) }
  }

  private static func dump(of image: MemoryImage, at place: FoundPlace) -> Dump {
    var dump = Dump(image: image, label: place.text, line: place.unit == .line ? place.range.lowerBound : nil)
    dump.found = place
    return dump
  }

  /// The bytes to be searched. Of a database they are those of the file, in which deleted rows stand as they were; one that
  /// is too large for that is searched only in its tables.
  private static func content(
    of file: DumpFile, after tables: FoundList
  ) throws(DumpError) -> (bytes: [UInt8], isText: Bool) {
    if let path = file.path {
      do throws(InputError) {
        return (try FileReader(path).rest(limit: DumpFile.sizeLimit), false)
      } catch {
        if !tables.all.isEmpty { return ([], false) }
        throw .database(error.message)
      }
    }
    if file.bytes.isEmpty { throw .empty }
    guard let text = file.plainText else { return (file.bytes, false) }
    return (file.isPlain ? file.bytes : text, true)
  }

  /// The UID, the patch info and the time that a text says about its only memory, as in a log.
  private static func facts(in file: DumpFile) throws(DumpError) -> MemoryImage {
    var facts = MemoryImage(bytes: [])
    for line in try file.lines() {
      // Another program's line that only looks like a header of libre is not an error here.
      guard let fact = try? TextFact(line) else { continue }
      if case .missingBlocks = fact { continue }
      try facts.take(fact, line: line.number)
    }
    return facts
  }

  /// The number of the line at each of the places, counted in one pass.
  private static func lineNumbers(of places: [Int], in bytes: [UInt8]) -> [Int: Int] {
    var numbers: [Int: Int] = [:]
    var (position, line) = (0, 1)
    for place in places.sorted() {
      line += bytes[position..<place].count { $0 == 0x0A }
      position = place
      numbers[place] = line
    }
    return numbers
  }
}

extension DumpFile {
  /// True if places in the text are also places in the file: it is not UTF-16, and without colours.
  fileprivate var isPlain: Bool {
    !bytes.starts(with: [0xFF, 0xFE]) && !bytes.starts(with: [0xFE, 0xFF]) && !bytes.contains(0x1B)
  }
}
