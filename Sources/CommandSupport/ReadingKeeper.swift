// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreDocuments
package import LibreKit
package import SampleStore
import SensorHistory
import Synchronization

/// Saves each reading in the store of the sensor's owner, and sends new samples to their sinks.
package final class ReadingKeeper: Sendable {
  package struct Kept {
    /// The reading with the store's dates; unchanged if it was not stored.
    package var result: Result<SensorReading, LibreError>
    /// Owner of the sensor, if several people are known here.
    package var person: String?
    /// The error that kept the reading out of the store, and the dump that its memory was saved to instead.
    package var failure: (error: LibreError, dump: String?)?
    fileprivate var store: ReadingStore?

    /// Requests sending of new samples without waiting for it; nothing if none were stored.
    package func send() { store?.send() }

    /// Reports why the reading was not stored and where it was saved instead; returns the exit status.
    package func report() -> Int32 {
      guard let failure else { return 0 }
      Session.report(failure.error)
      if let dump = failure.dump {
        Session.notify("the reading was saved in \(dump)", resolution: "libre import \(dump)")
      } else if !(failure.error.cause is PersonError) {
        Session.notify(
          "the reading could not be saved in a file either", resolution: "libre read --save FILE, on another disk")
      }
      return failure.error.exitStatus
    }
  }

  private let session: Session
  private let own: ReadingStore
  private let calibration: CalibrationOption
  private let isNamed: Bool
  private let isReal: Bool
  private let others = Mutex<[Person: ReadingStore]>([:])

  /// `isNamed` is true if the user says that an unknown sensor is the session's person's.
  package init(_ session: Session, isWanted: Bool, calibration: CalibrationOption, isNamed: Bool) throws(LibreError) {
    self.session = session
    self.calibration = calibration
    self.isNamed = isNamed
    let scheme = session.configuration[.reader].text.prefix { $0 != ":" }
    isReal = scheme != "sim" && scheme != "replay"
    own = try ReadingStore(session, isWanted: isWanted, isReal: isReal)
  }

  package var isFirst: Bool { own.path.map { !FileSystem.exists($0) } ?? false }

  /// True if readings are stored.
  package var isKeeping: Bool { own.path != nil }

  package func remarkIfLeftOut() { own.remarkIfLeftOut() }

  package func close() async {
    await own.close()
    for other in others.withLock({ Array($0.values) }) { await other.close() }
  }

  /// Stores a reading for the owner of its sensor. People are looked up and the store is opened for each one: `watch`
  /// may run for weeks, and in between the store may be copied, moved or removed.
  package func keep(_ result: Result<SensorReading, LibreError>) -> Kept {
    guard case .success(let reading) = result else { return Kept(result: result) }
    session.log(reading)
    guard own.path != nil else { return Kept(result: result) }
    do throws(LibreError) {
      let sessions = try session.household()
      let household = try session.household(of: sessions, isNamed: isNamed, source: .read)
      let index = try household.owner(of: reading)
      let remembered = try Session.openForWriting(household.members[index].path)
        .remember(reading, calibration: calibration.choice(sessions[index]))
      session.log(remembered.receipt)
      return Kept(
        result: .success(remembered.reading), person: sessions[index].label(among: sessions),
        store: try store(of: sessions[index]))
    } catch {
      // Another person's memory is not kept anywhere: it can be read again.
      if error.cause is PersonError {
        return Kept(result: .success(reading.unclaimed), failure: (error, nil))
      }
      let dump = UnstoredReading.save(reading, environment: session.environment)
      return Kept(result: result, failure: (error, dump))
    }
  }

  private func store(of theirs: Session) throws(LibreError) -> ReadingStore {
    if theirs.person == session.person { return own }
    if let known = others.withLock({ $0[theirs.person] }) { return known }
    let store = try ReadingStore(theirs, isWanted: true, isReal: isReal)
    others.withLock { $0[theirs.person] = store }
    return store
  }

  /// Saves a memory that was read but cannot be decoded next to the store, and prints where.
  package func rescue(_ report: ScanReport, after error: LibreError) {
    guard own.path != nil, let reason = error.cause as? MemoryError, report.failure == nil else { return }
    if case .blank = reason { return }
    guard let dump = UnstoredReading.save(report.image, environment: session.environment) else { return }
    Session.notify("the memory was saved in \(dump)", resolution: "libre inspect \(dump)")
  }
}

/// The store of one person that keeps what was just read from a sensor or a meter, and the sender of what is new in it.
package struct ReadingStore {
  private let session: Session
  /// Path of the store; nil if nothing is to be stored.
  package let path: String?
  private let sender: BackgroundSender?
  /// True if a reading would be stored, were it not simulated.
  private let isLeftOut: Bool

  /// Nothing is stored with `--no-store`, nor from a simulated or replayed device unless a store is
  /// named: experiments do not belong in a person's health history.
  package init(_ session: Session, isWanted: Bool, isReal: Bool) throws(LibreError) {
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
  package func remarkIfLeftOut() {
    if isLeftOut {
      session.remark("a simulated reading is not stored", resolution: "--store FILE names a store for it")
    }
  }

  /// Requests sending of what is new without waiting for it.
  package func send() { sender?.send() }

  /// Waits for sending to finish, at most `sync.wait_seconds`; the rest stays in the outbox.
  package func close() async {
    guard let sender else { return }
    let seconds = Int(session.configuration[.syncWaitSeconds].text) ?? 5
    let isSent = await sender.finish(within: .seconds(seconds))
    if isSent || Task.isCancelled { return }
    session.remark(
      "not everything was sent within \(seconds) s; the rest stays in the outbox", resolution: "libre sync")
  }
}

/// Taking removed values back from receivers, for every command that removes some.
extension Session {
  /// Runs one round of sending, and prints what became of the removed values at each sink; if the removal is only
  /// planned, what would become of them. Create the notice before the removal.
  @MainActor package func takeBack(_ notice: RemovalNotice, from store: SensorStore, isPlanned: Bool = false)
    async throws
  {
    if !isPlanned { try await sendNew() }
    for sentence in try notice.sentences(sinkSetups, in: store, isPlanned: isPlanned) {
      remark(sentence)
    }
  }

  /// Runs one round of sending, as after a read; nothing with `sync.mode = "manual"`.
  @MainActor package func sendNew() async throws {
    let sending = try ReadingStore(self, isWanted: true, isReal: true)
    sending.send()
    await sending.close()
  }
}
