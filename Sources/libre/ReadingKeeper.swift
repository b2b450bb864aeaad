// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import LibreKit
import SampleStore

/// Saves readings in the store and sends new samples, for `read` and `watch`.
struct ReadingKeeper {
  /// An error that kept a reading out of the store.
  struct Failure: Error {
    let error: LibreError
    /// The dump that the memory was saved to instead.
    let dump: String?
  }

  private let session: Session
  private let store: ReadingStore
  private let calibration: CalibrationChoice

  /// Prepares the store for readings of the reader that the configuration names.
  init(_ session: Session, isWanted: Bool, calibration: CalibrationChoice) throws(LibreError) {
    self.session = session
    self.calibration = calibration
    let scheme = session.configuration[.reader].text.prefix { $0 != ":" }
    store = try ReadingStore(session, isWanted: isWanted, isReal: scheme != "sim" && scheme != "replay")
  }

  /// True if the reading would be the first in its store.
  var isFirst: Bool { store.path.map { !FileSystem.exists($0) } ?? false }

  /// Says that a simulated reading is not stored, unless `--no-store` asked for that.
  func remarkIfLeftOut() { store.remarkIfLeftOut() }

  /// Requests sending of new samples without waiting for it.
  func send() { store.send() }

  /// Waits for sending to finish.
  func close() async { await store.close() }

  /// Stores a reading and returns it with the store's dates; after a failure, unchanged with the failure.
  ///
  /// The store is open only for this one reading: between readings it is a single file, which may be copied, moved or
  /// removed while `watch` runs.
  func keep(_ reading: SensorReading) -> (reading: SensorReading, failure: Failure?) {
    session.log(reading)
    guard let path = store.path else { return (reading, nil) }
    do throws(LibreError) {
      let remembered = try StoreFile.openForWriting(path).remember(reading, calibration: calibration)
      session.log(remembered.receipt)
      return (remembered.reading, nil)
    } catch {
      let dump = UnstoredReading.save(reading, environment: Session.environment)
      return (reading, Failure(error: error, dump: dump))
    }
  }

  /// Saves a memory that was read but cannot be decoded next to the store, and prints where.
  func rescue(_ report: ScanReport, after error: LibreError) {
    guard store.path != nil, case .memory(let reason) = error, report.failure == nil else { return }
    if case .blank = reason { return }
    guard let dump = UnstoredReading.save(report.image, environment: Session.environment) else { return }
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
