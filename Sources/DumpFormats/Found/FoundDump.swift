// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import TextFormats

/// Memories anywhere in a file of any kind, found by their checksums (DumpFormats/Formats, "Found").
package struct FoundDump: DumpFormat {
  package init() {}

  package let name = "found"
  package let summary = "memories anywhere in any file: hex, numbers, base64, bytes, gzip, ZIP; tried last"
  package let isLastResort = true

  package func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let (bytes, isText) = try Self.content(of: file)
    var search = FileSearch(bytes)
    var budget = DumpFile.sizeLimit
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
        var image = found.image
        image.complete(with: facts)
        let first = lines[found.place.lowerBound] ?? 1
        let last = lines[found.place.upperBound] ?? first
        // A place in one long line is found by its byte.
        let isLines = isText && (first < last || !file.isPlain)
        let place = FoundPlace(
          layer: found.layer, unit: isLines ? .line : .byte, range: isLines ? first...last : found.place)
        var dump = Dump(image: image, label: place.text, line: isLines ? first : nil)
        dump.found = place
        return .success(dump)
      })
  }

  /// The bytes to be searched. Of a database they are those of the file, in which its rows stand as they are.
  private static func content(of file: DumpFile) throws(DumpError) -> (bytes: [UInt8], isText: Bool) {
    if let path = file.path {
      do throws(InputError) {
        return (try FileReader(path).rest(limit: DumpFile.sizeLimit), false)
      } catch {
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
