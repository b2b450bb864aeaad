// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Tells the dumps in a text apart and gives each what the lines around it say of the sensor.
///
/// A new dump begins where the format has a header, and where block 0 comes again after a whole memory. A dump with a
/// fault in it (two contents of one block) is a failure in its place; the ones after it are read.
struct DumpCollector {
  private let blockSize: Int
  private var dumps: [Found] = []
  private var facts: [(line: Int, fact: TextFact)] = []

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

  /// A block of the dump that is being read.
  mutating func place(_ bytes: [UInt8], at block: Int, line: Int) {
    if dumps.isEmpty || block == 0 && current.failure == nil && current.assembly.isComplete { begin(line: line) }
    guard current.failure == nil else { return }
    if current.assembly.isEmpty, current.label == nil { current.first = line }
    do {
      try current.assembly.place(bytes, at: block, line: line)
    } catch {
      current.failure = error
    }
    current.last = line
  }

  /// A block of which the file says that it could not be read.
  mutating func miss(_ block: Int, line: Int) {
    if dumps.isEmpty { begin(line: line) }
    current.assembly.miss(block)
    current.last = line
  }

  /// The bytes of a block of the dump that is being read.
  func block(_ block: Int) -> [UInt8]? { dumps.last?.assembly[block] }

  /// What a line says of the sensor, if it does; true then.
  @discardableResult
  mutating func note(_ line: TextLine) throws(DumpError) -> Bool {
    guard let fact = try TextFact(line) else { return false }
    facts.append((line.number, fact))
    return true
  }

  /// The time of a dump, known from elsewhere than a line of its own.
  mutating func note(readAt: Instant, line: Int) { facts.append((line, .readAt(readAt))) }

  /// All dumps with blocks in them, in their order.
  func sequence() -> DumpSequence {
    let dumps = self.dumps.filter { !$0.isEmpty }
    return DumpSequence(
      dumps.indices.map { index in
        if let failure = dumps[index].failure { return .failure(failure) }
        return .success(dump(dumps[index], after: index == 0 ? 0 : dumps[index - 1].last))
      })
  }

  private var current: Found {
    get { dumps[dumps.count - 1] }
    set { dumps[dumps.count - 1] = newValue }
  }

  private func dump(_ found: Found, after before: Int) -> Dump {
    var image = found.assembly.image()
    image.uid = nearest(to: found) { if case .uid(let uid) = $0 { uid } else { nil } }
    image.patchInfo = nearest(to: found) { if case .patchInfo(let patchInfo) = $0 { patchInfo } else { nil } }
    for (line, fact) in facts where line > before && line <= found.last {
      switch fact {
      case .readAt(let readAt): image.readAt = readAt
      case .missingBlocks(let blocks): image.missingBlocks = Set(image.missingBlocks + blocks).sorted()
      case .uid, .patchInfo: break
      }
    }
    return Dump(image: image, label: found.label, line: found.first)
  }

  /// What was said last before the dump's end; else what was said after it, if that was one thing only.
  private func nearest<Value: Hashable>(to found: Found, _ value: (TextFact) -> Value?) -> Value? {
    let before = facts.last { $0.line <= found.last && value($0.fact) != nil }
    if let before { return value(before.fact) }
    let all = Set(facts.compactMap { value($0.fact) })
    return all.count == 1 ? all.first : nil
  }
}
