// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import TextFormats

/// The search for memories in the layers of a file: its bytes, and what they mean as text, as base64, as an archive and as
/// a database. Each layer is read once from beginning to end.
struct FileSearch {
  static let bytesLayer = "bytes"

  private(set) var found: FoundList
  private let bytes: [UInt8]
  /// The number of layers that may still be unpacked from this one.
  private let depth: Int
  /// False for a value in a database, and for a file whose tables were searched.
  private let hasDatabases: Bool

  /// The number of times that a layer is unpacked: base64 in JSON in an archive.
  static let depthLimit = 2

  init(_ bytes: [UInt8], depth: Int = depthLimit, hasDatabases: Bool = true, after found: FoundList = FoundList()) {
    (self.bytes, self.depth, self.hasDatabases, self.found) = (bytes, depth, hasDatabases, found)
  }

  /// `budget` is the number of bytes that may still be unpacked, over the whole file.
  mutating func run(_ budget: inout Int) {
    if hasDatabases {
      found.databases = ForeignDatabase.places(in: bytes)
      for place in found.databases {
        let database: SQLiteConnection<DumpError>? = try? ForeignDatabase.open(copying: bytes[place])
        found.add(tablesOf: database, at: place.lowerBound...place.upperBound - 1, depth: depth, &budget)
      }
    }
    searchBytes()
    searchText()
    searchLongDigits()
    EscapedText.search(bytes, &found)
    CapturedPackets.search(bytes, &found)
    guard depth > 0 else { return }
    Base64Groups.search(bytes, depth: depth, &budget, &found)
    if let wide = WideText(bytes) {
      var inner = FileSearch(wide.text, depth: depth - 1)
      inner.run(&budget)
      found.add(inner.found, from: "UTF-16") { wide.place($0.lowerBound)...wide.place($0.upperBound) }
    }
    for rewritten in RewrittenText.all(of: bytes) where rewritten.text.count <= budget {
      budget -= rewritten.text.count
      var inner = FileSearch(rewritten.text, depth: depth - 1)
      inner.run(&budget)
      found.add(inner.found, from: rewritten.layer) {
        rewritten.places[$0.lowerBound]...rewritten.places[$0.upperBound]
      }
    }
    for part in PackedPart.parts(of: bytes, &budget) {
      var inner = FileSearch(part.content, depth: depth - 1)
      inner.run(&budget)
      found.add(inner.found, from: part.layer) { _ in part.place }
    }
  }

  private mutating func searchBytes() {
    let memories = ProvenMemory.all(in: bytes)
    // No checksum covers the history of a Libre Pro, which is never taken from among other bytes.
    let isWhole =
      memories.map(\.range) == [0..<LibreProMap.byteCount]
      && (try? ValidatedLibrePro(CheckedMemory(MemoryImage(bytes: bytes))).hasWholeHistory) == true
    for memory in memories {
      let (image, range) = isWhole ? (MemoryImage(bytes: bytes), bytes.indices) : (memory.image, memory.range)
      found.add(image, layer: Self.bytesLayer, range.lowerBound...range.upperBound - 1)
    }
  }

  /// Digits without anything between them, at both places where a byte can begin: in a database, the bytes beside them
  /// may look like digits too.
  private mutating func searchLongDigits() {
    var position = 0
    while position < bytes.count {
      guard HexText.nibble(bytes[position]) != nil else {
        position += 1
        continue
      }
      let start = position
      while position < bytes.count, HexText.nibble(bytes[position]) != nil { position += 1 }
      guard position - start >= 2 * LibreProMap.byteCount else { continue }
      for first in [start, start + 1] {
        var search = MemorySearch(DigitReading.hex.layer)
        for place in stride(from: first, to: position - 1, by: 2) {
          let (high, low) = (HexText.nibble(bytes[place]) ?? 0, HexText.nibble(bytes[place + 1]) ?? 0)
          search.append(high << 4 | low, at: place, &found)
        }
        search.end(&found)
      }
    }
  }

