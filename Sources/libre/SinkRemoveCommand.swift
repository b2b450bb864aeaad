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
    abstract: "Take a sink out of the configuration, with its secret and its queue.",
    discussion: """
      Samples stay in the store, and what was sent stays at the receiver; but what a broker keeps as the state of now, and \
      Home Assistant's entities with it, is removed there first, unless --keep-remote says so. A sink of the same name that is added later \
      begins anew. One that would not take some samples is removed with --purge only: they are parked with its words \
      (libre outbox list).

      Examples:
        libre sink remove night --dry-run
        libre sink remove night --purge
      """)

  @Argument(help: ArgumentHelp("The sink.", valueName: "name"), completion: .sinks)
  var name: String

  @Flag(help: "Forget what it would not take, too.")
  var purge = false

  @Flag(help: "Leave what a broker keeps of ours.")
  var keepRemote = false

  @Flag(help: "Say what would be removed.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let environment = Session.environment
    let views = try session.sinkViews()
    guard let view = views.first(where: { $0.name == name }) else {
      throw LibreError.sink(.noSuchSink(name, known: views.map(\.name)))
    }
    let isSetUp = session.file?.sinkSetups()[name] != nil
    let own = try SinkFile.secretPath(of: name, environment: environment)
    let secret = FileSystem.exists(own) ? own : nil
    if let stored = view.stored, stored.dead > 0, !purge {
      throw LibreError.sink(.hasParked(name, count: stored.dead))
    }
    let farewell = try farewell(to: view, session)
    if !dryRun {
      if !keepRemote, let setup = view.setup { try await farewell?.send { session.courier(to: $0, of: setup) } }
      if isSetUp { try SinkFile.remove(name, environment: environment) }
      if let secret { try Files.remove(secret) }
      if let stored = view.stored {
        let store = try StoreFile.openForWriting(session.storePath())
        try libre(store.removeSink(stored.id))
      }
    }
    let parts = [
      isSetUp ? "its section" : nil, secret.map { "the secret \($0)" },
      view.stored.map { "\($0.pending) waiting samples" },
      view.stored.flatMap { $0.dead == 0 ? nil : "\($0.dead) parked ones" },
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

  /// nil where nothing is kept. One that is wrongly set up, or lacks its secret, cannot be asked and is removed all the
  /// same.
  private func farewell(to view: SinkView, _ session: Session) throws(LibreError) -> SinkFarewell? {
    do throws(LibreError) {
      return try SinkFarewell(view, environment: Session.environment)
    } catch {
      guard error.sinkError != nil else { throw error }
      if !keepRemote { session.remark("what the receiver keeps of \(name) stays there: \(error.message)") }
      return nil
    }
  }
}
