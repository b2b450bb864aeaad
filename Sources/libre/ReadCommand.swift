// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import DumpFormats
import LibreKit

struct ReadCommand: CommandWithStore {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Read the sensor on the reader.",
    discussion: """
      Waits until a sensor is held on the reader, reads its memory in about half a second, decodes and prints it. A \
      sensor that is taken away too early may come back: only what is missing is read then. libnfc (nfc:) reads sensors \
      with a PN532Killer only, since it has no ISO 15693 itself.

      The reading goes into the store (see libre history), which also dates it: all scans of a sensor share one start. \
      Simulated and replayed sensors go only into a store that is named. Then what is new is sent to the sinks, if there \
      are any (libre sink; sync.mode = "manual" leaves that to libre sync); the exit status is that of the read.

      Examples:
        libre read
        libre read --reader pcsc:ACR1552 --json --save scan.hex
        libre read --reader sim:active
      """)

  @OptionGroup var options: ReaderOptions

  @Option(help: ArgumentHelp("Give up after this time without a sensor.", valueName: "seconds"))
  var timeout: Double = 60

  @Option(
    help: ArgumentHelp(
      "Keep the memory as a dump: raw for *.bin, Flipper's for *.nfc, *.json, else hex. A read that was broken off is kept too, as hex, and marked.",
      valueName: "file"), completion: .file())
  var save: String?

  @OptionGroup var force: ForceOption

  @Flag(help: "Do not put the reading into the store.")
  var noStore = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: ReadingOutputOptions
  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] { options.flags.merging(store.flags) { $1 } }

  func validate() throws {
    guard timeout > 0, timeout <= 86_400 else {
      throw ValidationError("invalid value \(timeout) for --timeout. Try: a number of seconds up to 86400")
    }
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    if let save { try force.checkReplacement(of: save) }
    var results = ResultWriter(
      output: output, isList: false, session: session, characters: Session.characters)
    var sensorReader = try options.sensorReader(session)
    let keeper = try ReadingKeeper(session, isWanted: !noStore, calibration: sensorReader.calibration)
    sensorReader.timeout = .seconds(timeout)
    if session.showsProgress, session.file == nil, keeper.isFirst {
      session.remark(
        "this is the first read here; what is read, where it is kept and who gets it:", resolution: "libre setup")
    }
    var unstored: ReadingKeeper.Failure?
    var report: ScanReport?
    let result: Result<SensorReading, LibreError>
    do {
      let kept = keeper.keep(try await read(sensorReader, session, &report))
      result = .success(kept.reading)
      unstored = kept.failure
    } catch {
      result = .failure(error)
    }
    try results.begin()
    try results.add(result, path: nil)
    try results.end()
    if save == nil, let report, case .failure(let error) = result { keeper.rescue(report, after: error) }
    if unstored == nil, case .success = result {
      keeper.send()
      await keeper.close()
    }
    return max(results.worst, unstored.map(ReadingKeeper.report) ?? 0)
  }

  /// `scanned` is what was read, also where it cannot be decoded.
  private func read(
    _ sensorReader: SensorReader, _ session: Session, _ scanned: inout ScanReport?
  ) async throws(LibreError) -> SensorReading {
    let line = LiveLine(session: session, limit: sensorReader.timeout)
    let reader = try await sensorReader.open()
    let report = await reader.scan { line.show($0) }
    scanned = report
    await reader.close()
    line.clear()
    session.log(report)
    if let save { try SavedScan(report: report).write(to: save) }
    return try reader.reading(of: report)
  }
}
