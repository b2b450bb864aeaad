// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreDocuments
import LibreKit
import SampleStore
import SampleSync

struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "Look at what is still to be sent, and at what receivers would not take.",
    discussion: """
      Examples:
        libre outbox list
        libre outbox retry --sink night
      """,
    subcommands: [List.self, Retry.self, Drop.self])

  struct List: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "List what waits, and each parked sample with the receiver's words.",
      discussion: """
        Examples:
          libre outbox list
          libre outbox list --json | jq '.sinks[].dead[].reason'
        """)

    @OptionGroup var sink: SinkOption

    @Flag(help: "Write one JSON document.")
    var json = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ session: Session) throws {
      // Counted anew where the store can be written to.
      _ = try session.sinkViews()
      let store = try StoreFile.openForReading(try session.storePath())
      let listings = try store.chosenSinks(sink.names).map { sink in
        OutboxListing(sink: sink, letters: try store.parkedEntries(of: sink))
      }
      if json {
        try session.write { OutboxJSON.write(listings, to: &$0) }
      } else {
        try session.write(OutboxTable.text(of: listings, style: session.style))
      }
    }
  }

  struct Retry: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Put parked samples back, to be sent with the next libre sync.",
      discussion: """
        A receiver that would not take back what was removed here is asked once more, too.

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
          "\(sink.name): \(try store.retryParked(of: sink.id)) parked samples are sent again (libre sync)\n")
      }
    }
  }

  struct Drop: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Give up what a sink would not take, or what it lacks.",
      discussion: """
        It is not sent to that sink any more, unless it changes; in the store it stays.

        Examples:
          libre outbox drop --sink night --dead --yes
          libre outbox drop --sink night --pending --dry-run
        """)

    @OptionGroup var sink: SinkOption

    @Flag(help: "What it would not take.")
    var dead = false

    @Flag(help: "What it lacks.")
    var pending = false

    @Flag(help: "Do it.")
    var yes = false

    @Flag(help: "Say what would be given up.")
    var dryRun = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard !sink.names.isEmpty else { throw ValidationError("whose samples are to be given up? Try: --sink NAME") }
      guard dead || pending else { throw ValidationError("what is to be given up? Try: --dead or --pending") }
      guard yes != dryRun else { throw ValidationError("drop cannot be undone. Try: --dry-run first, then --yes") }
    }

    func execute(_ session: Session) throws {
      let store = try StoreFile.openExisting(try session.storePath())
      try store.fillOutboxes(for: session.file)
      for sink in try store.chosenSinks(sink.names) {
        var counts: [String] = []
        if dead { counts.append("\(yes ? try store.drop(.dead, of: sink.id) : sink.dead) parked") }
        if pending { counts.append("\(yes ? try store.drop(.pending, of: sink.id) : sink.pending) waiting") }
        let what = counts.joined(separator: " and ")
        try session.write("\(sink.name): \(what) samples \(yes ? "given up" : "would be given up")\n")
      }
    }
  }
}

extension SensorStore {
  /// The enrolled sinks of these names, or all. Throws `LibreError.sink`: `noneChosen`, `notEnrolled`.
  fileprivate func chosenSinks(_ names: [String]) throws -> [StoredSink] {
    if names.isEmpty { return try sinks() }
    return try names.map { name in
      guard !name.isEmpty else { throw LibreError.sink(.noneChosen) }
      return try enrolledSink(name)
    }
  }
}
