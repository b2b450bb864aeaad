// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreKit
import SampleStore
import SampleSync

struct SinkEnableCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Resume sending to a sink.",
    discussion: """
      Its queued samples were kept, and are sent with the next libre sync. This also confirms a changed receiver: it \
      continues where the old receiver stopped.

      Examples:
        libre sink enable night
        libre sink enable night --skip-gap
      """)

  @Argument(help: ArgumentHelp("Names of the sinks.", valueName: "name"), completion: .sinks)
  var names: [String]

  @Flag(help: "Discard queued samples, and send only new ones.")
  var skipGap = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let store = try StoreFile.openForWriting(session.storePath())
    for (name, setup) in try session.sinks(named: names) {
      let setup = try setup.get()
      try store.enrol(setup, environment: session.environment, now: LocalTime.now)
      // Samples stored since the last sync belong to the gap too.
      try store.fillOutboxes(for: session.file)
      try store.enable(setup, skipsGap: skipGap, environment: session.environment)
      let queued = try session.sinkViews().first { $0.name == name }?.stored?.queued ?? 0
      try session.write("\(name): enabled, \(queued) queued\n")
    }
  }
}

struct SinkDisableCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Stop sending to a sink for now.",
    discussion: """
      Its secret and its outbox are kept: libre sink enable resumes where it stopped.

      Examples:
        libre sink disable night
        libre sink disable night home
      """)

  @Argument(help: ArgumentHelp("Names of the sinks.", valueName: "name"), completion: .sinks)
  var names: [String]

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let store = try StoreFile.openForWriting(session.storePath())
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
