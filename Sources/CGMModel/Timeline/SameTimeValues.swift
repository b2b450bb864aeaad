// SPDX-License-Identifier: Apache-2.0

/// Gives different values of the same source, device, ring and time their ids. Create one for each file.
///
/// Programs write times in whole minutes, and two scans in one minute are two values: each is kept. An id has an
/// ordinal, and what a file brings to a time gets its ordinals by size, the lowest value first. So **the order of the rows
/// does not matter**: any permutation of a file gives the same values, the same ids and the same counts.
///
/// | value | outcome |
/// |---|---|
/// | the store has it, with whatever ordinal | `known` |
/// | the store has others at that time | `added`, with the next free ordinal |
/// | there are already `ordinals` others | `conflict` |
/// | the next free ordinal is that of a value that the user removed | `leftOut`: it may be that value |
///
/// What was in the store before the file keeps its id. So the ids depend on the order of files, and the values do not.
package final class SameTimeValues {
  /// A time at which the file brought a value that was not the first.
  package struct Moment: Hashable {
    let source: String
    let device: String?
    let ring: SampleRing
    let time: Instant
  }

  /// The ordinals that there are, more than values in a minute.
  package static let ordinals = 1...64

  private let id: (ImportedSample, Int) -> SampleID
  /// Values after this change are the file's.
  package let since: StoreAnchor
  /// Number of history values added to a time with others, as of two persons or sensors. Two scans at one time are
  /// usual.
  package private(set) var historyCount = 0

  /// The times whose values have to be numbered, each with one of its values.
  package var unsettled: [Moment: ImportedSample] = [:]

  /// True if it is time to number them: a malicious file could fill the memory.
  package var isFull: Bool { unsettled.count >= 1 << 12 }

  /// Begins a file with the store's state before it; `id` returns the id of a value with an ordinal.
  package init(since: StoreAnchor, id: @escaping (ImportedSample, Int) -> SampleID) {
    (self.since, self.id) = (since, id)
  }

  /// The possible ids of a value, in the order of the ordinals.
  package func ids(of imported: ImportedSample) -> some Sequence<SampleID> {
    Self.ordinals.lazy.map { [id] in id(imported, $0) }
  }

  /// Notes a value that was added to a time with others, with its own id or one that has to be settled.
  package func note(_ imported: ImportedSample, isSettled: Bool) {
    if imported.ring == .history { historyCount += 1 }
    if isSettled { return }
    let moment = Moment(source: imported.source, device: imported.device, ring: imported.ring, time: imported.time)
    unsettled[moment] = imported
  }
}
