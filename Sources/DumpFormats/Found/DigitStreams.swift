// SPDX-License-Identifier: Apache-2.0

/// The digits of a text as streams of bytes, in one reading.
struct DigitStreams {
  let reading: DigitReading
  private var finder: RowFinder
  private var listing: Listing
  /// All tokens, whatever stands between them.
  private var all: MemorySearch
  /// The numbers behind indices: `{"0":58,"1":207`.
  private var indexed: MemorySearch
  /// Numbers that stand alone in their lines.
  private var alone: MemorySearch
  private var nextIndex = 0
  private var isValueNext = false
  /// The value of the last token; nil if that was an index, or neither.
  private var lastValue: Int?
  private var every = ByteRow()

  init(_ reading: DigitReading) {
    self.reading = reading
    finder = RowFinder(reading)
    listing = Listing(reading)
    (all, indexed, alone) = (MemorySearch(reading.layer), MemorySearch(reading.layer), MemorySearch(reading.layer))
  }

  mutating func take(_ text: [UInt8], _ tokens: [TextToken], _ line: Range<Int>, _ found: inout FoundList) {
    every.removeAll()
    for token in tokens {
      if reading == .decimal { index(token, text, &found) }
      if reading.form(of: token, text) != nil { reading.append(token, text, to: &every) }
    }
    if every.bytes.isEmpty { return }
    all.append(every.bytes, at: every.places, &found)
    if tokens.count == 1, !text[line.lowerBound..<tokens[0].start].contains(where: \.isLetterOrDigit) {
      alone.append(every.bytes, at: every.places, &found)
    }
    finder.forEachRow(text, tokens, lineEnd: line.upperBound) { listing.take($0, &found) }
  }

  /// Takes a line `*`, which stands for rows equal to the one before it.
  mutating func takeRepetition() { listing.repeated = finder.row.bytes.isEmpty ? nil : finder.row }

  mutating func end(_ found: inout FoundList) {
    listing.end(&found)
    all.end(&found)
    indexed.end(&found)
    alone.end(&found)
  }

  private mutating func index(_ token: TextToken, _ text: [UInt8], _ found: inout FoundList) {
    guard token.isDecimal, let value = token.value(text, radix: 10) else { return }
    let isIndex = !isValueNext && (value == nextIndex || value == 0)
    if isIndex {
      nextIndex = value
    } else if isValueNext || lastValue == 0 {
      // Behind a zero before the list, the first index was taken for a value: it is harmless in a stream.
      nextIndex = isValueNext ? nextIndex + 1 : 1
      indexed.append(UInt8(truncatingIfNeeded: token.isNegative ? -value : value), at: token.start, &found)
    } else {
      nextIndex = 0
    }
    lastValue = isValueNext ? value : nil
    isValueNext = isIndex
  }
}

/// The rows of a listing in both orders of the bytes in a word, with the rows that a line `*` leaves out.
private struct Listing {
  private var rows: RowStreams
  /// The same rows with the bytes of each word in reverse, as on the machines that print them.
  private var words: RowStreams
  /// The row that a line `*` repeats, and the labels of the two rows before that line.
  var repeated: ByteRow?
  private var labels: (before: RowLabel?, last: RowLabel?)

  init(_ reading: DigitReading) {
    rows = RowStreams(reading.layer)
    words = RowStreams(reading == .hex || reading == .markedHex ? "hex words" : reading.layer)
  }

  mutating func take(_ row: ByteRow, _ found: inout FoundList) {
    if var copy = repeated {
      copy.label = nil
      let count = RowLabel.rowCount(labels.before, labels.last, row.label, size: copy.bytes.count)
      for _ in 0..<count { put(copy, &found) }
      repeated = nil
    }
    labels = (labels.last, row.label)
    put(row, &found)
  }

  mutating func end(_ found: inout FoundList) {
    rows.end(&found)
    words.end(&found)
  }

  private mutating func put(_ row: ByteRow, _ found: inout FoundList) {
    rows.take(row, &found)
    let size = row.wordSize
    guard size == 2 || size == 4 || size == 8 else { return }
    var swapped = row
    for start in stride(from: 0, to: row.bytes.count - size + 1, by: size) {
      swapped.bytes[start..<start + size].reverse()
    }
    words.take(swapped, &found)
  }
}
