// SPDX-License-Identifier: Apache-2.0
package import LibreKit

/// Reads the sensor on a reader again and again, for `watch` and `serve --watch`.
package struct WatchLoop {
  private let session: Session
  package let keeper: ReadingKeeper
  private let interval: Double?
  private let count: Int?
  private let line: LiveLine?

  /// `interval` is the time in seconds between two reads while the sensor stays; nil reads once a tap.
  package init(session: Session, keeper: ReadingKeeper, interval: Double?, count: Int? = nil, line: LiveLine? = nil) {
    (self.session, self.keeper, self.interval) = (session, keeper, interval)
    (self.count, self.line) = (count, line)
  }

  /// The next tap may come tomorrow.
  package static let timeout = Duration.seconds(86_400 * 365)

  /// Reads until it is interrupted, `count` is reached or no reader could help; the highest exit status of what could
  /// not be stored. `take` gets each reading as the store dates it and whose it is, or why the read failed.
  package func run(
    _ reader: ReaderSession, isolation: isolated (any Actor)? = #isolation,
    take: (Result<SensorReading, LibreError>, _ person: String?) throws(LibreError) -> Void
  ) async throws(LibreError) -> Int32 {
    var reads = 0
    var worst: Int32 = 0
    while true {
      let report = await reader.scan { line?.show($0) }
      line?.clear()
      session.log(report)
      session.remarkLowBattery(of: report.reader)
      if report.failure == .cancelled { return await interrupted(reader) }
      // A recording has come to its end.
      if report.failure == .traceEnded(.inventory), reads > 0 { break }
      let kept = keeper.keep(Result { () throws(LibreError) in try reader.reading(of: report) })
      try take(kept.result, kept.person)
      if case .failure(let error) = kept.result { keeper.rescue(report, after: error) }
      worst = max(worst, kept.report())
      kept.send()
      if report.failure?.isPermanent == true { break }
      reads += 1
      if reads == count { break }
      guard await pause(reader) else { return await interrupted(reader) }
    }
    await reader.close()
    return worst
  }

  private func interrupted(_ reader: ReaderSession) async -> Int32 {
    await reader.close()
    return SignalHandler.exitStatus
  }

  /// Waits until the sensor is taken away or `interval` is over; false if that was interrupted.
  private func pause(_ reader: ReaderSession) async -> Bool {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await reader.waitForRemoval() }
      if let interval { group.addTask { try? await Task.sleep(for: .seconds(interval)) } }
      await group.next()
      group.cancelAll()
    }
    return !Task.isCancelled
  }
}
