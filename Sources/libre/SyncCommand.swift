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
    abstract: "Send queued samples to the sinks.",
    discussion: """
      Each sample is sent once, oldest first, and stays queued in the outbox until the receiver accepts it. A rejected \
      sample is parked with the receiver's message (libre outbox). Exit status: 0 success, 75 some samples are still queued \
      for another attempt, 77 a receiver refuses access (the sink is stopped), 78 a sink's configuration is invalid.

      With --daemon it keeps running and sends new samples, also to sinks that are added later; libre-sync.service does \
      that.

      Examples:
        libre sync
        libre sync --sink night --dry-run
      """)

  @OptionGroup var sink: SinkOption

  @Flag(help: "Keep running, and send new samples.")
  var daemon = false

  @Option(help: ArgumentHelp("With --daemon, time between checks for new samples. Default: 30.", valueName: "seconds"))
  var interval: Double?

  @Flag(help: "Try now, even if the next attempt is due later, or the receiver asked to wait.")
  var now = false

  @Flag(help: "Write one JSON document per line for each event.")
  var json = false

  @Flag(help: "Show the exact requests, without secrets, and send nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let interval, !(1...86_400).contains(interval) {
      throw ValidationError("invalid value \(interval) for --interval. Try: seconds, such as 30")
    }
    if interval != nil, !daemon {
      throw ValidationError("--interval works only with --daemon. Try: libre sync --daemon")
    }
    if daemon, dryRun { throw ValidationError("--daemon and --dry-run exclude each other. Try one of them") }
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let path = try session.storePath()
    // A sink that is not named may be added while it runs.
    let sinks = try daemon && sink.names.isEmpty ? [] : session.sinks(named: sink.names)
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
      // Not created: without a store there is nothing to send.
      _ = try StoreFile.openForReading(path)
      return try await sender.send(to: sinks, urgency: now ? .insists : .hurries, lockSeconds: 60)
    }
    let status = try await sender.run(withSinksNamed: sink.names, interval: interval ?? 30)
    await sender.close()
    return status
  }
}
