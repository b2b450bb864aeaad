// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import LibreKit
import NFCTransport

struct WatchCommand: CommandWithStore {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Read the sensor repeatedly.",
    discussion: """
      Reads at every tap, or every --interval while the sensor stays on the reader. A failed read is reported, and libre \
      waits for the next one; Ctrl-C ends it. Every successful read is saved in the store and sent to the sinks, as with \
      libre read.

      Examples:
        libre watch --ndjson | jq -c .current
        libre watch --interval 60
      """)

  @OptionGroup var options: ReaderOptions

  @Option(
    help: ArgumentHelp(
      "Time between reads while the sensor stays on the reader. Default: one read per tap.", valueName: "seconds"))
  var interval: Double?

  @Option(help: ArgumentHelp("End after this many reads, failed ones included.", valueName: "number"))
  var count: Int?

  @Flag(help: "Do not save the readings in the store.")
  var noStore = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: ReadingOutputOptions
  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] { options.flags.merging(store.flags) { $1 } }

  func validate() throws {
    if let interval, !(interval > 0 && interval <= 86_400) {
      throw ValidationError("invalid value \(interval) for --interval. Try: a number of seconds up to 86400")
    }
    if let count, count < 1 { throw ValidationError("invalid value \(count) for --count. Try: 1 or more") }
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    var sensorReader = try options.sensorReader(session)
    // The next tap may come tomorrow.
    sensorReader.timeout = Self.waitTimeout
    let keeper = try ReadingKeeper(session, isWanted: !noStore, calibration: sensorReader.calibration)
    var results = ResultWriter(output: output, isList: true, session: session)
    try results.begin()
    let status: Int32
    do {
      let reader = try await sensorReader.open()
      status = try await watch(reader, session, keeper, &results)
    } catch {
      try results.add(.failure(error), path: nil)
      status = error.exitStatus
    }
    try results.end()
    await keeper.close()
    return status
  }

  private static let waitTimeout = Duration.seconds(86_400 * 365)

  /// Reads until interrupted, `count` is reached or the reader itself fails; returns the highest exit status.
  ///
  /// - Throws: only errors of standard output.
  private func watch(
    _ reader: ReaderSession, _ session: Session, _ keeper: ReadingKeeper, _ results: inout ResultWriter
  ) async throws(LibreError) -> Int32 {
    let line = LiveLine(session: session, limit: nil)
    var reads = 0
    var worst: Int32 = 0
    while true {
      let report = await reader.scan { line.show($0) }
      line.clear()
      session.log(report)
      if report.failure == .cancelled { return await interrupted(reader) }
      // The recording has ended.
      if report.failure == .traceEnded(.inventory), reads > 0 { break }
      var result = Result { () throws(LibreError) in try reader.reading(of: report) }
      var unstored: ReadingKeeper.Failure?
      if case .success(let reading) = result {
        let kept = keeper.keep(reading)
        result = .success(kept.reading)
        unstored = kept.failure
      }
      try results.add(result, path: nil)
      if case .failure(let error) = result { keeper.rescue(report, after: error) }
      worst = max(worst, unstored.map(ReadingKeeper.report) ?? 0)
      if unstored == nil, case .success = result { keeper.send() }
      if case .failure(.transport(let failure)) = result, failure.isPermanent { break }
      reads += 1
      if reads == count { break }
      guard await pause(reader) else { return await interrupted(reader) }
    }
    await reader.close()
    return max(worst, results.worst)
  }

  private func interrupted(_ reader: ReaderSession) async -> Int32 {
    await reader.close()
    return SignalHandler.exitStatus
  }

  /// Waits until the next read is due; false if interrupted.
  private func pause(_ reader: ReaderSession) async -> Bool {
    do {
      if let interval { try await Task.sleep(for: .seconds(interval)) } else { try await reader.waitForRemoval() }
      return !Task.isCancelled
    } catch {
      return !Task.isCancelled
    }
  }
}
