// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreKit

/// The lines that an export has, or that the store could write, so that an older export is replaced only if nothing in it
/// is lost.
///
/// A line that names an id is compared without its dates and times: the id stands for the time of the value, and some
/// formats write the moment of the export into each record. The title of a document, which may hold that moment too, is
/// compared without its digits.
package struct ExportReplacement {
  private let titleLines: Int
  private var keys: Set<Int> = []
  private var rest: [UInt8] = []
  private var lineNumber = 0

  /// Prepares the comparison; `title` is what the document begins with, before its first entry.
  package init(title: [UInt8]) { titleLines = title.isEmpty ? 0 : max(1, title.count { $0 == Self.lineFeed }) }

  package mutating func add(_ bytes: [UInt8]) {
    rest += bytes
    var start = 0
    while let end = rest[start...].firstIndex(of: Self.lineFeed) {
      addLine(rest[start..<end])
      start = end + 1
    }
    rest.removeFirst(start)
  }

  package mutating func end() {
    if !rest.isEmpty { addLine(rest[...]) }
    rest = []
    lineNumber = 0
  }

  private mutating func addLine(_ line: ArraySlice<UInt8>) {
    lineNumber += 1
    if let key = key(of: line, number: lineNumber) { keys.insert(key) }
  }

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

  private static let lineFeed = UInt8(ascii: "\n")

  private func key(of line: ArraySlice<UInt8>, number: Int) -> Int? {
    line.withUnsafeBufferPointer { bytes in
      var end = bytes.count
      // The comma between two records depends on what follows, and is not content.
      while end > 0, [UInt8(ascii: "\r"), UInt8(ascii: ","), UInt8(ascii: " ")].contains(bytes[end - 1]) { end -= 1 }
      guard end > 0 else { return nil }
      let content = UnsafeBufferPointer(rebasing: bytes[..<end])
      var hasher = Hasher()
      if number <= titleLines {
        for byte in content where !Self.isDigit(byte) { hasher.combine(byte) }
      } else if Self.hasID(content) {
        Self.addWithoutTimes(content, to: &hasher)
      } else {
        hasher.combine(bytes: UnsafeRawBufferPointer(content))
      }
      return hasher.finalize()
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static let idForm = Array("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx".utf8)
  private static let timeForm = Array("0000-00-00T00:00:00".utf8)

  private static func hasID(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    let form = idForm
    guard line.count >= form.count else { return false }
    return (0...line.count - form.count).contains { line[$0 + 8] == form[8] && matches(line, at: $0, form) }
  }

  private static func addWithoutTimes(_ line: UnsafeBufferPointer<UInt8>, to hasher: inout Hasher) {
    let form = timeForm
    var (start, place) = (0, 0)
    while place + form.count <= line.count {
      if line[place + 10] == form[10], matches(line, at: place, form) {
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(line)[start..<place]))
        place += form.count
        start = place
      } else {
        place += 1
      }
    }
    hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(line)[start...]))
  }

  /// True if the bytes from a place on have this form: `x` stands for a hexadecimal digit, `0` for a decimal one.
  private static func matches(_ line: UnsafeBufferPointer<UInt8>, at place: Int, _ form: [UInt8]) -> Bool {
    for (index, wanted) in form.enumerated() {
      let byte = line[place + index]
      switch wanted {
      case UInt8(ascii: "x"): if HexText.nibble(byte) == nil { return false }
      case UInt8(ascii: "0"): if !isDigit(byte) { return false }
      default: if byte != wanted { return false }
      }
    }
    return true
  }
}
