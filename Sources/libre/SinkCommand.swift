// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore
import SampleSync

struct SinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "sink", "Configure the receivers that samples are sent to.",
    discussion: """
      A sink is a receiver: a Nightscout site, a broker, a database, a file. Each has a name of your choice, a section \
      [sinks.NAME] in the configuration file, and an outbox in the store, which keeps samples until they are sent. A sink \
      is enrolled in a store once it has an outbox there.

      Examples:
        libre sink add home mqtt url=mqtt://localhost
        libre sink list
      """,
    subcommands: [
      SinkAddCommand.self, SinkSetCommand.self, SinkListCommand.self, SinkShowCommand.self, SinkTestCommand.self,
      SinkEnableCommand.self, SinkDisableCommand.self, SinkRemoveCommand.self,
    ])
}

struct SinkOption: ParsableArguments {
  @Option(
    name: .customLong("sink"),
    help: .value("name", "Name of a sink; may be repeated. Default: all."), completion: .sinks)
  var names: [String] = []
}

struct SinkListCommand: CommandWithStore, CommandWithDocument {
  static let configuration = CommandConfiguration(
    "list", "List the sinks with their status.",
    discussion: """
      Does not use the network. With --supported: the types that can be set up and their keys; for one type also the field \
      map, which shows the field of the receiver for each field of libre.

      Examples:
        libre sink list
        libre sink list --supported nightscout
        libre sink list --json | jq -r '.sinks[] | select(.pending > 0) | .name'
      """)

  @Flag(help: "List the supported types instead.")
  var supported = false

  @Argument(
    help: .value("type", "With --supported, only this type, with its field map."),
    completion: .list(SinkType.all.map(\.name)))
  var type: String?

  @OptionGroup var document: DocumentOption
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard let type else { return }
    try refuse(if: !supported, "a type works only with --supported. Try: libre sink list --supported \(type)")
    let types = SinkType.all.map(\.name)
    try refuse(if: !types.contains(type), "unknown type \(type). Try: \(types.joined(separator: ", "))")
  }

  func execute(_ session: Session) throws {
    if supported, json { return try session.write { SinkTypesJSON.write(type, to: &$0) } }
    if supported { return try session.write(SinksTable.supported(type, style: session.style)) }
    let sinks = try session.sinkViews()
    if json { return try session.write { SinksJSON.write(sinks, to: &$0) } }
    if sinks.isEmpty { return session.remark("no sink is set up", resolution: "libre sink add --help") }
    try session.write(SinksTable(style: session.style).list(sinks))
  }
}

struct SinkShowCommand: CommandWithStore, CommandWithDocument {
  static let configuration = CommandConfiguration(
    "show", "Show everything about one sink.",
    discussion: """
      Examples:
        libre sink show night
        libre sink show vital --json | jq -r '.sinks[0].told.user_id'
      """)

  @Argument(help: .value("name", "Name of the sink."), completion: .sinks)
  var name: String

  @OptionGroup var document: DocumentOption
  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) throws {
    let sink = try session.sinkView(named: name)
    if json { return try session.write { SinksJSON.write([sink], to: &$0) } }
    try session.write(SinksTable(style: session.style).text(of: sink))
  }
}

struct SinkTestCommand: CommandWithStore, CommandWithDocument, CancellableCommand {
  static let configuration = CommandConfiguration(
    "test", "Check that a receiver can be reached and accepts libre's credentials.",
    discussion: """
      No sample is sent. Exit status: 0 success, 75 it cannot be reached now, 77 it refuses access or permits reading only, \
      78 the sink's configuration is invalid.

      Examples:
        libre sink test night
        libre sink test --json | jq -r '.sinks[] | "\\(.name) \\(.state)"'
      """)

  @Argument(help: .value("name", "Names of the sinks. Default: all."), completion: .sinks)
  var names: [String] = []

  @OptionGroup var document: DocumentOption
  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let views = try session.sinkViews()
    var probes: [SinkProbe] = []
    for (name, setup) in try session.sinks(named: names) {
      let probe: SinkProbe
      switch setup {
      case .success(let setup):
        let memory = views.first { $0.name == name }?.stored?.memory ?? [:]
        probe = try await SinkProbe(setup, environment: session.environment, memory: memory, now: LocalTime.now) {
          session.courier(to: $0, of: setup)
        }
      case .failure(let error): probe = SinkProbe(wrong: error, name)
      }
      probes.append(probe)
      if Task.isCancelled { return SignalHandler.exitStatus }
      if !json { try session.write(SinkProbeText.line(for: probe, style: session.style)) }
    }
    if json { try session.write { SinkProbeJSON.write(probes, to: &$0) } }
    return probes.map(\.outcome.exitStatus).max() ?? 0
  }
}

