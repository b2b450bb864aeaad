// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

@testable import DumpFormats

/// A format that gives the same answer for every file.
struct StubFormat: DumpFormat {
  let name: String
  let aliases: [String]
  let summary = "a format of the tests"
  private let answer: Result<[DumpSequence.Element], DumpError>

  /// Finds these dumps and failures in every file.
  init(_ name: String, aliases: [String] = [], finds elements: [DumpSequence.Element]) {
    self.name = name
    self.aliases = aliases
    answer = .success(elements)
  }

  init(_ name: String, bytes: [UInt8]) { self.init(name, finds: [.success(Dump(image: MemoryImage(bytes: bytes)))]) }

  init(_ name: String, refuses error: DumpError) {
    self.name = name
    aliases = []
    answer = .failure(error)
  }

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence { DumpSequence(try answer.get()) }
}

/// A minimal log format with numbered blocks, so that the tests do not depend on the faults of a real program.
///
///     == NAME                          a dump begins
///     … block 12: 01 02 03 04 05 06 07 08
///     … block 12: lost
struct NumberedText: DumpFormat {
  let name = "numbered"
  let summary = "a format of the tests"

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let lines = try file.lines()
    guard lines.bytes.contains(text: "block ") else { throw .notThisFormat(lacks: "a line `block 0: …`") }
    var collector = DumpCollector()
    for line in lines {
      let words = line.words
      if words.first.map({ $0.elementsEqual("==".utf8) }) == true {
        collector.begin(words.count > 1 ? String(decoding: words[1], as: UTF8.self) : nil, line: line.number)
      } else if let start = words.firstIndex(where: { $0.elementsEqual("block".utf8) }), start + 2 < words.count,
        let number = LineNumber.decimal(words[start + 1].dropLast())
      {
        if let bytes = LineNumber.bytes(words[(start + 2)...]) {
          collector.place(bytes, at: number, line: line.number)
        } else {
          collector.miss(number, line: line.number)
        }
      } else {
        try collector.note(line)
      }
    }
    return collector.sequence()
  }
}
