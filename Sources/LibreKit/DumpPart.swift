// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import HostSystem

package struct DumpPart: Sendable {
  package let path: String
  package let isFirst: Bool
  let content: Content

  enum Content: Sendable {
    /// A file was opened whose memories follow in other parts.
    case opening
    case file(InputFile)
    case lines([DumpLine])
    case memories([DumpSequence.Element], first: Int, source: ReadingSource)
    case failure(LibreError)
  }
}

/// A line that is decoded like a file of its own.
struct DumpLine: Sendable {
  let line: FileLine
  /// Its number among the lines that are not blank, from 1.
  let dump: Int
  /// The format of earlier lines, which is tried first; nil to detect it.
  let format: String?
}

package struct DumpAnswer: Sendable {
  package let result: Result<SensorReading, LibreError>
  /// The number of the memory in a file of which all are decoded, or of the line among those that are not blank.
  package let dump: Int?
  /// The number of the line that was decoded like a file of its own.
  package let line: Int?
  package let input: [UInt8]?

  package init(_ result: Result<SensorReading, LibreError>, dump: Int? = nil, line: Int? = nil, input: [UInt8]? = nil) {
    (self.result, self.dump, self.line, self.input) = (result, dump, line, input)
  }
}

extension DumpDecoder {
  package func answers(to part: DumpPart) -> [DumpAnswer] {
    switch part.content {
    case .opening: return []
    case .failure(let error): return [DumpAnswer(.failure(error))]
    case .file(let file):
      return [
        DumpAnswer(Result { () throws(LibreError) in try reading(of: try open(try DumpInput.reading(file))) })
      ]
    case .lines(let lines):
      return lines.map { line in
        let result = Result { () throws(LibreError) in try reading(of: line, path: part.path) }
        return DumpAnswer(result, dump: line.dump, line: line.line.number, input: try? line.line.bytes.get())
      }
    case .memories(let memories, let first, let source):
      return memories.enumerated().map { index, memory in
        DumpAnswer(reading(of: memory, number: first + index, in: source), dump: first + index)
      }
    }
  }

  /// Reads the memory in each line, or in a file, without decoding it. A file that cannot be read gives an error.
  package func images(in part: DumpPart, decrypting: Bool) -> [(line: Int?, image: Result<MemoryImage, LibreError>)] {
    switch part.content {
    case .opening, .memories: return []
    case .failure(let error): return [(nil, .failure(error))]
    case .file(let file):
      let result = Result { () throws(LibreError) in
        try image(in: try open(try DumpInput.reading(file)), decrypting: decrypting)
      }
      return [(nil, result)]
    case .lines(let lines):
      return lines.map { line in
        let result = Result { () throws(LibreError) in
          try image(in: try open(line, path: part.path), decrypting: decrypting)
        }
        return (line.line.number, result)
      }
    }
  }

  private func reading(of line: DumpLine, path: String) throws(LibreError) -> SensorReading {
    let file = try open(line, path: path)
    return try reading(of: try chosen(in: file).dump, number: line.dump, in: file.source)
  }

  private func open(_ line: DumpLine, path: String) throws(LibreError) -> OpenDump {
    let bytes = try libre(line.line.bytes.get())
    var expected = self
    expected.options.inputFormat = line.format
    var file = if let file = try? expected.open(bytes, path: path) { file } else { try open(bytes, path: path) }
    file.source.line = line.line.number
    return file
  }
}
