// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import SampleStore
import SampleSync

struct SinkRemoveCommand: CommandWithStore {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a sink from the configuration, with its secret and its queue.",
    discussion: """
      Samples stay in the store, and sent samples stay at the receiver. Messages that an MQTT broker retains, and with them \
      Home Assistant's entities, are removed there first, unless --keep-remote is given. A sink added later with the same \
      name starts from the beginning. A sink with parked (rejected) samples is removed only with --purge (see libre outbox \
      list).

      Examples:
        libre sink remove night --dry-run
        libre sink remove night --purge
      """)

  @Argument(help: ArgumentHelp("Name of the sink.", valueName: "name"), completion: .sinks)
  var name: String

  @Flag(help: "Also discard its parked samples.")
  var purge = false

  @Flag(help: "Keep libre's retained messages at the broker.")
  var keepRemote = false

  @Flag(help: "Show what would be removed, and remove nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let environment = session.environment
    let views = try session.sinkViews()
    guard let view = views.first(where: { $0.name == name }) else {
      throw LibreError.sink(.noSuchSink(name, known: views.map(\.name)))
    }
    let isSetUp = session.file?.sinkSetups()[name] != nil
    let own = try SinkFile.secretPath(of: name, environment: environment)
    let secret = FileSystem.exists(own) ? own : nil
    if let stored = view.stored, stored.parked > 0, !purge {
      throw LibreError.sink(.hasParked(name, count: stored.parked))
    }
    let farewell = try farewell(to: view, session)
    if !dryRun {
      if !keepRemote, let setup = view.setup { try await farewell?.send { session.courier(to: $0, of: setup) } }
      if isSetUp { try SinkFile.remove(name, environment: environment) }
      if let secret { try libre(FileSystem.remove(secret)) }
      if let stored = view.stored {
        let store = try StoreFile.openForWriting(session.storePath())
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

  /// The removal of retained messages at a broker; nil if it keeps nothing. A sink with an invalid section or a missing
  /// secret is removed without it.
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
