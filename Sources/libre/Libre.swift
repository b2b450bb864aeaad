// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import LibreKit

@main struct Libre: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "libre",
    abstract: "Read and decode FreeStyle Libre glucose sensors.",
    discussion: """
      Data goes to standard output, everything else to standard error. Exit status: 0 success, 64 usage, 65 data \
      cannot be decoded, 66 input not found, 69 no reader or no sensor, 71 no /proc, 73 cannot create output, 74 store or disk error, \
      75 failed for now, try again, 77 permission refused, 78 configuration, 130 interrupted.

      \(Program.disclaimer)
      """,
    version: Program.tool,
    groupedSubcommands: [
      CommandGroup(
        name: "Reading",
        subcommands: [
          ReadCommand.self, WatchCommand.self, DoctorCommand.self, ReadersCommand.self, FlipperCommand.self,
          BridgesCommand.self, MeterCommand.self, MetersCommand.self,
        ]),
      CommandGroup(
        name: "History",
        subcommands: [
          LatestCommand.self, HistoryCommand.self, ImportCommand.self, ImportsCommand.self, ExportCommand.self,
          AddCommand.self,
          CalibrateCommand.self, SensorsCommand.self, SensorCommand.self,
        ]),
      CommandGroup(
        name: "Report", subcommands: [PlotCommand.self, StatsCommand.self, ReportCommand.self, CompareCommand.self]),
      CommandGroup(
        name: "Dump",
        subcommands: [
          DecodeCommand.self, FindCommand.self, InspectCommand.self, ConvertCommand.self, SimulateCommand.self,
          FormatsCommand.self,
        ]),
      CommandGroup(
        name: "Sending",
        subcommands: [
          SinkCommand.self, SyncCommand.self, ServeCommand.self, OutboxCommand.self, WebhookCommand.self,
        ]),
      CommandGroup(
        name: "Maintenance",
        subcommands: [
          SetupCommand.self, AlertsCommand.self, PersonCommand.self, StatusCommand.self, ConfigCommand.self,
          StoreCommand.self,
          SchemaCommand.self,
        ]),
    ])

  static func main() async {
    // Swift reads the arguments from /proc, and has none without it: each command would print the help, as if asked.
    if ProcessArguments.all.isEmpty {
      Session.notify(
        "the command's arguments cannot be read, because /proc is not mounted here", level: .error,
        resolution: "mount -t proc proc /proc, in the container or the changed root in which libre runs")
      exit(withError: ExitCode(71))
    }
    let arguments = Array(ProcessArguments.all.dropFirst())
    do {
      var command = try parsed(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      if error is ExitCode { exit(withError: error) }
      let code = exitCode(for: error)
      if code == .success, UsageReport.misread(in: arguments) == nil {
        exit(withError: written(fullMessage(for: error)))
      }
      guard code == .success || code == .validationFailure else { exit(withError: error) }
      UsageReport(of: error, arguments: arguments).write()
      exit(withError: ExitCode.validationFailure)
    }
  }

  /// Writes help or the version: the parser itself would not notice a full disk. Returns the exit status.
  private static func written(_ text: String) -> ExitCode {
    do throws(LibreError) {
      try Session.write(output: Array("\(text)\n".utf8))
      return .success
    } catch {
      Session.report(error)
      return ExitCode(error.exitStatus)
    }
  }

  /// The command that the arguments name, with their values. Parsing from the root builds the tree of all commands,
  /// which takes longer than most commands run. So the first words choose a type, and it is parsed alone. Help,
  /// completions and errors come from the whole tree.
  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    let (path, type) = command(of: arguments)
    if type.configuration.subcommands.isEmpty,
      let command = try? type.parseAsRoot(Array(arguments.dropFirst(path.count - 1))), Swift.type(of: command) == type
    {
      return command
    }
    return try parseAsRoot(arguments)
  }

  /// The commands that the first words name, and the type of the last one.
  static func command(of arguments: [String]) -> (path: [String], type: any ParsableCommand.Type) {
    var path = ["libre"]
    var type: any ParsableCommand.Type = Libre.self
    for word in arguments {
      let next = type.configuration.subcommands.first {
        $0._commandName == word || $0.configuration.aliases.contains(word)
      }
      guard let next else { break }
      path.append(word)
      type = next
    }
    return (path, type)
  }
}
