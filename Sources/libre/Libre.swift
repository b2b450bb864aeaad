// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreKit

/// The command: arguments in, text and an exit status out.
@main struct Libre: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "libre",
    abstract: "Read and decode FreeStyle Libre glucose sensors.",
    discussion: """
      Data goes to standard output, everything else to standard error. Exit status: 0 done, 64 usage, 65 data \
      cannot be decoded, 66 no such input, 73 cannot create output, 77 permission refused, 78 configuration.

      \(ReadingTable.disclaimer)
      """,
    version: Version.tool,
    subcommands: [
      DecodeCommand.self, InspectCommand.self, FormatsCommand.self, SimulateCommand.self, SchemaCommand.self,
      ConfigCommand.self,
    ])
}
