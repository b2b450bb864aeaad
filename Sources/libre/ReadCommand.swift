// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import LibreDocuments
import LibreKit

struct ReadCommand: CommandWithStore, CancellableCommand {
  static let configuration = CommandConfiguration(
    "read", "Read the sensor on the reader.",
    discussion: """
      Waits for a sensor on the reader, reads its memory in about half a second, decodes and prints it. The trend is one \
      value a minute for the last 16 minutes, the history one every 15 minutes for 8 hours. If the sensor is removed too \
      early, put it back: only the missing part is read. With libnfc (nfc:) only a PN532Killer can read sensors, because \
      libnfc lacks ISO 15693.

      The reading is saved in the store (see libre history), which also dates it: all scans of a sensor share one start \
      time. If several people use this computer (libre person), it is saved for the one whose sensor it is. A sensor that \
      was never read here and that was worn at the same time as yours is shown and not saved, until --person NAME \
      or --mine says whose it is. Simulated and replayed sensors are saved only if a store is named (--store). Then new \
      samples are sent to the sinks, if there are any (libre sink; with sync.mode = "manual" only libre sync sends). Sending does not change the \
      exit status.

      Examples:
        libre read
        libre read --reader pcsc:ACR1552 --json --save scan.hex
        libre read --reader sim:active
      """)

  @OptionGroup var options: ReaderOptions

  @Option(help: .value("seconds", "Time to wait for a sensor."))
  var timeout: Double = 60

  @Option(
    help: .value(
      "file",
      "Save the memory as a dump: raw for *.bin, Flipper for *.nfc, JSON for *.json, else hex. An incomplete read is saved too, as hex, and marked."
    ), completion: .file())
  var save: String?

  @Flag(help: "Do not save the reading in the store.")
  var noStore = false

  @OptionGroup var owner: OwnerOption
  @OptionGroup var output: ReadingOutputOptions
  @OptionGroup var store: StoreOptions
  var flags: [Setting: String] { options.flags.merging(store.flags) { $1 } }

  func validate() throws {
    try check(seconds: timeout, of: "--timeout")
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    if let save { try options.force.checkReplacement(of: save) }
    var results = ResultWriter(output: output, isList: false, session: session, characters: Session.characters)
    var sensorReader = try options.sensorReader(session)
    let keeper = try ReadingKeeper(
      session, isWanted: !noStore, calibration: options.calibration, isNamed: owner.isNamed(global))
    sensorReader.timeout = .seconds(timeout)
    if session.showsProgress, session.file == nil, keeper.isFirst {
      session.remark(
        "first read on this machine; to see what is read, where it is kept and who gets it:", resolution: "libre setup")
    }
    var report: ScanReport?
    let result: Result<SensorReading, LibreError>
    do {
      result = .success(try await read(sensorReader, session, &report))
    } catch {
      result = .failure(error)
    }
    let kept = keeper.keep(result)
    try results.begin()
    try results.add(kept.result, person: kept.person)
    try results.end()
    switch kept.result {
    case .failure(let error): if save == nil, let report { keeper.rescue(report, after: error) }
    case .success where kept.failure == nil:
      keeper.remarkIfLeftOut()
      kept.send()
      await keeper.close()
    case .success: break
    }
    return max(results.status, kept.report())
  }

  /// Reads the sensor; `scanned` is set even if the memory cannot be decoded.
  private func read(
    _ sensorReader: SensorReader, _ session: Session, _ scanned: inout ScanReport?
  ) async throws(LibreError) -> SensorReading {
    let line = LiveLine(session: session, limit: sensorReader.timeout)
    let reader = try await sensorReader.open()
    if session.configuration[.reader].text == ReaderAddress.automatic.description {
      session.explain(readerAt: await reader.address)
    }
    let report = await reader.scan { line.show($0) }
    scanned = report
    await reader.close()
    line.clear()
    session.log(report)
    session.remarkLowBattery(of: report.reader)
    if let save { try report.save(to: save) }
    return try reader.reading(of: report)
  }
}

struct WatchCommand: CommandWithStore, CancellableCommand {
  static let configuration = CommandConfiguration(
    "watch", "Read the sensor repeatedly.",
    discussion: """
      Reads at every tap, or every --interval while the sensor stays on the reader. It waits for a reader that is not \
      plugged in yet, was unplugged, or whose service is restarted. A failed read is reported, and libre waits for the \
      next one; Ctrl-C ends it. Every successful read is saved in the store and sent to the sinks, as with libre read. \
      Meanwhile it tells alerts (libre alerts).

      Examples:
        libre watch --ndjson | jq -c .current
        libre watch --interval 60
      """)

  @OptionGroup var options: ReaderOptions

  @Option(
    help: .value("seconds", "Time between reads while the sensor stays on the reader. Default: one read per tap."))
  var interval: Double?

  @Option(help: .value("number", "End after this many reads, failed ones included."))
  var count: Int?

  @Flag(help: "Do not save the readings in the store.")
  var noStore = false

  @OptionGroup var owner: OwnerOption
  @OptionGroup var output: ReadingOutputOptions
  @OptionGroup var store: StoreOptions
  var flags: [Setting: String] { options.flags.merging(store.flags) { $1 } }

  func validate() throws {
    try check(seconds: interval, of: "--interval")
    try check(count, of: "--count", allowed: "1 or more") { $0 >= 1 }
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    var sensorReader = try options.sensorReader(session)
    let line = LiveLine(session: session, limit: nil)
    sensorReader.timeout = WatchLoop.timeout
    sensorReader.onWaiting = { line.show($0) }
    let keeper = try ReadingKeeper(
      session, isWanted: !noStore, calibration: options.calibration, isNamed: owner.isNamed(global))
    var results = ResultWriter(output: output, isList: true, session: session)
    keeper.remarkIfLeftOut()
    let alerts = keeper.isKeeping ? AlertLoop(session, isEverybodys: global.person == nil) : nil
    try results.begin()
    let status: Int32
    do {
      let reader = try await sensorReader.open()
      let loop = WatchLoop(session: session, keeper: keeper, interval: interval, count: count, line: line)
      let unstored = try await loop.run(reader) { result, person throws(LibreError) in
        alerts?.check()
        try results.add(result, person: person)
      }
      status = max(unstored, results.status)
    } catch {
      try results.add(.failure(error), person: nil)
      status = error.exitStatus
    }
    await alerts?.finish()
    try results.end()
    await keeper.close()
    return status
  }
}
