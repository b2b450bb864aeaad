// SPDX-License-Identifier: Apache-2.0

/// The memories of a file, one at a time: a database of months of scans is never in memory as a whole.
///
/// It can be gone through once. A memory that cannot be read is a failure in its place, and does not stop the ones after it.
public struct DumpSequence: Sequence, IteratorProtocol {
  public typealias Element = Result<Dump, DumpError>

  private let produce: () -> Element?

  /// `produce` gives the next one, nil at the end and ever after.
  public init(_ produce: @escaping () -> Element?) { self.produce = produce }

  public init(_ elements: some Sequence<Element>) {
    var iterator = elements.makeIterator()
    produce = { iterator.next() }
  }

  /// A file of one memory.
  public init(_ dump: Dump) { self.init([.success(dump)]) }

  public mutating func next() -> Element? { produce() }
}