struct SinkEnableCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "enable", "Resume sending to a sink.",
    discussion: """
      Its queued samples were kept, and are sent with the next libre sync. This also confirms a changed receiver: it \
      continues where the old receiver stopped.

      Examples:
        libre sink enable night
        libre sink enable night --skip-gap
      """)

  @Argument(help: .value("name", "Names of the sinks."), completion: .sinks)
  var names: [String]

  @Flag(help: "Discard queued samples, and send only new ones.")
  var skipGap = false

  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) throws {
    let store = try Session.openForWriting(session.storePath())
    for (name, setup) in try session.sinks(named: names) {
      let setup = try setup.get()
      try store.enrol(setup, environment: session.environment, now: LocalTime.now)
      // Samples stored since the last sync belong to the gap too.
      try store.fillOutboxes(session.sinkSetups)
      try store.enable(setup, skipsGap: skipGap, environment: session.environment)
      let queued = try session.sinkViews().first { $0.name == name }?.stored?.queued ?? 0
      try session.write("\(name): enabled, \(queued) queued\n")
    }
  }
}

struct SinkDisableCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "disable", "Stop sending to a sink for now.",
    discussion: """
      Its secret and its outbox are kept: libre sink enable resumes where it stopped.

      Examples:
        libre sink disable night
        libre sink disable night home
      """)

  @Argument(help: .value("name", "Names of the sinks."), completion: .sinks)
  var names: [String]

  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) throws {
    let store = try Session.openForWriting(session.storePath())
    for (name, setup) in try session.sinks(named: names) {
      // A sink with an invalid section or an unreadable secret can be disabled too.
      if case .success(let setup) = setup, try store.sinks().allSatisfy({ $0.name != name }) {
        try store.enrol(setup, environment: session.environment, now: LocalTime.now)
      }
      try store.disable(try store.enrolledSink(name))
      try session.write("\(name): disabled\n")
    }
  }
}

struct SinkRemoveCommand: CommandWithStore, CancellableCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove a sink from the configuration, with its secret and its queue.",
    discussion: """
      Samples stay in the store, and sent samples stay at the receiver. Messages that an MQTT broker retains, and with them \
      Home Assistant's entities, are removed there first, unless --keep-remote is given. A sink added later with the same \
      name starts from the beginning. A sink with parked (rejected) samples is removed only with --purge (see libre outbox \
      list).

      Examples:
        libre sink remove night --dry-run
        libre sink remove night --purge
      """)

  @Argument(help: .value("name", "Name of the sink."), completion: .sinks)
  var name: String

  @Flag(help: "Also discard its parked samples.")
  var purge = false

  @Flag(help: "Keep libre's retained messages at the broker.")
  var keepRemote = false

  @Flag(help: "Show what would be removed, and remove nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let view = try session.sinkView(named: name)
    let isSetUp = session.sinkSetups[name] != nil
    let own = try SinkFile.secretPath(of: name, environment: session.environment)
    let secret = FileSystem.exists(own) ? own : nil
    if let stored = view.stored, stored.parked > 0, !purge {
      throw LibreError.sink(.hasParked(name, count: stored.parked))
    }
    let farewell = try farewell(to: view, session)
    if !dryRun {
      if !keepRemote, let setup = view.setup { try await farewell?.send { session.courier(to: $0, of: setup) } }
      if isSetUp { try SinkFile.remove(name, environment: session.environment) }
      if let secret { try libre(FileSystem.remove(secret)) }
      if let stored = view.stored {
        let store = try Session.openForWriting(session.storePath())
        try libre(store.removeSink(stored.id))
      }
    }
    let parts = [
      isSetUp ? "its section" : nil, secret.map { "the secret \($0)" },
      view.stored.map { "\($0.queued) queued samples" },
      view.stored.flatMap { $0.parked == 0 ? nil : "\($0.parked) parked ones" },
    ]
    let what = parts.compactMap(\.self).joined(separator: ", ")
    try session.write("\(name): \(what) \(dryRun ? "would be removed" : "removed")\n")
    if let farewell {
      let outcome = keepRemote ? "stay there" : dryRun ? "would be emptied" : "emptied"
      try session.write("\(name): \(farewell.topics.count) topics at its broker \(outcome)\n")
      if keepRemote || dryRun { try session.write(farewell.topics.map { "  \($0)\n" }.joined()) }
    }
    return 0
  }

  /// The removal of retained messages at a broker. A sink with an invalid section or secret is removed without it.
  private func farewell(to view: SinkView, _ session: Session) throws(LibreError) -> SinkFarewell? {
    do throws(LibreError) {
      return try SinkFarewell(view, environment: session.environment)
    } catch {
      guard error.sinkError != nil else { throw error }
      if !keepRemote { session.remark("data of \(name) stays at the receiver: \(error.message)") }
      return nil
    }
  }
}
