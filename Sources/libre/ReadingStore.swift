// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The store of one person that keeps what was just read from a sensor or a meter, and the sender of what is new in it.
struct ReadingStore {
  private let session: Session
  /// The store; nil if nothing is to be stored.
  let path: String?
  private let sender: BackgroundSender?
  /// True if a reading would be stored, were it not simulated.
  private let isLeftOut: Bool

  /// Prepares the store. Nothing is stored with `--no-store`, nor from a simulated or replayed device unless a store is
  /// named: experiments do not belong in a person's health history.
  init(_ session: Session, isWanted: Bool, isReal: Bool) throws(LibreError) {
    self.session = session
    let origin = session.configuration[.store].origin
    let path = isWanted && (isReal || origin != .standard) ? try session.storePath() : nil
    self.path = path
    isLeftOut = isWanted && path == nil
    // New sinks get only readings of a real device in the user's own store, not experiments.
    let isOwn = isReal && origin != .flag
    let isAutomatic = session.configuration[.syncMode].text == "automatic"
    sender = isAutomatic ? path.map { BackgroundSender(session, path: $0, enrols: isOwn) } : nil
  }

  /// Says that a simulated reading is not stored, unless `--no-store` asked for that.
  func remarkIfLeftOut() {
    if isLeftOut {
      session.remark("a simulated reading is not stored", resolution: "--store FILE names a store for it")
    }
  }

  /// Requests sending of what is new without waiting for it.
  func send() { sender?.send() }

  /// Waits for sending to finish, at most `sync.wait_seconds`; the rest stays in the outbox.
  func close() async {
    guard let sender else { return }
    let seconds = Int(session.configuration[.syncWaitSeconds].text) ?? 5
    let isSent = await sender.finish(within: .seconds(seconds))
    if isSent || Task.isCancelled { return }
    session.remark(
      "not everything was sent within \(seconds) s; the rest stays in the outbox", resolution: "libre sync")
  }
}
