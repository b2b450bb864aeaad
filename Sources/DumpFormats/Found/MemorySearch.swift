// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// A stream of bytes in which memories are looked for. Each start of a memory is checked once, and only the bytes that
/// a memory can still need are kept.
struct MemorySearch {
  private let layer: String
  private var bytes: [UInt8] = []
  /// The place of each byte in the file.
  private var places: [Int] = []

  init(_ layer: String) { self.layer = layer }

  private static let batch = 8 * MemoryMap.fullByteCount

  mutating func append(_ piece: some Collection<UInt8>, at piecePlaces: some Collection<Int>, _ found: inout FoundList)
  {
    bytes.append(contentsOf: piece)
    places.append(contentsOf: piecePlaces)
    if bytes.count >= Self.batch { check(upTo: bytes.count - MemoryMap.fullByteCount, &found) }
  }

  mutating func append(_ byte: UInt8, at place: Int, _ found: inout FoundList) {
    append(CollectionOfOne(byte), at: CollectionOfOne(place), &found)
  }

  /// Checks the rest of the stream.
  mutating func end(_ found: inout FoundList) { check(upTo: bytes.count, &found) }

  private mutating func check(upTo limit: Int, _ found: inout FoundList) {
    var start = 0
    while let memory = ProvenMemory(in: bytes, from: start, upTo: limit) {
      start = memory.range.upperBound
      found.add(memory.image, layer: layer, places[memory.range.lowerBound]...places[start - 1])
    }
    let checked = max(start, limit)
    bytes.removeFirst(checked)
    places.removeFirst(checked)
  }
}

/// A memory that its own bytes prove: the content of the header is possible, and the checksums of header and body are
/// right. The footer proves nothing more, and may be damaged or cut off, which the image then shows. An encrypted memory
/// is proven by its key, which follows from its bytes, and by all three checksums.
struct ProvenMemory {
  let image: MemoryImage
  /// The place of the image in the bytes that were searched.
  let range: Range<Int>

  /// Finds the first memory that begins at `start` or after it, and before `limit`.
  init?(in bytes: [UInt8], from start: Int, upTo limit: Int) {
    let span = bytes.span
    var start = start
    let limit = min(limit, bytes.count - LibreProMap.byteCount + 1)
    while start < limit {
      // These conditions hold at one place in thousands, so most bytes cost no more than a look.
      let image =
        if Self.isStateOfSensor(span, start), let plain = Self.image(at: start, in: span) {
          plain
        } else if RecoveredKey.mayBegin(at: start, in: span) {
          Self.encrypted(span.extracting(start..<span.count))
        } else { nil as MemoryImage? }
      if let image {
        self.image = image
        range = start..<start + image.bytes.count
        return
      }
      start += 1
    }
    return nil
  }

  /// All of them, in their order.
  static func all(in bytes: [UInt8]) -> [ProvenMemory] {
    var all: [ProvenMemory] = []
    while let next = ProvenMemory(in: bytes, from: all.last?.range.upperBound ?? 0, upTo: bytes.count) {
      all.append(next)
    }
    return all
  }

  static func hasHeader(_ memory: Span<UInt8>) -> Bool {
    guard memory.count >= MemoryMap.header.end, isStateOfSensor(memory, 0), hasPossibleLog(memory) else { return false }
    let (stored, computed) = MemoryMap.header.checksums(in: memory)
    return stored == computed
  }

  private static func isStateOfSensor(_ span: Span<UInt8>, _ start: Int) -> Bool {
    span[start + MemoryMap.state] &- 1 < 6 && span[start + MemoryMap.activity] < 2
  }

  /// True if the log has no more entries than fit, and zeros after the last one. A failed sensor has its failure in
  /// place of the first entry (verified: all 496 reference memories).
  private static func hasPossibleLog(_ memory: Span<UInt8>) -> Bool {
    let log = MemoryMap.endOfLifeLog
    let count = Int(memory[MemoryMap.endOfLifeCount.offset + 1] >> 5)
    guard count <= log.capacity else { return false }
    let entries = memory[MemoryMap.state] == 6 ? max(count, 1) : count
    var offset = log.offset + log.stride * entries
    while offset < MemoryMap.header.end {
      if memory[offset] != 0 { return false }
      offset += 1
    }
    return true
  }

  private static func image(at start: Int, in bytes: Span<UInt8>) -> MemoryImage? {
    let rest = bytes.extracting(start..<bytes.count)
    if hasHeader(rest), let image = libre1(rest) { return image }
    // The constants of a Libre Pro are compared first, because they are seldom right by chance.
    let constants = LibreProMap.constants
    for (index, constant) in constants.bytes.enumerated() where rest[constants.offset + index] != constant {
      return nil
    }
    let image = MemoryImage(bytes: (0..<LibreProMap.byteCount).map { rest[$0] })
    return LibreProMap.geometry.integrity(of: image).trustedRegions == 3 ? image : nil
  }

  private static func libre1(_ rest: Span<UInt8>) -> MemoryImage? {
    guard rest.count >= MemoryMap.body.end, hasPossibleBody(rest) else { return nil }
    var count = min(rest.count, MemoryMap.byteCount) / MemoryMap.blockSize * MemoryMap.blockSize
    let image = MemoryImage(bytes: (0..<count).map { rest[$0] })
    guard CheckedMemory(image).integrity.body.isTrusted else { return nil }
    // The program of the sensor follows its data in a full memory; its checksum proves that it belongs to it.
    guard rest.count >= MemoryMap.fullByteCount else { return image }
    let (stored, computed) = MemoryMap.code.checksums(in: rest)
    guard stored == computed, (MemoryMap.code.covered).contains(where: { rest[$0] != 0 }) else { return image }
    count = MemoryMap.fullByteCount
    return MemoryImage(bytes: (0..<count).map { rest[$0] })
  }

  private static func encrypted(_ rest: Span<UInt8>) -> MemoryImage? {
    guard rest.count >= MemoryMap.byteCount else { return nil }
    let image = MemoryImage(bytes: (0..<MemoryMap.byteCount).map { rest[$0] })
    return RecoveredKey(image) == nil ? nil : image
  }

  private static func hasPossibleBody(_ memory: Span<UInt8>) -> Bool {
    memory[MemoryMap.trendIndex] < MemoryMap.trend.slots && memory[MemoryMap.historyIndex] < MemoryMap.history.slots
      && memory[MemoryMap.bodyPadding] == 0
  }
}
