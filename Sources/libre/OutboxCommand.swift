// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreDocuments
import LibreKit
import SampleStore
import SampleSync

struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "Show queued samples, and samples that receivers rejected.",
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
    @OptionGroup var global: GlobalOptions

    func execute(_ session: Session) throws {
      // Updates the counts if the store is writable.
      _ = try session.sinkViews()
      let store = try StoreFile.openForReading(try session.storePath())
      let listings = try store.chosenSinks(sink.names).map { sink in
        OutboxListing(sink: sink, letters: try store.parkedEntries(of: sink))
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
    @OptionGroup var global: GlobalOptions

    func execute(_ session: Session) throws {
      let store = try StoreFile.openExisting(try session.storePath())
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
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      try refuse(if: sink.names.isEmpty, "--sink is missing. Try: --sink NAME")
      try refuse(
        if: !dead && !pending,
        "--dead or --pending is missing. Try: --dead for parked samples, --pending for queued ones")
      try refuse(if: yes == dryRun, "drop cannot be undone. Try: --dry-run first, then --yes")
    }

    func execute(_ session: Session) throws {
      let store = try StoreFile.openExisting(try session.storePath())
      try store.fillOutboxes(for: session.file)
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