  private mutating func searchText() {
    // Created when they are needed: most values of a database are short, and there may be millions.
    let readings = DigitReading.allCases
    var streams: [DigitStreams?] = readings.map { _ in nil }
    var records = MemorySearch("records of an object file")
    var tokens: [TextToken] = []
    var lines = LineParts(bytes)
    while let line = lines.next() {
      if let data = ObjectRecord.data(bytes, line) { records.append(data.bytes, at: data.places, &found) }
      tokens.removeAll(keepingCapacity: true)
      TextToken.append(in: bytes, line, to: &tokens)
      if tokens.isEmpty {
        if bytes[line].elementsEqual([UInt8(ascii: "*")]) {
          for index in streams.indices { streams[index]?.takeRepetition() }
        }
        continue
      }
      let counts = TokenCounts(tokens)
      for index in streams.indices where readings[index].isPossible(counts) {
        if streams[index] == nil { streams[index] = DigitStreams(readings[index]) }
        streams[index]?.take(bytes, tokens, line, &found)
      }
    }
    for index in streams.indices { streams[index]?.end(&found) }
    records.end(&found)
  }
}

/// The lines of a text; longer ones in parts, so that a line as long as the file needs no more memory.
struct LineParts: IteratorProtocol {
  private let text: [UInt8]
  private var position = 0

  static let limit = 1 << 16

  init(_ text: [UInt8]) { self.text = text }

  mutating func next() -> Range<Int>? {
    guard position < text.count else { return nil }
    let start = position
    let limit = min(start + Self.limit, text.count)
    if let end = text[start..<limit].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      position = end + 1
      return start..<end
    }
    position = limit
    if limit < text.count {
      // A token that does not end in this part is cut after whole words of digits.
      let word = (text[start..<limit].lastIndex { !$0.isLetterOrDigit } ?? start - 1) + 1
      position = word > start + Self.limit / 2 ? word : word + (limit - word) / 16 * 16
    }
    return start..<position
  }
}

/// The data in one line of Intel HEX or of Motorola's S-records, which begins with its length and ends with a checksum.
enum ObjectRecord {
  static func data(_ text: [UInt8], _ line: Range<Int>) -> (bytes: [UInt8], places: [Int])? {
    guard line.count > 10 else { return nil }
    let first = text[line.lowerBound]
    let kind = text[line.lowerBound + 1]
    let isIntel = first == UInt8(ascii: ":")
    guard isIntel || first == UInt8(ascii: "S") && (UInt8(ascii: "1")...UInt8(ascii: "3")).contains(kind) else {
      return nil
    }
    var bytes: [UInt8] = []
    var position = line.lowerBound + (isIntel ? 1 : 2)
    while position + 1 < line.upperBound, let high = HexText.nibble(text[position]),
      let low = HexText.nibble(text[position + 1])
    {
      bytes.append(high << 4 | low)
      position += 2
    }
    let sum = bytes.reduce(0) { $0 &+ $1 }
    // Length, address and, for Intel, the type of the record; only type 0 is data.
    let header = isIntel ? 4 : Int(kind - UInt8(ascii: "0")) + 2
    let length = isIntel ? bytes.count - 5 : bytes.count - 1
    guard bytes.count > header, Int(bytes[0]) == length, sum == (isIntel ? 0 : 0xFF) else { return nil }
    if isIntel, bytes[3] != 0 { return nil }
    let data = Array(bytes[header..<bytes.count - 1])
    let start = position - 2 * (data.count + 1)
    return (data, data.indices.map { start + 2 * $0 })
  }
}

/// Text in UTF-16 without a byte order mark, as databases and programs of Windows have it among other bytes.
struct WideText {
  private(set) var text: [UInt8] = []
  /// The beginnings of the runs of characters in the text, and in the file.
  private var runs: [(text: Int, file: Int)] = []

  private static let minimumRun = 8

  /// Returns nil if there is less text than a memory needs.
  init?(_ bytes: [UInt8]) {
    guard bytes.contains(0) else { return nil }
    var position = 0
    while position + 1 < bytes.count {
      let start = position
      while position + 1 < bytes.count, bytes[position + 1] == 0, Self.isText(bytes[position]) { position += 2 }
      // The last character of a file that has the higher byte first is followed by nothing.
      if position > start, position == bytes.count - 1, Self.isText(bytes[position]) { position += 2 }
      if (position - start) / 2 >= Self.minimumRun {
        runs.append((text.count, start))
        for character in stride(from: start, to: position, by: 2) { text.append(bytes[character]) }
        text.append(UInt8(ascii: "\n"))
      }
      if position == start { position += 1 }
    }
    if text.count < 2 * LibreProMap.byteCount { return nil }
  }

  /// The place in the file of a character of the text.
  func place(_ character: Int) -> Int {
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].text <= character { low = middle } else { high = middle }
    }
    return runs[low].file + 2 * (character - runs[low].text)
  }

  private static func isText(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) || TextLine.isSpace(byte) }
}
