// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreKit
import SampleSync

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show or check the configuration.",
    discussion: """
      Examples:
        libre config show --origin
        libre config check
      """,
    subcommands: [Show.self, Check.self])

  struct Show: LibreCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show every setting with its value.",
      discussion: """
        A flag wins over a LIBRE_ variable, a variable over the file, the file over the default.

        Examples:
          libre config show --origin
          LIBRE_UNIT=mmol/L libre config show
        """)

    @Flag(help: "Tell where each value comes from.")
    var origin = false

    @OptionGroup var global: GlobalOptions

    func execute(_ session: Session) throws {
      for setting in Setting.all {
        let value = session.configuration[setting]
        // The store has a usual place, which is worth more than an empty text.
        let text = setting == .store ? (try? session.storePath()) ?? "" : value.text
        try session.write("\(setting.key) = \"\(text)\"\(origin ? "  # \(value.origin.text)" : "")\n")
      }
    }
  }

  struct Check: LibreCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check the configuration file, its sinks with their secrets, and the environment.",
      discussion: """
        Examples:
          libre config check
          XDG_CONFIG_HOME=/tmp/other libre config check
        """)

    @OptionGroup var global: GlobalOptions

    func execute(_ session: Session) throws {
      let path =
        ConfigurationFile.path(environment: Session.environment) ?? "no file: neither XDG_CONFIG_HOME nor HOME is set"
      var faults: [LibreError] = []
      let unknown = Setting.unknownVariables(in: Session.environment)
      if !unknown.isEmpty {
        faults.append(.configuration(.unknownVariables(unknown, known: Setting.all.map(\.variable))))
      }
      for (_, setup) in (session.file?.sinkSetups() ?? [:]).sorted(by: { $0.key < $1.key }) {
        do throws(LibreError) {
          _ = try setup.get().sink(environment: Session.environment)
        } catch {
          faults.append(error)
        }
      }
      for fault in faults.dropLast() { Session.report(fault) }
      if let fault = faults.last { throw fault }
      try session.write("\(path): \(session.file == nil ? "not there, which is fine" : "good")\n")
    }
  }
}
