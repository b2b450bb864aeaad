// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import TextFormats

/// The lines that an export has, or that the store could write, so that an older export is replaced only if nothing in it
/// is lost.
///
/// A line that names an id is compared without its dates and times: the id stands for the time of the value, and some
/// formats write the moment of the export into each record. The title of a document, which may hold that moment too, is
/// compared without its digits.
package struct ExportReplacement {
  private let titleLines: Int
  private var keys: Set<Int> = []
  /// The line that has not ended yet.
  private var rest: [UInt8] = []
  private var lineNumber = 0

  /// Prepares the comparison; `title` is what the document begins with, before its first entry.
  package init(title: [UInt8]) { titleLines = title.isEmpty ? 0 : max(1, title.count { $0 == Self.lineFeed }) }

  /// Adds the next bytes of a document.
  package mutating func add(_ bytes: [UInt8]) {
    rest += bytes
    var start = 0
    while let end = rest[start...].firstIndex(of: Self.lineFeed) {
      addLine(rest[start..<end])
      start = end + 1
    }
    rest.removeFirst(start)
  }

  /// Ends a document, so that another one can be added.
  package mutating func end() {
    if !rest.isEmpty { addLine(rest[...]) }
    rest = []
    lineNumber = 0
  }

  private mutating func addLine(_ line: ArraySlice<UInt8>) {
    lineNumber += 1
    if let key = key(of: line, number: lineNumber) { keys.insert(key) }
  }

  /// Returns the number of lines of the file at a path that no added document has.
  ///
  /// - Throws: `LibreError.input`.
  package func missingLines(ofFile path: String) throws(LibreError) -> Int {
    var lines = try InputFile(path).lines()
    var missing = 0
    while let chunk = try lines.next() {
      for line in chunk {
        guard let bytes = try? line.bytes.get() else {
          missing += 1
          continue
        }
        if let key = key(of: bytes[...], number: line.number), !keys.contains(key) { missing += 1 }
      }
    }
    return missing
  }

  // MARK: Keys

  private static let lineFeed = UInt8(ascii: "\n")

  /// A number that stands for the line's content; nil for a line without any.
  private func key(of line: ArraySlice<UInt8>, number: Int) -> Int? {
    var line = line
    // The comma between two records depends on what follows, and is not content.
    while let last = line.last, [UInt8(ascii: "\r"), UInt8(ascii: ","), UInt8(ascii: " ")].contains(last) {
      line.removeLast()
    }
    if line.isEmpty { return nil }
    if number <= titleLines { return line.filter { !Self.isDigit($0) }.hashValue }
    return Self.hasID(line) ? Self.withoutTimes(line).hashValue : Array(line).hashValue
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static let idForm = Array("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx".utf8)
  private static let timeForm = Array("0000-00-00T00:00:00".utf8)

  private static func hasID(_ line: ArraySlice<UInt8>) -> Bool {
    line.indices.dropLast(idForm.count - 1).contains { line[$0 + 8] == idForm[8] && matches(line[$0...], idForm) }
  }

  private static func withoutTimes(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    var line = line
    while let byte = line.first {
      if isDigit(byte), matches(line, timeForm) {
        line.removeFirst(timeForm.count)
      } else {
        kept.append(byte)
        line.removeFirst()
      }
    }
    return kept
  }

  /// True if the bytes begin with this form: `x` stands for a hexadecimal digit, `0` for a decimal one.
  private static func matches(_ bytes: ArraySlice<UInt8>, _ form: [UInt8]) -> Bool {
    guard bytes.count >= form.count else { return false }
    for (byte, wanted) in zip(bytes, form) {
      switch wanted {
      case UInt8(ascii: "x"): if HexText.nibble(byte) == nil { return false }
      case UInt8(ascii: "0"): if !isDigit(byte) { return false }
      default: if byte != wanted { return false }
      }
    }
    return true
  }
}
