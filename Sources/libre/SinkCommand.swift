// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreKit

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
      SinkAddCommand.self, SinkListCommand.self, SinkShowCommand.self, SinkTestCommand.self, SinkEnableCommand.self,
      SinkDisableCommand.self, SinkRemoveCommand.self,
    ])
}
