// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Foundation
import HostSystem
import TestSupport
import Testing

@testable import LibreKit

struct DumpPartsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A `libre.dump/1` on one line, of a sensor that differs from others by the end of its UID.
  private func line(_ number: UInt64 = 1) throws -> String {
    let image = MemoryImage(
      bytes: LiteralMemory().bytes, uid: SensorUID(bits: 0xE007_A000_0000_0000 + number),
      readAt: LiteralMemory.readAt)
    return String(decoding: try ReadingDump().file(of: image).filter { $0 != 0x0A }, as: UTF8.self)
  }

  private func answers(
    to texts: String..., lines: DumpLines = .detected, all: Bool = false, format: String? = nil
  ) throws -> [DumpAnswer] {
    let paths = try texts.enumerated().map { index, text in try folder.write(text, to: "\(index)") }
    return answers(of: paths, lines: lines, all: all, format: format)
  }

  private func answers(
    of paths: [String], lines: DumpLines, all: Bool = false, format: String? = nil
  ) -> [DumpAnswer] {
    var decoder = DumpDecoder()
    decoder.options.inputFormat = format
    let files = paths.map(Result<String, DirectoryWalk.Failure>.success)
    var parts = DumpParts(files.makeIterator(), decoder: decoder, lines: lines, all: all)
    var answers: [DumpAnswer] = []
    while let part = parts.next() { answers += decoder.answers(to: part) }
    return answers
  }

  private func codes(_ answers: [DumpAnswer]) -> [String] {
    answers.map { answer in
      switch answer.result {
      case .success(let reading): reading.sensor.uid.map { "\($0)".suffix(2).description } ?? "-"
      case .failure(let error): error.code
      }
    }
  }

  @Test("each line gives a reading with its number and digest, and blank lines give nothing")
  func readings() throws {
    let found = try answers(to: "\(line(1))\n\n\(line(2))\r\n  \n\(line(3))")
    #expect(codes(found) == ["01", "02", "03"])
    #expect(found.map(\.line) == [1, 3, 5])
    #expect(found.map(\.dump) == [1, 2, 3])
    for (number, answer) in zip([1, 2, 3] as [UInt64], found) {
      let source = try answer.result.get().source
      #expect(source.line == answer.line && source.dump == answer.dump && source.format == "json")
      #expect(source.sha256 == HashFunction.sha256.hex(of: Array(try line(number).utf8)))
    }
  }

  @Test("a bad line costs only itself, also the first and the last, and one that is too long")
  func badLines() throws {
    let long = "{\"schema\": \"\(String(repeating: "x", count: FileLine.lengthLimit))\"}"
    #expect(try codes(answers(to: "\(line(1))\n\(long)\n\(line(2))\n")) == ["01", "too_large", "02"])
    let good = try line(7)
    let flipped = good.replacing("\"bytes\": \"", with: "\"bytes\": \"00")
    for bad in ["not JSON", "{", "{}", "[1]", "\u{1}", "null", flipped, "{\"schema\": \"libre.error/1\"}"] {
      for text in ["\(bad)\n\(good)\n\(good)\n", "\(good)\n\(bad)\n\(good)\n", "\(good)\n\(good)\n\(bad)"] {
        let found = try answers(to: text)
        let codes = codes(found)
        #expect(found.map(\.line) == [1, 2, 3], "\(bad)")
        #expect(codes.count(where: { $0 == "07" }) == 2, "\(bad): \(codes)")
      }
    }
  }

  @Test("a line of another format than the ones before gives what it gives as a file, unless the format was chosen")
  func settled() throws {
    let alarm = "{\"data\":{\"raw_data\":\(LiteralMemory().bytes)}}"
    #expect(try codes(answers(to: "\(line(1))\n\(alarm)\n")) == ["01", "-"])
    #expect(
      try codes(answers(to: "\(alarm)\nno dump\n\(line(1))\nno dump\n")) == [
        "-", "unknown_format", "01", "unknown_format",
      ])
    #expect(try codes(answers(to: "\(line(1))\n\(alarm)\n", format: "librealarm")) == ["not_this_format", "-"])
    // Lines can be forced and forbidden.
    let hex = LiteralMemory().bytes.map { String(format: "%02X", $0) }.joined()
    #expect(try codes(answers(to: "\(hex)\n\(hex)\nnothing\n", lines: .always)).prefix(2) == ["-", "-"])
    #expect(try answers(to: "\(hex)\n\(hex)\nnothing\n", lines: .always).map(\.line) == [1, 2, 3])
    #expect(try answers(to: "", lines: .always).isEmpty)
    #expect(try codes(answers(to: "\(line(1))\n\(line(2))\n", lines: .never)) == ["several_dumps"])
  }

  @Test("a file that is not JSON on lines is decoded as a whole")
  func wholeFiles() throws {
    let array = try "[\n\(line(1)),\n\(line(2))\n]"
    let hex = MemoryImage(bytes: LiteralMemory().bytes).hexDump
    let object = String(decoding: try ReadingDump().file(of: MemoryImage(bytes: LiteralMemory().bytes)), as: UTF8.self)
    for text in [array, hex, object, "[\(try line(1))]", ""] {
      let found = try answers(to: text)
      #expect(found.map(\.line) == [nil])
    }
    #expect(try codes(answers(to: array, hex, object, "")) == ["several_dumps", "-", "-", "empty"])
    #expect(try codes(answers(to: array, all: true)) == ["01", "02"])
    // One line with several memories is a whole file.
    let (one, two) = (Data(LiteralMemory().bytes), Data(LiteralMemory(age: 2_000).bytes))
    let blocks = [one, two].map { "{\"BlockBytes\":\"\($0.base64EncodedString())\"}" }.joined(separator: ",")
    let found = try answers(to: "{\"libre_wifi_data\":[\(blocks)]}\n", all: true)
    #expect(codes(found) == ["-", "-"] && found.map(\.line) == [nil, nil] && found.map(\.dump) == [1, 2])
  }

  @Test("lines of a file that is packed or not in UTF-8 are refused once, with the command that unpacks it")
  func packedLines() throws {
    let packed: [([UInt8], String)] = [
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "is_packed"), ([0x28, 0xB5, 0x2F, 0xFD], "is_packed"),
      ([0x42, 0x5A, 0x68], "is_packed"), ([0x50, 0x4B, 0x03, 0x04], "is_zip"), (Array("PAR1".utf8), "is_table"),
      ([0xFF, 0xFE], "other_encoding"),
    ]
    for (number, (magic, code)) in packed.enumerated() {
      let path = try folder.write(magic + Array("\n1\n2\n3\n".utf8), to: "packed-\(number)")
      let answers = answers(of: [path], lines: .always)
      #expect(codes(answers) == [code])
      guard case .failure(let error) = answers.first?.result else { continue }
      guard case .isPacked(_, let command) = error.cause as? DumpError else { continue }
      #expect(command.hasSuffix("| libre decode - --lines"), "\(command)")
    }
  }

  @Test("an error names --lines only for a file that has a memory in each line")
  func nameOfLines() throws {
    let hex = HexDump.text(of: MemoryImage(bytes: LiteralMemory().bytes), notes: [])
    let lines = try "\(line(1))\n\n\(line(2))\n"
    for (text, areLines) in [(lines, true), ("[\(try line(1)),\n\(try line(2))]", false), ("\(hex)\n\(hex)", false)] {
      #expect(DumpLines.haveMemories(Array(text.utf8), DumpDecoder().detector) == areLines)
    }
    let answer = try #require(try answers(to: lines, lines: .never).first)
    guard case .failure(let error) = answer.result else { return #expect(Bool(false)) }
    guard case .severalDumps(_, _, areLines: true) = error.cause as? DumpError else { return #expect(Bool(false)) }
  }

  @Test("the files after one of lines are decoded too, and a missing one gives its error")
  func severalFiles() throws {
    let hex = MemoryImage(bytes: LiteralMemory().bytes).hexDump
    #expect(try codes(answers(to: "\(line(1))\n\(line(2))\n", hex, "\(line(3))\n")) == ["01", "02", "-", "03"])
    #expect(codes(answers(of: [folder.path("none")], lines: .detected)) == ["not_found"])
  }
}
