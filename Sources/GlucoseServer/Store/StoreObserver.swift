// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
package import SampleStore

/// Publishes a new snapshot whenever the store changes, also by another process.
package struct StoreObserver: Sendable {
  private let store: StoredValues
  private let feed: SnapshotFeed
  private let report: @Sendable (StoreError) -> Void

  /// `report` gets each new error of reading the store once; until it is gone, the previous snapshot is served.
  package init(_ store: StoredValues, feed: SnapshotFeed, report: @escaping @Sendable (StoreError) -> Void) {
    self.store = store
    self.feed = feed
    self.report = report
  }

  /// Pause between two reads of a store that is being written: an import writes for seconds.
  private static let pause = Duration.milliseconds(250)
  /// Pause between two reads where the kernel can watch no more.
  private static let slowPause = Duration.seconds(10)

  /// Runs until the task is cancelled.
  package func run() async {
    var failure: StoreError?
    while !Task.isCancelled {
      let changes = FileChanges.stream(ofDatabase: store.path)
      // The store may have changed before the watch began.
      refresh(&failure)
      if let changes {
        for await _ in changes {
          refresh(&failure)
          try? await Task.sleep(for: Self.pause)
        }
      }
      try? await Task.sleep(for: changes == nil ? Self.slowPause : Self.pause)
    }
  }

  private func refresh(_ failure: inout StoreError?) {
    do throws(StoreError) {
      feed.publish(try store.snapshot(now: LocalTime.now))
      failure = nil
    } catch {
      if error != failure { report(error) }
      failure = error
    }
  }
}
