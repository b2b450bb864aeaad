// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreKit
import SampleStore
import SampleSync

struct SinkEnableCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "enable",
    abstract: "Let a sink go on where it stopped.",
    discussion: """
      What it lacks has been kept, and is sent with the next libre sync. Also for a sink that now has another receiver: \
      it goes on there where the old one stopped.

      Examples:
        libre sink enable night
        libre sink enable night --skip-gap
      """)

  @Argument(help: ArgumentHelp("The sinks.", valueName: "name"), completion: .sinks)
  var names: [String]

  @Flag(help: "Leave out what it lacks, and send what comes from now on.")
  var skipGap = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let store = try StoreFile.openForWriting(session.storePath())
    for (name, setup) in try session.sinks(named: names) {
      let setup = try setup.get()
      try store.enrol(setup, environment: Session.environment, now: LocalTime.now)
      // What has come since the last sync is a part of the gap.
      try store.fillOutboxes(for: session.file)
      try store.enable(setup, skipsGap: skipGap, environment: Session.environment)
      let waiting = try session.sinkViews().first { $0.name == name }?.stored?.pending ?? 0
      try session.write("\(name): enabled, \(waiting) waiting\n")
    }
  }
}

struct SinkDisableCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Send no more to a sink for now.",
    discussion: """
      Its secret and its outbox are kept: libre sink enable lets it go on where it stopped.

      Examples:
        libre sink disable night
        libre sink disable night home
      """)

  @Argument(help: ArgumentHelp("The sinks.", valueName: "name"), completion: .sinks)
  var names: [String]

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let store = try StoreFile.openForWriting(session.storePath())
    for (name, setup) in try session.sinks(named: names) {
      // One that is wrong, or whose secret cannot be had, can be disabled all the same.
      if case .success(let setup) = setup, try store.sinks().allSatisfy({ $0.name != name }) {
        try store.enrol(setup, environment: Session.environment, now: LocalTime.now)
      }
      try store.disable(try store.enrolledSink(name))
      try session.write("\(name): disabled\n")
    }
  }
}
