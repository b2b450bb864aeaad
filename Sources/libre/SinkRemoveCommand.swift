// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreKit
import SampleStore
import SampleSync

struct SinkRemoveCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Take a sink out of the configuration, with its secret and its queue.",
    discussion: """
      Samples stay in the store, and what was sent stays at the receiver. A sink of the same name that is added later \
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

  @Flag(help: "Say what would be removed.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
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
    if !dryRun {
      if isSetUp { try SinkFile.remove(name, environment: environment) }
      if let secret { try Files.remove(secret) }
      if let stored = view.stored { try StoreFile.openForWriting(session.storePath()).removeSink(stored.id) }
    }
    let parts = [
      isSetUp ? "its section" : nil, secret.map { "the secret \($0)" },
      view.stored.map { "\($0.pending) waiting samples" },
      view.stored.flatMap { $0.dead == 0 ? nil : "\($0.dead) parked ones" },
    ]
    let what = parts.compactMap(\.self).joined(separator: ", ")
    try session.write("\(name): \(what) \(dryRun ? "would be removed" : "removed")\n")
  }
}
