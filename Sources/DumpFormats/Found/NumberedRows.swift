// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The number beside a row of bytes, read in each way in which it can be meant.
struct RowLabel {
  let decimal: Int?
  let hex: Int?
  var octal: Int?
  /// A number of the text around it, equal in lines of the same form.
  let form: Int

  init(decimal: Int?, hex: Int?, form: Int) { (self.decimal, self.hex, self.form) = (decimal, hex, form) }

  /// The number of rows between two labels as offsets, if a row before was one row before `last`; 0 otherwise.
  static func rowCount(_ before: RowLabel?, _ last: RowLabel?, _ next: RowLabel?, size: Int) -> Int {
    for value in [\RowLabel.hex, \.octal, \.decimal] {
      guard let before = before?[keyPath: value], let last = last?[keyPath: value], let next = next?[keyPath: value],
        last - before == size, next > last, (next - last).isMultiple(of: size)
      else { continue }
      return min((next - last) / size - 1, MemoryMap.fullByteCount / size)
    }
    return 0
  }

  init(ofByte byte: UInt8) {
    let digits = (Int(byte >> 4), Int(byte & 15))
    self.init(decimal: digits.0 < 10 && digits.1 < 10 ? digits.0 * 10 + digits.1 : nil, hex: Int(byte), form: 0)
  }
}

/// Blocks that are placed by the numbers beside them, so that their order in the file does not matter. What the numbers
/// count, blocks or bytes, in decimal or in hex, is shown by the checksums.
struct NumberedRows {
  private var assemblies: [Assembly]

  init(_ layer: String) { assemblies = Numbering.allCases.map { Assembly($0, layer) } }

  mutating func take(_ row: ArraySlice<UInt8>, _ label: RowLabel, _ place: Int, _ found: inout FoundList) {
    for index in assemblies.indices { assemblies[index].take(row, label, place, &found) }
  }

  mutating func end(_ found: inout FoundList) {
    for index in assemblies.indices { assemblies[index].end(&found) }
  }
}

private enum Numbering: CaseIterable {
  case block, hexBlock, offset, hexOffset

  func block(_ label: RowLabel) -> Int? {
    switch self {
    case .block: label.decimal
    case .hexBlock: label.hex
    case .offset: Self.block(ofOffset: label.decimal)
    case .hexOffset: Self.block(ofOffset: label.hex)
    }
  }

  private static func block(ofOffset offset: Int?) -> Int? {
    offset.flatMap { $0.isMultiple(of: MemoryMap.blockSize) ? $0 / MemoryMap.blockSize : nil }
  }
}

/// The blocks of one memory.
private struct Assembly {
  private let numbering: Numbering
  private let layer: String
  private var bytes = [UInt8](repeating: 0, count: MemoryMap.byteCount)
  private var rows = [(place: Int, form: Int)?](repeating: nil, count: MemoryMap.blockCount)
  private var count = 0
  private var conflict: (block: Int, places: [Int])?

  init(_ numbering: Numbering, _ layer: String) { (self.numbering, self.layer) = (numbering, layer) }

  mutating func take(_ row: ArraySlice<UInt8>, _ label: RowLabel, _ place: Int, _ found: inout FoundList) {
    guard let first = numbering.block(label), first < MemoryMap.blockCount else { return }
    let isOther = rows[0] != nil && !bytes[..<MemoryMap.blockSize].elementsEqual(row.prefix(MemoryMap.blockSize))
    if first == 0, count == MemoryMap.blockCount || isOther { end(&found) }
    for block in first..<min(first + row.count / MemoryMap.blockSize, MemoryMap.blockCount) {
      let start = row.startIndex + (block - first) * MemoryMap.blockSize
      put(row[start..<start + MemoryMap.blockSize], block, label, place)
    }
  }

  private mutating func put(_ content: ArraySlice<UInt8>, _ block: Int, _ label: RowLabel, _ place: Int) {
    let range = block * MemoryMap.blockSize..<(block + 1) * MemoryMap.blockSize
    if let before = rows[block] {
      // A row of another form is not a copy of the block, but has a number by chance.
      if !bytes[range].elementsEqual(content), before.form == label.form, conflict == nil {
        conflict = (block, [before.place, place])
      }
    } else {
      bytes.replaceSubrange(range, with: content)
      rows[block] = (place, label.form)
      count += 1
    }
  }

  /// Reports the memory, if it is one, and begins the next.
  mutating func end(_ found: inout FoundList) {
    defer { self = Assembly(numbering, layer) }
    guard count * 2 > MemoryMap.blockCount, ProvenMemory.hasHeader(bytes.span) else { return }
    let missing = rows.indices.filter { rows[$0] == nil }
    let image = MemoryImage(bytes: bytes, missingBlocks: missing)
    let integrity = CheckedMemory(image).integrity
    // A gap in the body is named and never filled; the footer is then the second proof.
    let isProven = integrity.body.isTrusted || image.lacksBody && integrity.footer.isTrusted
    let places = rows.compactMap { $0?.place }
    guard integrity.header.isTrusted, isProven, let first = places.min(), let last = places.max() else { return }
    found.add(FoundList.Found(image: image, layer: layer, place: first...last, conflict: conflict))
  }
}
