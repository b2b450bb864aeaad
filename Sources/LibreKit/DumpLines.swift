// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import TextFormats

/// The rule by which each line of a file is decoded like a file of its own.
package enum DumpLines: Sendable {
  case never
  /// If a line at the beginning is a JSON object with one memory. A pipe without content has no lines.
  case detected
  case always

  /// True if the beginning of a file shows that its lines are decoded by themselves; `isWhole` if no more of it is read.
  func areSeparate(in beginning: [UInt8], isWhole: Bool, path: String, _ detector: DumpDetector) -> Bool {
    switch self {
    case .never: false
    case .always: true
    case .detected:
      beginning.allSatisfy(TextLine.isSpace)
        ? isWhole && path == "-" : Self.haveObjects(beginning, isWhole: isWhole, detector)
    }
  }

  /// True if the first line is an object, unless it has several memories or only a part of one, or if a later line is an
  /// object with one, because the first lines may be damaged. Lines in an array, and indented ones, do not count.
  private static func haveObjects(_ text: [UInt8], isWhole: Bool, _ detector: DumpDetector) -> Bool {
    // A recording of packets may have a line of JSON too.
    if text.contains(0) { return false }
    let start = text.drop(while: TextLine.isSpace)
    let next = start.dropFirst().first { !TextLine.isSpace($0) }
    if start.first == UInt8(ascii: "["), next.map("{[]".utf8.contains) ?? true { return false }
    var isFirst = true
    var lines = TextLines.Iterator(bytes: text)
    while let line = lines.next(), isWhole || line.bytes.endIndex < text.count {
      if line.isBlank { continue }
      if isFirst || line.bytes.first == UInt8(ascii: "{"), JSONValues.isObject(line.bytes) {
        let count = memories(in: line.bytes, detector).count
        if isFirst, count == 0, haveParts(text, detector) { return false }
        if isFirst || count == 1 { return count < 2 }
      }
      isFirst = false
    }
    return false
  }

  /// True if a memory is spread over several lines, as a block in each.
  private static func haveParts(_ text: [UInt8], _ detector: DumpDetector) -> Bool {
    guard let found = try? detector.search?.dumps(in: DumpFile(text)) else { return false }
    return found.contains { dump in
      guard let place = (try? dump.get())?.found else { return false }
      return place.unit == .line && place.range.count > 1
    }
  }

  /// True if the first two lines with content have one memory each, and are not in an array; `beginning` may end in a line.
  static func haveMemories(_ beginning: some Collection<UInt8>, _ detector: DumpDetector) -> Bool {
    if beginning.first(where: { !TextLine.isSpace($0) }) == UInt8(ascii: "[") { return false }
    var lines = TextLines.Iterator(bytes: Array(beginning))
    var count = 0
    while count < 2, let line = lines.next() {
      if line.isBlank { continue }
      // One row of a hex dump is a memory too, of which nearly all is missing.
      let dumps = memories(in: line.bytes, detector)
      guard dumps.count == 1, let dump = try? dumps[0].get(), dump.image.bytes.count >= MemoryGeometry.minimumByteCount
      else { return false }
      count += 1
    }
    return count == 2
  }

  private static func memories(
    in line: ArraySlice<UInt8>, _ detector: DumpDetector
  ) -> [DumpSequence.Element] {
    let detected = try? detector.detect(DumpFile(Array(line)))
    return detected.map { Array($0.dumps.prefix(2)) } ?? []
  }
}
