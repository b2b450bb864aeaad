// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import SampleSync
import SensorHistory

struct SyncCommand: CommandWithStore, CancellableCommand {
  static let configuration = CommandConfiguration(
    "sync", "Send queued samples to the sinks.",
    discussion: """
      Each sample is sent once, oldest first, and stays queued in the outbox until the receiver accepts it. A rejected \
      sample is parked with the receiver's message (libre outbox). Exit status: 0 success, 75 some samples are still queued \
      for another attempt, 77 a receiver refuses access (the sink is stopped), 78 a sink's configuration is invalid.

      It sends for everybody, if several people are known (libre person list), unless --person, --sink or --store is given.

      A sink with an interval (libre sink set NAME interval=15m) gets a run at most that often; what comes meanwhile stays \
      queued, and --now sends it at once. --status shows when each sink is next due, and its last runs.

      With --daemon it keeps running, sends new samples, also to sinks that are added later, and tells alerts (libre alerts); \
      libre-sync.service does that.

      Examples:
        libre sync
        libre sync --sink night --dry-run
        libre sync --status --json | jq '.sinks[].runs[0]'
      """)

  @OptionGroup var sink: SinkOption

  @Flag(help: "Keep running, and send new samples.")
  var daemon = false

  @Option(help: .value("seconds", "With --daemon, time between checks for new samples. Default: 30."))
  var interval: Double?

  @Flag(help: "Try now, even if the next run or attempt is due later, or the receiver asked to wait.")
  var now = false

  @Flag(help: "Show each sink's next run and its last ones, and send nothing.")
  var status = false

  @Flag(help: "Write one JSON document per line for each event, or one with --status.")
  var json = false

  @Flag(help: "Show the exact requests, without secrets, and send nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    try check(interval, of: "--interval", allowed: "seconds, such as 30", (1...86_400).contains)
    try refuse(if: interval != nil && !daemon, "--interval works only with --daemon. Try: libre sync --daemon")
    try refuse(
      if: [daemon, dryRun, status].count(where: \.self) > 1,
      "--daemon, --dry-run and --status exclude each other. Try one of them")
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    if daemon { return try await run(session) }
    if status { return try showStatus(session) }
    let sessions = try everybody(session)
    var worst: Int32 = 0
    var missing: LibreError?
    var isDone = false
    for theirs in sessions {
      do throws(LibreError) {
        worst = max(worst, try await send(theirs, person: theirs.label(among: sessions)))
        isDone = true
      } catch {
        // Of several people, one without values or sinks has nothing to send.
        let isAbsent = if case .missing = error.cause as? StoreError { true } else { error.sinkError == .noSinks }
        guard isAbsent else { throw error }
        missing = missing ?? error
      }
    }
    if !isDone, let missing { throw missing }
    return worst
  }

  private func showStatus(_ session: Session) throws(LibreError) -> Int32 {
    let names = Set(try session.sinks(named: sink.names).map(\.name))
    let views = try session.sinkViews().filter { names.contains($0.name) }
    try session.write(
      json: json, document: { SinksJSON.write(views, to: &$0) },
      text: SinksTable(style: session.style).list(views, runs: 10))
    return 0
  }

  /// Everybody whose sinks are meant, unless a person, a sink or a store is named.
  private func everybody(_ session: Session) throws(LibreError) -> [Session] {
    session.person == .user && global.person == nil && sink.names.isEmpty ? try session.household() : [session]
  }

  private func send(_ session: Session, person: String?) async throws(LibreError) -> Int32 {
    let path = try session.storePath()
    let sinks = try session.sinks(named: sink.names)
    guard dryRun else {
      // Not created: without a store there is nothing to send.
      let store = try StoreFile.openForReading(path)
      let sender = Sender(session: session, path: path, output: json ? .json : .text, enrols: true, person: person)
      let status = try await sender.send(to: sinks, urgency: now ? .insists : .hurries, lockSeconds: 60)
      for (sensor, wears) in try libre(store.doubts()) {
        // The import has said this of a time from a file, and no later read has to settle it.
        guard let doubt = wears.max(by: { $0.key < $1.key })?.value, doubt != .modificationTime else { continue }
        let problem = ReadingProblem.startInDoubt(doubt)
        Session.notify("\(sensor.label): \(problem.message)", resolution: problem.resolution)
      }
      return status
    }
    let setups = try sinks.map { sink throws(LibreError) in try sink.setup.get() }
    try SyncRehearsal.rehearse(
      setups, in: Session.openExisting(path), environment: session.environment, now: LocalTime.now
    ) { event throws(LibreError) in
      guard json else { return try session.write((person.map { "\($0): " } ?? "") + SyncText.line(for: event)) }
      try session.writeLine { SyncJSON.write(event, person: person, to: &$0) }
    }
    return 0
  }

