// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import LibreKit
import SampleSync

struct SyncCommand: CommandWithStore {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Send what sinks lack.",
    discussion: """
      Each sample is sent once, oldest first, and stays in the outbox until the receiver has it; what it will not take is \
      parked with its words (libre outbox). Exit status: 0 done, 75 the rest waits for another attempt, 77 a receiver does not let us in \
      (the sink is stopped), 78 a sink is wrongly set up.

      With --daemon it stays, and sends what comes and what waits; tools/packaging/systemd has a unit for that.

      Examples:
        libre sync
        libre sync --sink night --dry-run
      """)

  @OptionGroup var sink: SinkOption

  @Flag(help: "Stay, and send whatever comes.")
  var daemon = false

  @Option(help: ArgumentHelp("With --daemon: look for new samples so often; else every 30.", valueName: "seconds"))
  var interval: Double?

  @Flag(help: "Do not wait for the time that was set for another attempt, not even at a receiver's own wish.")
  var now = false

  @Flag(help: "Write one JSON document a line for each event.")
  var json = false

  @Flag(help: "Show the very requests, without secrets, and send nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let interval, !(1...86_400).contains(interval) {
      throw ValidationError("invalid value \(interval) for --interval. Try: seconds, such as 30")
    }
    if interval != nil, !daemon { throw ValidationError("--interval is for --daemon. Try: libre sync --daemon") }
    if daemon, dryRun { throw ValidationError("--daemon and --dry-run exclude each other. Try: one of them") }
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let sinks = try session.sinks(named: sink.names)
    let path = try session.storePath()
    if dryRun {
      let setups = try sinks.map { sink throws(LibreError) in try sink.setup.get() }
      try SyncRehearsal.rehearse(
        setups, in: StoreFile.openExisting(path), environment: Session.environment, now: LocalTime.now
      ) { event throws(LibreError) in
        guard json else { return try session.write(SyncText.line(for: event)) }
        try session.writeLine { SyncJSON.write(event, to: &$0) }
      }
      return 0
    }
    let sender = Sender(session, path: path, output: json ? .json : daemon ? .changes : .text, enrols: true)
    guard daemon else {
      // Not made: there is nothing to send where there is no store.
      _ = try StoreFile.openForReading(path)
      return try await sender.send(to: sinks, urgency: now ? .insists : .hurries, lockSeconds: 60)
    }
    let status = try await sender.stay(withSinksNamed: sink.names, interval: interval ?? 30)
    await sender.close()
    return status
  }
}
