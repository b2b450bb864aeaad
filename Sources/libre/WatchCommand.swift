// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreDocuments
import LibreKit

struct WatchCommand: CommandWithStore {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Read the sensor repeatedly.",
    discussion: """
      Reads at every tap, or every --interval while the sensor stays on the reader. It waits for a reader that is not \
      plugged in yet, was unplugged, or whose service is restarted. A failed read is reported, and libre waits for the \
      next one; Ctrl-C ends it. Every successful read is saved in the store and sent to the sinks, as with libre read.

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

  @OptionGroup var owner: OwnerOption
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
    let line = LiveLine(session: session, limit: nil)
    sensorReader.timeout = WatchLoop.timeout
    sensorReader.onWaiting = { line.show($0) }
    let keeper = try ReadingKeeper(
      session, isWanted: !noStore, calibration: options.calibration, isNamed: owner.isNamed(global))
    var results = ResultWriter(output: output, isList: true, session: session)
    keeper.remarkIfLeftOut()
    try results.begin()
    let status: Int32
    do {
      let reader = try await sensorReader.open()
      let loop = WatchLoop(
        session: session, keeper: keeper, interval: interval, count: count, line: line)
      let unstored = try await loop.run(reader) { result, person throws(LibreError) in
        try results.add(result, person: person)
      }
      status = max(unstored, results.status)
    } catch {
      try results.add(.failure(error), person: nil)
      status = error.exitStatus
    }
    try results.end()
    await keeper.close()
    return status
  }
}
