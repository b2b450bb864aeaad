// SPDX-License-Identifier: Apache-2.0
import LibreKit
import SampleStore
import SampleSync

/// Taking removed values back from receivers, for every command that removes some.
extension Session {
  /// Runs one round of sending, as after a read, and prints what became of the removed values at each sink. With
  /// `sync.mode = "manual"` only `libre sync` sends.
  ///
  /// Create the notice before the removal.
  @MainActor func takeBack(_ notice: RemovalNotice, from store: SensorStore) async throws {
    try await sendNew()
    for sentence in try notice.sentences(file, in: store) { remark(sentence) }
  }

  /// Runs one round of sending, as after a read; nothing with `sync.mode = "manual"`.
  @MainActor func sendNew() async throws {
    let sending = try ReadingStore(self, isWanted: true, isReal: true)
    sending.send()
    await sending.close()
  }

  /// Prints what would become of the values at each sink, for a removal that is only planned.
  func remark(onPlanned notice: RemovalNotice, from store: SensorStore) throws {
    for sentence in try notice.sentences(file, in: store, isPlanned: true) { remark(sentence) }
  }
}
