// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Tells the dumps in a text apart and gives each what the lines around it say of the sensor.
///
/// A new dump begins where the format has a header, and where block 0 comes again after a whole memory. A dump with a
/// fault in it (two contents of one block) is a failure in its place; the ones after it are read.
struct DumpCollector {
  private let blockSize: Int
  private var dumps: [Found] = []
  private var facts: [(line: Int, fact: TextFact)] = []
  private var announced: (label: String?, line: Int)?
  /// After the last block that was placed or missed.
  private var next = 0

  private struct Found {
    var label: String?
    /// Of the header, or of the first block.
    var first: Int
    /// Of the last block; of the header before there is any.
    var last: Int
    var assembly: BlockAssembly
    var failure: DumpError?

    var isEmpty: Bool { assembly.isEmpty && failure == nil }
  }

  init(blockSize: Int = 8) { self.blockSize = blockSize }

  /// The dump that is being read begins here; blocks before it, if any, were another's.
  mutating func begin(_ label: String? = nil, line: Int) {
    let found = Found(label: label, first: line, last: line, assembly: BlockAssembly(blockSize: blockSize))
    if let last = dumps.last, last.isEmpty {
      dumps[dumps.count - 1] = found
    } else {
      dumps.append(found)
    }
  }

  /// A line that may be a header: a dump begins here unless the next block is the one after the last, which means that the
  /// line only stood between the rows of one dump.
  mutating func announce(_ label: String? = nil, line: Int) { announced = (label, line) }

  /// Makes the dump that a block belongs to the one that is being read.
  private mutating func reach(_ block: Int, line: Int) {
    if let header = announced, block == 0 || block != next { begin(header.label, line: header.line) }
    announced = nil
    next = block &+ 1
    if dumps.isEmpty || block == 0 && dumps[current].assembly.isComplete { begin(line: line) }
  }

  /// A block of the dump that is being read.
  mutating func place(_ bytes: [UInt8], at block: Int, line: Int) {
    reach(block, line: line)
    if dumps[current].isEmpty, dumps[current].label == nil { dumps[current].first = line }
    do {
      try dumps[current].assembly.place(bytes, at: block, line: line)
    } catch {
      // What follows still tells where this dump ends.
      dumps[current].failure = dumps[current].failure ?? error
    }
    dumps[current].last = line
  }

  /// A block of which the file says that it could not be read.
  mutating func miss(_ block: Int, line: Int) {
    reach(block, line: line)
    dumps[current].assembly.miss(block)
    dumps[current].last = line
  }

  /// What a line says of the sensor, if it does; true then.
  @discardableResult
  mutating func note(_ line: TextLine) throws(DumpError) -> Bool {
    guard let fact = try TextFact(line) else { return false }
    // One that is said over and over is kept once.
    if facts.last?.fact != fact || (dumps.last?.last ?? 0) > (facts.last?.line ?? 0) {
      facts.append((line.number, fact))
    }
    return true
  }

  /// The sensor's UID, in a writing of the format's own.
  mutating func note(uid: SensorUID, line: Int) { facts.append((line, .uid(uid))) }

  /// All dumps with blocks in them, in their order, each put together when it is asked for.
  ///
  /// Where all of the text speaks of one UID, it is every dump's. Where it speaks of several, a dump has the one that was
  /// said since the dump before it; or the one said before the next, in a text that says nothing before its first dump and
  /// something behind its last. A text that shows neither leaves open whose they are. The same goes for the patch info.
  /// Time and missing blocks are always its own: said since the dump before it.
  func sequence() -> DumpSequence {
    let dumps = dumps.filter { !$0.isEmpty }
    let facts = facts.sorted { $0.line < $1.line }
    let onlyUID = Self.only(facts.lazy.compactMap(\.fact.uid))
    let onlyPatchInfo = Self.only(facts.lazy.compactMap(\.fact.patchInfo))
    let said = facts.filter { $0.fact.uid != nil || $0.fact.patchInfo != nil }.map(\.line)
    let saysBefore = dumps.first.map { first in said.contains { $0 <= first.last } } ?? false
    let saysBehind = !saysBefore && (dumps.last.map { last in said.contains { $0 > last.last } } ?? false)
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
      let said = saysBefore ? own : saysBehind ? rest.prefix { $0.line < until } : []
      var image: MemoryImage
      do throws(DumpError) {
        image = try found.assembly.image()
      } catch {
        return .failure(error)
      }
      image.uid = onlyUID ?? Self.only(said.lazy.compactMap(\.fact.uid))
      image.patchInfo = onlyPatchInfo ?? Self.only(said.lazy.compactMap(\.fact.patchInfo))
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

  /// The one thing that all of them are.
  private static func only<Value: Equatable>(_ values: some Sequence<Value>) -> Value? {
    var only: Value?
    for value in values {
      if let before = only, before != value { return nil }
      only = value
    }
    return only
  }

  /// Of the dump that is being read, once there is one.
  private var current: Int { dumps.count - 1 }
}
