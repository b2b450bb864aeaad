// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import LibreDocuments
import LibreKit
import SampleStore
import Synchronization

/// Saves each reading in the store of the sensor's owner, and sends new samples to their sinks, for
/// `read` and `watch`.
final class ReadingKeeper: Sendable {
  /// An error that kept a reading out of the store.
  struct Failure: Error {
    let error: LibreError
    /// The dump that the memory was saved to instead.
    let dump: String?
  }

  /// A reading after it was stored, or not.
  struct Kept {
    /// The reading with the store's dates; after a failure unchanged.
    var reading: SensorReading
    /// Owner of the sensor, if several people are known here.
    var person: String?
    var failure: Failure?
    fileprivate var store: ReadingStore?

    /// Requests sending of new samples without waiting for it.
    func send() { store?.send() }
  }

  private let session: Session
  /// The store of the person of the session.
  private let own: ReadingStore
  private let calibration: CalibrationOption
  private let isNamed: Bool
  private let isReal: Bool
  /// The stores of other people who got a reading.
  private let others = Mutex<[Person: ReadingStore]>([:])

  /// Prepares the store for readings of the reader that the configuration names.
  ///
  /// - Parameter isNamed: true if the user says that an unknown sensor is the session's person's.
  init(_ session: Session, isWanted: Bool, calibration: CalibrationOption, isNamed: Bool) throws(LibreError) {
    self.session = session
    self.calibration = calibration
    self.isNamed = isNamed
    let scheme = session.configuration[.reader].text.prefix { $0 != ":" }
    isReal = scheme != "sim" && scheme != "replay"
    own = try ReadingStore(session, isWanted: isWanted, isReal: isReal)
  }

  /// True if the reading would be the first in its store.
  var isFirst: Bool { own.path.map { !FileSystem.exists($0) } ?? false }

  /// Says that a simulated reading is not stored, unless `--no-store` asked for that.
  func remarkIfLeftOut() { own.remarkIfLeftOut() }

  /// Waits for sending to finish.
  func close() async {
    await own.close()
    for other in others.withLock({ Array($0.values) }) { await other.close() }
  }

  /// Stores a reading for the owner of its sensor.
  ///
  /// People are looked up for each reading, because `watch` may run for weeks. A store is open only for this one
  /// reading: between readings it is a single file, which may be copied, moved or removed while `watch` runs.
  func keep(_ reading: SensorReading) -> Kept {
    session.log(reading)
    guard own.path != nil else { return Kept(reading: reading) }
    do throws(LibreError) {
      let sessions = try session.household()
      let household = try session.household(of: sessions, isNamed: isNamed, source: .read)
      let index = try household.owner(of: reading)
      let remembered = try StoreFile.openForWriting(household.members[index].path)
        .remember(reading, calibration: calibration.choice(sessions[index]))
      session.log(remembered.receipt)
      return Kept(
        reading: remembered.reading, person: sessions[index].label(among: sessions), store: try store(sessions[index]))
    } catch {
      // Another person's memory is not kept anywhere: it can be read again.
      if error.cause is PersonError {
        return Kept(reading: reading.unclaimed, failure: Failure(error: error, dump: nil))
      }
      let dump = UnstoredReading.save(reading, environment: session.environment)
      return Kept(reading: reading, failure: Failure(error: error, dump: dump))
    }
  }

  /// The store of a person, with its sender.
  private func store(_ theirs: Session) throws(LibreError) -> ReadingStore {
    if theirs.person == session.person { return own }
    if let known = others.withLock({ $0[theirs.person] }) { return known }
    let store = try ReadingStore(theirs, isWanted: true, isReal: isReal)
    others.withLock { $0[theirs.person] = store }
    return store
  }

  /// Saves a memory that was read but cannot be decoded next to the store, and prints where.
  func rescue(_ report: ScanReport, after error: LibreError) {
    guard own.path != nil, let reason = error.cause as? MemoryError, report.failure == nil else { return }
    if case .blank = reason { return }
    guard let dump = UnstoredReading.save(report.image, environment: session.environment) else { return }
    Session.notify("the memory was saved in \(dump)", resolution: "libre inspect \(dump)")
  }

  /// Reports why a reading was not stored and where it was saved instead; returns the exit status.
  static func report(_ failure: Failure) -> Int32 {
    Session.report(failure.error)
    if let dump = failure.dump {
      Session.notify("the reading was saved in \(dump)", resolution: "libre import \(dump)")
    }
    return failure.error.exitStatus
  }
}
