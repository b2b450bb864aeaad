// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import Testing

@Suite("Damaged and long histories") struct ReaderRobustnessTests {
  private func reader(_ example: Example) throws -> any HistoryReader {
    try #require(Examples.readers.first { $0.name == example.format })
  }

  @Test(
    "a file that is cut off anywhere gives a prefix of its entries, with every value complete", arguments: Examples.all)
  func cutOff(example: Example) throws {
    let reader = try reader(example)
    let bytes = Array(example.text.utf8)
    let whole = try reader.entries(of: HistoryText(bytes), Examples.options)
    #expect(whole.map(\.concentration?.milligramsPerDecilitre) == [110, 111, 112])
    var (accepted, refused) = (0, 0)
    for length in 0..<bytes.count {
      var found: [HistoryEntry] = []
      do throws(HistoryError) {
        try reader.read(HistoryText(Array(bytes.prefix(length)), pieceLength: 64), Examples.options) {
          found.append($0)
        }
        accepted += 1
      } catch {
        refused += 1
      }
      #expect(found == Array(whole.prefix(found.count)), "cut after \(length) bytes")
    }
    // Most cuts are within a record and are detected.
    #expect(refused > accepted)
  }

  @Test("entries are returned while the file is still being read", arguments: Examples.all)
  func streaming(example: Example) throws {
    let records = 1_000
    let file = GrowingFile(example: example, records: records)
    var (found, mostBehind) = (0, 0)
    try reader(example).read(file, Examples.options.with(unit: .milligramsPerDecilitre, dateOrder: .dayFirst)) { _ in
      found += 1
      mostBehind = max(mostBehind, file.given - found)
    }
    #expect(found == records)
    #expect(mostBehind < 600)
  }
}

/// A file that is generated while it is read, a hundred records at a time, and counts the records it has returned.
private final class GrowingFile: HistoryFile {
  private let example: Example
  private let records: Int
  private(set) var given = 0

  init(example: Example, records: Int) {
    self.example = example
    self.records = records
  }

  var head: [UInt8] { Array(example.text.utf8) }

  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError) {
    given = 0
    let hundred = (0..<100).map(example.record).joined(separator: example.separator)
    try chunk(Array(example.start.utf8))
    while given < records {
      let text = given == 0 ? hundred : example.separator + hundred
      given += 100
      try chunk(Array(text.utf8))
    }
    try chunk(Array(example.end.utf8))
  }
}