  /// Sends until it is interrupted. People and sinks may be added while it runs.
  private func run(_ session: Session) async throws(LibreError) -> Int32 {
    // The keys are the words before their lines, which change with the first other person.
    var senders: [String: Sender] = [:]
    var reported: LibreError?
    let alerts = AlertLoop(session, isEverybodys: global.person == nil)
    while !Task.isCancelled {
      do throws(LibreError) {
        let sessions = try everybody(session)
        for theirs in sessions {
          let label = theirs.label(among: sessions)
          if senders[label ?? ""] == nil {
            senders[label ?? ""] = Sender(
              session: theirs, path: try theirs.storePath(), output: json ? .json : .changes, enrols: true,
              person: label)
          }
          try await senders[label ?? ""]?.round(withSinksNamed: sink.names)
        }
        for label in Set(senders.keys).subtracting(sessions.map { $0.label(among: sessions) ?? "" }) {
          await senders.removeValue(forKey: label)?.close()
        }
        reported = nil
      } catch {
        if error.isOfStandardOutput { throw error }
        if error != reported { Session.report(error) }
        reported = error
      }
      let due = senders.values.map(\.secondsToNext).min() ?? .infinity
      guard await SyncTools.real.sleep(min(interval ?? 30, due)) else { break }
    }
    for sender in senders.values { await sender.close() }
    await alerts.finish()
    return SignalHandler.exitStatus
  }
}

struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "outbox", "Show queued samples, and samples that receivers rejected.",
    discussion: """
      Examples:
        libre outbox list
        libre outbox retry --sink night
      """,
    subcommands: [List.self, Retry.self, Drop.self])

  struct List: CommandWithStore, CommandWithDocument {
    static let configuration = CommandConfiguration(
      abstract: "List how many samples are queued, and each parked (rejected) sample with the receiver's message.",
      discussion: """
        Examples:
          libre outbox list
          libre outbox list --json | jq '.sinks[].dead[].reason'
        """)

    @OptionGroup var sink: SinkOption
    @OptionGroup var document: DocumentOption
    @OptionGroup var store: StoreOptions

    func execute(_ session: Session) throws {
      // Updates the counts if the store is writable.
      _ = try session.sinkViews()
      let store = try StoreFile.openForReading(try session.storePath())
      let listings: [OutboxListing] = try store.chosenSinks(sink.names).map { sink in
        (sink, try store.parkedEntries(of: sink))
      }
      if json { return try session.write { OutboxJSON.write(listings, to: &$0) } }
      try session.write(OutboxTable.text(of: listings, style: session.style))
    }
  }

  struct Retry: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Queue parked samples again, for the next libre sync.",
      discussion: """
        Deletions that the receiver rejected are tried again too.

        Examples:
          libre outbox retry
          libre outbox retry --sink night
        """)

    @OptionGroup var sink: SinkOption
    @OptionGroup var store: StoreOptions

    func execute(_ session: Session) throws {
      let store = try Session.openExisting(try session.storePath())
      for sink in try store.chosenSinks(sink.names) {
        try session.write(
          "\(sink.name): \(try store.retryParked(of: sink.id)) parked samples are queued again (libre sync)\n")
      }
    }
  }

  struct Drop: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Discard parked or queued samples of a sink.",
      discussion: """
        They are not sent to that sink any more, unless they change; they stay in the store.

        Examples:
          libre outbox drop --sink night --dead --yes
          libre outbox drop --sink night --pending --dry-run
        """)

    @OptionGroup var sink: SinkOption

    @Flag(help: "Discard parked samples, which the receiver rejected.")
    var dead = false

    @Flag(help: "Discard queued samples, which are still to be sent.")
    var pending = false

    @Flag(help: "Confirm.")
    var yes = false

    @Flag(help: "Show what would be discarded, and discard nothing.")
    var dryRun = false

    @OptionGroup var store: StoreOptions

    func validate() throws {
      try refuse(if: sink.names.isEmpty, "--sink is missing. Try: --sink NAME")
      try refuse(
        if: !dead && !pending,
        "--dead or --pending is missing. Try: --dead for parked samples, --pending for queued ones")
      try refuse(if: yes == dryRun, "drop cannot be undone. Try: --dry-run first, then --yes")
    }

    func execute(_ session: Session) throws {
      let store = try Session.openExisting(try session.storePath())
      try store.fillOutboxes(session.sinkSetups)
      for sink in try store.chosenSinks(sink.names) {
        var counts: [String] = []
        if dead { counts.append("\(yes ? try store.drop(.parked, of: sink.id) : sink.parked) parked") }
        if pending { counts.append("\(yes ? try store.drop(.queued, of: sink.id) : sink.queued) queued") }
        let samples = counts.joined(separator: " and ")
        try session.write("\(sink.name): \(samples) samples \(yes ? "discarded" : "would be discarded")\n")
      }
    }
  }
}

extension SensorStore {
  fileprivate func chosenSinks(_ names: [String]) throws -> [StoredSink] {
    if names.isEmpty { return try sinks() }
    return try names.map { name in
      guard !name.isEmpty else { throw LibreError.sink(.noneChosen) }
      return try enrolledSink(name)
    }
  }
}
