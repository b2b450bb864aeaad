// SPDX-License-Identifier: Apache-2.0

/// The memories of a file one at a time, so that a database with months of scans is never in memory as a whole.
///
/// It can be iterated once. A memory that cannot be read gives a failure in its place, and the ones after it are read.
package struct DumpSequence: Sequence, IteratorProtocol {
  package typealias Element = Result<Dump, DumpError>

  private let produce: () -> Element?

  /// A sequence of the results of `produce`, which returns nil at the end and after it.
  package init(_ produce: @escaping () -> Element?) { self.produce = produce }

  package init(_ elements: some Sequence<Element>) {
    var iterator = elements.makeIterator()
    produce = { iterator.next() }
  }

  package init(_ dump: Dump) { self.init([.success(dump)]) }

  package mutating func next() -> Element? { produce() }
}
