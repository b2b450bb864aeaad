// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import LibreKit
import SampleStore

/// What `read` and `watch` do with a reading besides printing it: put it into the store, and send on what is new.
struct ReadingKeeper {
  /// How it went, where something did not.
  struct Failure: Error {
    let error: LibreError
    /// Where the memory was saved instead.
    let dump: String?
  }

  private let session: Session
  private let path: String?
  private let calibration: CalibrationChoice
  private let sender: BackgroundSender?

  /// Nothing is stored with `--no-store`; nor, unless a store is named, of a simulated or replayed sensor: a history of
  /// one's own health is no place for experiments.
  init(_ session: Session, isWanted: Bool, calibration: CalibrationChoice) throws(LibreError) {
    self.session = session
    self.calibration = calibration
    let scheme = session.configuration[.reader].text.prefix { $0 != ":" }
    let isReal = scheme != "sim" && scheme != "replay"
    let isNamed = session.configuration[.store].origin != .standard
    path = isWanted && (isReal || isNamed) ? try session.storePath() : nil
    // A real sensor's reading in the user's own store is for the sinks of the user's own file; what is tried out is not.
    let isOwn = isReal && session.configuration[.store].origin != .flag
    let isAutomatic = session.configuration[.syncMode].text == "automatic"
    sender = isAutomatic ? path.map { BackgroundSender(session, path: $0, enrols: isOwn) } : nil
  }

  /// True if the reading would be the first in its store.
  var isFirst: Bool { path.map { !FileSystem.exists($0) } ?? false }

  /// Asks for what is new to be sent, and does not wait for it.
  func send() { sender?.send() }

  /// Waits for what is being sent, as long as `sync.wait_seconds` says. The rest stays in the outbox.
  func close() async {
    guard let sender else { return }
    let seconds = Int(session.configuration[.syncWaitSeconds].text) ?? 5
    let isSent = await sender.finish(within: .seconds(seconds))
    if isSent || Task.isCancelled { return }
    session.remark(
      "not everything was sent within \(seconds) s; the rest stays in the outbox", resolution: "libre sync")
  }

  /// The reading as the store dates it. A failure to store it is told, with the reading as it was.
  ///
  /// The store is open for the one reading only: in between it is a single file, which may be copied, moved or removed
  /// while `watch` runs.
  func keep(_ reading: SensorReading) -> (reading: SensorReading, failure: Failure?) {
    session.log(reading)
    guard let path else { return (reading, nil) }
    do throws(LibreError) {
      let remembered = try StoreFile.openForWriting(path).remember(reading, calibration: calibration)
      session.log(remembered.receipt)
      return (remembered.reading, nil)
    } catch {
      let dump = UnstoredReading.save(reading, environment: Session.environment)
      return (reading, Failure(error: error, dump: dump))
    }
  }

  /// Keeps the memory of a sensor that was read and that libre cannot decode, where its readings would be kept; and
  /// tells where. Nothing where nothing was read.
  func rescue(_ report: ScanReport, after error: LibreError) {
    guard path != nil, case .memory(let reason) = error, report.failure == nil else { return }
    if case .blank = reason { return }
    guard let dump = UnstoredReading.save(report.image, environment: Session.environment) else { return }
    Session.tell("the memory is safe in \(dump)", resolution: "libre inspect \(dump)")
  }

  /// Tells why a reading was not stored, and where it is now; the exit status.
  static func report(_ failure: Failure) -> Int32 {
    Session.report(failure.error)
    if let dump = failure.dump { Session.tell("the reading is safe in \(dump)", resolution: "libre import \(dump)") }
    return failure.error.exitStatus
  }
}
