// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import HostSystem

struct LineReaderTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The lines of a text, each as its number and content, `…` for one that is too long.
  private func lines(of text: String, read count: Int = 0, limit: Int = 1_000) throws -> [String] {
    let file = try FileReader(try folder.write(text, to: "lines"))
    let beginning = try file.next(filling: count)
    var reader = reader(of: file, beginning: beginning, limit: limit)
    var lines: [String] = []
    while let chunk = try reader.next() {
      lines += chunk.map { line in
        "\(line.number) \((try? line.bytes.get()).map { String(decoding: $0, as: UTF8.self) } ?? "…")"
      }
    }
    #expect(try reader.next() == nil)
    return lines
  }

  private func reader(
    of file: FileReader, beginning: [UInt8] = [], limit: Int = FileLine.lengthLimit
  ) -> LineReader<InputError> {
    LineReader(beginning: beginning, limit: limit) { () throws(InputError) in
      try file.next(atMost: FileLine.pieceSize)
    }
  }

  @Test("blank lines are passed over but counted, whatever the line ends, and the last line needs none")
  func ends() throws {
    for (text, expected) in [
      ("", []), ("\n \r\n\t\n  ", []), ("a\n\n b \r\n\r\n  \nc", ["1 a", "3  b ", "6 c"]),
      ("a\nb\n", ["1 a", "2 b"]), ("a\rb\n", ["1 a\rb"]),
    ] {
      #expect(try lines(of: text) == expected)
    }
  }

  @Test("lines are complete wherever the file was cut in pieces")
  func pieces() throws {
    let text = (1...20).map { String(repeating: "x", count: $0) + "\n" }.joined()
    let expected = (1...20).map { "\($0) " + String(repeating: "x", count: $0) }
    for count in 0...text.utf8.count { #expect(try lines(of: text, read: count) == expected) }
    let many = (1...30_000).map { "\($0)" }
    #expect(try lines(of: many.joined(separator: "\n")) == many.map { "\($0) \($0)" })
  }

  @Test("a line that is too long costs only itself, and keeps no bytes")
  func length() throws {
    let long = String(repeating: "y", count: 100_000)
    #expect(try lines(of: "a\n\(long)\nb\n\(long)", limit: 10) == ["1 a", "2 …", "3 b", "4 …"])
    #expect(try lines(of: "1234567890\n12345678901\n", limit: 10) == ["1 1234567890", "2 …"])
    var reader = reader(of: try FileReader(try folder.write(long, to: "long")), limit: 10)
    let line = try #require(try reader.next()?.first)
    #expect(line.bytes == .failure(.tooLarge(found: 100_000, limit: 10)))
  }

  @Test("lines of a pipe are returned while its writer has it open")
  func openPipe() throws {
    let pipe = Pipe()
    let reading = pipe.fileHandleForReading.fileDescriptor
    var reader = reader(of: try FileReader("/dev/fd/\(reading)"))
    for number in 1...3 {
      pipe.fileHandleForWriting.write(Data("line \(number)\nbeginning of the next".utf8))
      let line = try #require(try reader.next()?.first)
      #expect(line.number == number)
      #expect(try String(decoding: line.bytes.get(), as: UTF8.self).hasSuffix("line \(number)"))
    }
  }
}
