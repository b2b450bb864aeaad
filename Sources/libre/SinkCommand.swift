// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreKit
import SampleSinks
import SampleStore
import SampleSync

struct SinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sink",
    abstract: "Set up whom samples are sent to.",
    discussion: """
      A sink is a receiver: a Nightscout site, a broker, a database, a file. Each has a name of your choice, a section \
      [sinks.NAME] in the configuration file, and an outbox in the store that keeps what it lacks until it has it.

      Examples:
        libre sink add home mqtt url=mqtt://localhost
        libre sink list
      """,
    subcommands: [
      SinkAddCommand.self, SinkSetCommand.self, SinkListCommand.self, SinkShowCommand.self, SinkTestCommand.self,
      SinkEnableCommand.self, SinkDisableCommand.self, SinkRemoveCommand.self,
    ])
}

/// Which sinks: those that are named, or all.
struct SinkOption: ParsableArguments {
  @Option(
    name: .customLong("sink"),
    help: ArgumentHelp("A sink by its name; several may be given. Else all.", valueName: "name"), completion: .sinks)
  var names: [String] = []
}

extension Session {
  /// The sinks of these names, or all of them. Throws `LibreError.sink` for an empty choice and for one that is not there.
  func sinks(named names: [String]) throws(LibreError) -> [(name: String, setup: Result<SinkSetup, LibreError>)] {
    try ConfigurationFile.sinks(of: file, named: names)
  }

  /// All sinks that the configuration or the store knows.
  func sinkViews() throws(LibreError) -> [SinkView] {
    // The file as it is now: it may have been changed.
    let file = try ConfigurationFile.load(environment: Self.environment)
    return try SinkView.all(in: file, path: storePath(), environment: Self.environment)
  }

  /// Carries what a sink makes, and logs it; lines of the sink that writes to standard output come out there.
  func courier(to route: DeliveryRoute, of setup: SinkSetup) -> any Courier {
    let courier = SinkCourier(to: route, timeoutSeconds: setup.timeoutSeconds) { bytes throws(DeliveryError) in
      if let failure = FileSystem.writeAll(bytes, to: Self.standardOutput) {
        throw .unavailable(reason: "standard output: \(FileSystem.text(failure))")
      }
    }
    return ObservedCourier(courier, to: route) { log($0, sink: setup.name) }
  }
}

extension Result where Success == SinkSetup, Failure == LibreError {
  /// True for the sink that lists samples there, where a command's own data goes.
  var writesToStandardOutput: Bool {
    if case .success(let setup) = self {
      setup.type.name == FileSink.type.name && setup.values["path"] == "-"
    } else {
      false
    }
  }
}
