// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Separates the dumps in a text, and gives each the facts about the sensor in the lines around it.
///
/// A new dump begins at the format's header, and at a block 0 after a whole memory. An invalid dump (one block with two
/// contents) gives a failure in its place; the ones after it are read.
struct DumpCollector {
  private let blockSize: Int
  private var dumps: [Found] = []
  private var facts: [(line: Int, fact: TextFact)] = []
  private var announced: (label: String?, line: Int)?
  private var next = 0

  private struct Found {
    var label: String?
    /// The line of the header, or of the first block.
    var first: Int
    /// The line of the last block; that of the header before there is a block.
    var last: Int
    var assembly: BlockAssembly
    var failure: DumpError?
    var isEmpty: Bool { assembly.isEmpty && failure == nil }
  }

  init(blockSize: Int = 8) { self.blockSize = blockSize }

  mutating func begin(_ label: String? = nil, line: Int) {
    let found = Found(label: label, first: line, last: line, assembly: BlockAssembly(blockSize: blockSize))
    if let last = dumps.last, last.isEmpty {
      dumps[dumps.count - 1] = found
    } else {
      dumps.append(found)
    }
  }

  /// Begins a new dump, unless the next block continues the current one: the line is then only between two of its rows.
  mutating func announce(_ label: String? = nil, line: Int) { announced = (label, line) }

  private mutating func selectDump(_ block: Int, line: Int) {
    if let header = announced, block == 0 || block != next { begin(header.label, line: header.line) }
    announced = nil
    next = block &+ 1
    if dumps.isEmpty || block == 0 && dumps[current].assembly.isComplete { begin(line: line) }
  }

  /// Adds a block to the current dump; nil if it could not be read, according to the file.
  mutating func place(_ bytes: [UInt8]?, at block: Int, line: Int) {
    guard let bytes else { return miss(block, line: line) }
    selectDump(block, line: line)
    if dumps[current].isEmpty, dumps[current].label == nil { dumps[current].first = line }
    do {
      try dumps[current].assembly.place(bytes, at: block, line: line)
    } catch {
      // Later lines still show where this dump ends.
      dumps[current].failure = dumps[current].failure ?? error
    }
    dumps[current].last = line
  }

  mutating func miss(_ block: Int, line: Int) {
    selectDump(block, line: line)
    dumps[current].assembly.miss(block)
    dumps[current].last = line
  }

  /// Adds the fact about the sensor in a line; returns true if there is one.
  @discardableResult
  mutating func note(_ line: TextLine) throws(DumpError) -> Bool {
    guard let fact = try TextFact(line) else { return false }
    // A fact that is repeated is stored once.
    if facts.last?.fact != fact || (dumps.last?.last ?? 0) > (facts.last?.line ?? 0) {
      facts.append((line.number, fact))
    }
    return true
  }

  /// Adds the sensor's UID, which the format has in its own form.
  mutating func note(uid: SensorUID, line: Int) { facts.append((line, .uid(uid))) }

  /// All dumps with blocks, in their order; each is assembled on demand.
  ///
  /// If the whole text has one UID, every dump has it. If it has several, a dump has the one between the dump before
  /// and itself; or the one between itself and the next dump, if no UID comes before the first dump and one comes after
  /// the last. Otherwise the UIDs are not assigned. The same is true for the patch info. Time and missing blocks are
  /// always taken from the lines between the dump before and itself.
  func sequence() -> DumpSequence {
    let dumps = dumps.filter { !$0.isEmpty }
    let facts = facts.sorted { $0.line < $1.line }
    let onlyUID = Self.only(facts.lazy.compactMap(\.fact.uid))
    let onlyPatchInfo = Self.only(facts.lazy.compactMap(\.fact.patchInfo))
    let factLines = facts.filter { $0.fact.uid != nil || $0.fact.patchInfo != nil }.map(\.line)
    let hasFactBefore = dumps.first.map { first in factLines.contains { $0 <= first.last } } ?? false
    let hasFactAfter = !hasFactBefore && (dumps.last.map { last in factLines.contains { $0 > last.last } } ?? false)
    var index = 0
    var rest = facts[...]
    return DumpSequence {
      guard index < dumps.count else { return nil }
      let found = dumps[index]
      index += 1
      let own = rest.prefix { $0.line <= found.last }
      rest = rest[own.endIndex...]
      if let failure = found.failure { return .failure(failure) }
      let until = index < dumps.count ? dumps[index].first : .max
      let ownFacts = hasFactBefore ? own : hasFactAfter ? rest.prefix { $0.line < until } : []
      var image: MemoryImage
      do throws(DumpError) {
        image = try found.assembly.image()
      } catch {
        return .failure(error)
      }
      image.uid = onlyUID ?? Self.only(ownFacts.lazy.compactMap(\.fact.uid))
      image.patchInfo = onlyPatchInfo ?? Self.only(ownFacts.lazy.compactMap(\.fact.patchInfo))
      for (_, fact) in own {
        switch fact {
        case .readAt(let readAt): image.readAt = readAt
        case .missingBlocks(let blocks): image.missingBlocks = Set(image.missingBlocks + blocks).sorted()
        case .uid, .patchInfo: break
        }
      }
      return .success(Dump(image: image, label: found.label, line: found.first))
    }
  }

  private static func only<Value: Equatable>(_ values: some Sequence<Value>) -> Value? {
    var only: Value?
    for value in values {
      if let before = only, before != value { return nil }
      only = value
    }
    return only
  }

  private var current: Int { dumps.count - 1 }
}
