// SPDX-License-Identifier: Apache-2.0
import DumpFormats
package import HostSystem
import TextFormats

/// The parts of several files in order, for several threads. One file is open at a time, and only a part is in memory.
package struct DumpParts<Paths: IteratorProtocol> where Paths.Element == Result<String, DirectoryWalk.Failure> {
  private var paths: Paths
  private let decoder: DumpDecoder
  private let lines: DumpLines
  /// True to decode all memories of a file.
  private let all: Bool
  private var rest: () -> DumpPart? = { nil }

  package init(_ paths: Paths, decoder: DumpDecoder, lines: DumpLines, all: Bool) {
    (self.paths, self.decoder, self.lines, self.all) = (paths, decoder, lines, all)
  }

  /// Returns nil at the end of the last file. A file that cannot be read gives a failure.
  package mutating func next() -> DumpPart? {
    if let part = rest() { return part }
    rest = { nil }
    switch paths.next() {
    case nil: return nil
    case .failure(let failure):
      return DumpPart(path: failure.path, isFirst: true, content: .failure(.input(failure.error)))
    case .success(let path):
      let content: DumpPart.Content
      do throws(LibreError) { content = try open(path) } catch { content = .failure(error) }
      return DumpPart(path: path, isFirst: true, content: content)
    }
  }

  private mutating func open(_ path: String) throws(LibreError) -> DumpPart.Content {
    let detector = decoder.detector
    let file = try InputFile(path) { [lines] in
      Archive.isTold(by: $0)
        && lines.areSeparate(in: Archive.content(beginning: $0), isWhole: false, path: path, detector)
    }
    if lines.areSeparate(in: file.content, isWhole: true, path: path, decoder.detector) {
      try libre(Archive.check(file.content, areLines: true))
      rest = decoder.lines(of: file, path: path)
      return .opening
    }
    guard all else { return .file(file) }
    rest = decoder.memories(of: try decoder.open(try DumpInput.reading(file)), path: path)
    return .opening
  }
}

extension DumpDecoder {
  /// Returns the lines of a file in parts. The first JSON object of a known format gives the format that is tried first
  /// for those that follow, since detection takes longer than all other work on a line.
  fileprivate func lines(of file: InputFile, path: String) -> () -> DumpPart? {
    var reader = file.lines()
    var (count, format) = (0, options.inputFormat)
    let detector = detector
    return {
      let lines: [FileLine]?
      do throws(LibreError) { lines = try reader.next() } catch {
        return DumpPart(path: path, isFirst: false, content: .failure(error))
      }
      let numbered = lines?.map { line in
        count += 1
        if format == nil, case .success(let bytes) = line.bytes, JSONValues.isObject(bytes[...]) {
          format = (try? detector.detect(DumpFile(bytes)))?.format
        }
        return DumpLine(line: line, dump: count, format: format)
      }
      return numbered.map { DumpPart(path: path, isFirst: false, content: .lines($0)) }
    }
  }

  fileprivate func memories(of file: OpenDump, path: String) -> () -> DumpPart? {
    var memories = file.dumps
    var count = 0
    return {
      var part: [DumpSequence.Element] = []
      while part.count < Self.memoriesOfPart, let memory = memories.next() { part.append(memory) }
      guard !part.isEmpty else { return nil }
      defer { count += part.count }
      return DumpPart(path: path, isFirst: false, content: .memories(part, first: count + 1, source: file.source))
    }
  }

  private static var memoriesOfPart: Int { 16 }
}
