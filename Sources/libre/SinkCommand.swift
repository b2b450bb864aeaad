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
    abstract: "Configure the receivers that samples are sent to.",
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

/// The option for sinks: the named ones, or all.
struct SinkOption: ParsableArguments {
  @Option(
    name: .customLong("sink"),
    help: ArgumentHelp("Name of a sink; may be repeated. Default: all.", valueName: "name"), completion: .sinks)
  var names: [String] = []
}

extension Session {
  /// The sinks with these names, or all.
  ///
  /// - Throws: `LibreError.sink` for an empty choice and for an unknown name.
  func sinks(named names: [String]) throws(LibreError) -> [(name: String, setup: Result<SinkSetup, LibreError>)] {
    try ConfigurationFile.sinks(of: file, named: names)
  }

  /// All sinks in the configuration or the store.
  func sinkViews() throws(LibreError) -> [SinkView] {
    // Loaded again, because it may have changed.
    let file = try ConfigurationFile.load(environment: environment)
    return try SinkView.all(in: file, path: storePath(), environment: environment)
  }

  /// The courier that carries a sink's requests and logs them. A file sink with the path `-` writes to standard output.
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
  /// True for a file sink that writes to standard output, which the command itself uses for data.
  var writesToStandardOutput: Bool {
    if case .success(let setup) = self {
      setup.type.name == FileSink.type.name && setup.values["path"] == "-"
    } else {
      false
    }
  }
}
