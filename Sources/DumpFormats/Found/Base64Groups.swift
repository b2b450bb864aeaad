// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// Base64 in a text: the longest run of its characters in each line, joined over lines of one length. Other characters
/// of the lines, such as quotes and the time of a log, are not part of a run.
struct Base64Groups {
  private let text: [UInt8]
  private let depth: Int
  /// The rows of the current group, which have one length but for the last.
  private var rows: [Range<Int>] = []

  /// The number of characters of the smallest proven memory, which is that of a Libre Pro.
  private static let minimum = LibreProMap.byteCount * 4 / 3
  private static let minimumRow = 16
  /// A larger part is not unpacked again, because it would be in memory a second time.
  private static let nestedLimit = 4 << 20

  static func search(_ text: [UInt8], depth: Int, _ budget: inout Int, _ found: inout FoundList) {
    var groups = Base64Groups(text: text, depth: depth)
    var position = 0
    while position < text.count {
      let longest = groups.longestRun(&position, &budget, &found)
      groups.take(longest, &budget, &found)
    }
    groups.end(&budget, &found)
  }

  private init(text: [UInt8], depth: Int) { (self.text, self.depth) = (text, depth) }

  /// Goes to the next line, and decodes the long runs on the way. A zero ends a line too, as between the files of an
  /// archive.
  private func longestRun(_ position: inout Int, _ budget: inout Int, _ found: inout FoundList) -> Range<Int> {
    var longest = position..<position
    while position < text.count, text[position] != 0x0A, text[position] != 0x0D, text[position] != 0 {
      let start = position
      while position < text.count, let width = width(at: position) { position += width }
      let run = start..<position
      // Hex digits alone are of the alphabet too.
      if run.count >= Self.minimum, text[run].contains(where: { HexText.nibble($0) == nil }) {
        decode([run], skipping: 0, &budget, &found)
        // The characters before the base64 may be of its alphabet too, such as those of a path.
        for phase in 1...3 { decode([run], skipping: phase, &budget, &found) }
      }
      if run.count > longest.count { longest = run }
      if run.isEmpty { position += 1 }
    }
    position += 1
    return longest
  }

  private mutating func take(_ run: Range<Int>, _ budget: inout Int, _ found: inout FoundList) {
    if run.isEmpty { return }
    let length = rows.first?.count ?? 0
    if run.count > length {
      end(&budget, &found)
      if run.count >= Self.minimumRow { rows.append(run) }
    } else {
      rows.append(run)
      if run.count < length { end(&budget, &found) }
    }
  }

  private mutating func end(_ budget: inout Int, _ found: inout FoundList) {
    if rows.count > 1, rows[0].count * rows.count >= Self.minimum { decode(rows, skipping: 0, &budget, &found) }
    rows.removeAll(keepingCapacity: true)
  }

  private func decode(_ rows: [Range<Int>], skipping: Int, _ budget: inout Int, _ found: inout FoundList) {
    var content: [UInt8] = []
    var places: [Int] = []
    var (bits, count, skipped, before) = (UInt32(0), 0, 0, 0)
    var search = MemorySearch("base64")
    let isNested = skipping == 0 && rows[0].count * rows.count <= Self.nestedLimit
    for row in rows {
      var position = row.lowerBound
      while position < row.upperBound {
        let start = position
        position += width(at: position) ?? 1
        guard let value = value(at: start) else { continue }
        if skipped < skipping {
          skipped += 1
          continue
        }
        bits = bits << 6 | UInt32(value)
        count += 6
        if count >= 8 {
          count -= 8
          // A byte begins in the character before the one that completes it.
          let byte = UInt8(truncatingIfNeeded: bits >> UInt32(count))
          search.append(byte, at: before, &found)
          if isNested {
            content.append(byte)
            places.append(before)
          }
        }
        before = start
      }
    }
    search.end(&found)
    guard isNested, depth > 1 || PackedPart.isPacked(content), budget >= content.count, !content.isEmpty else { return }
    budget -= content.count
    var inner = FileSearch(content, depth: depth - 1)
    inner.run(&budget)
    found.add(inner.found, from: "base64") { [places] in places[$0.lowerBound]...places[$0.upperBound] }
  }

  /// The number of bytes of a character of base64, which a URL or JSON may have escaped; nil for another one.
  private func width(at position: Int) -> Int? {
    let character = text[position]
    if character.isLetterOrDigit { return 1 }
    switch character {
    case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"): return 1
    case UInt8(ascii: "\\"): return position + 1 < text.count && text[position + 1] == UInt8(ascii: "/") ? 2 : nil
    case UInt8(ascii: "%"): return escaped(position) == nil ? nil : 3
    default: return nil
    }
  }

  private func value(at position: Int) -> UInt8? {
    let character = text[position]
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): return character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "\\"): return 63
    case UInt8(ascii: "%"): return escaped(position)
    default: return nil
    }
  }

  /// The value of `%2B` and `%2F`.
  private func escaped(_ position: Int) -> UInt8? {
    guard position + 2 < text.count, text[position + 1] == UInt8(ascii: "2") else { return nil }
    return switch text[position + 2] | 0x20 {
    case UInt8(ascii: "b"): 62
    case UInt8(ascii: "f"): 63
    default: nil
    }
  }
}
