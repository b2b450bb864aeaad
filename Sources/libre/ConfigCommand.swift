// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import LibreKit
import SampleSync

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "config", "Show, check or change the configuration.",
    discussion: """
      Examples:
        libre config show --origin
        libre config set unit mmol/L
      """,
    subcommands: [Show.self, Set.self, Unset.self, Path.self, Check.self])

  struct Show: LibreCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show every setting with its value.",
      discussion: """
        A flag overrides a LIBRE_ variable, a variable the file, and the file the default.

        With --describe the output is a configuration file with a comment on each key.

        Examples:
          libre config show --origin
          libre config show --describe
          libre config show --json | jq -r '.settings[] | select(.origin != "default") | .key'
        """)

    @Flag(help: "Show where each value comes from.")
    var origin = false

    @Flag(help: "Describe each setting and its allowed values.")
    var describe = false

    @Flag(help: "Write one JSON document, with the allowed values.")
    var json = false

    @OptionGroup var global: GlobalOptions

    func execute(_ session: Session) throws {
      let values = Setting.all.map { setting in
        let value = session.configuration[setting]
        // An empty value means the default path, which is shown instead.
        let path = setting == .store ? try? session.storePath() : nil
        return (setting, path.map { Configuration.Value(text: $0, origin: value.origin) } ?? value)
      }
      if json {
        let path = ConfigurationFile.path(environment: session.environment)
        return try session.write { ConfigJSON.write(values, path: path, to: &$0) }
      }
      for (setting, value) in values {
        if describe {
          let standard = setting.defaultValue.isEmpty ? "" : "; default \(setting.defaultValue)"
          try session.write(
            "# \(setting.summary)\n# takes \(setting.allowed)\(standard); variable \(setting.variable)\n")
        }
        try session.write("\(setting.key) = \"\(value.text)\"\(origin ? "  # \(value.origin.text)" : "")\n")
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
        ConfigurationFile.path(environment: session.environment) ?? "no file: neither XDG_CONFIG_HOME nor HOME is set"
      var errors: [LibreError] = []
      let unknown = Setting.unknownVariables(in: Session.environment)
      if !unknown.isEmpty {
        errors.append(.configuration(.unknownVariables(unknown, known: Setting.all.map(\.variable))))
      }
      for (_, setup) in (session.file?.sinkSetups() ?? [:]).sorted(by: { $0.key < $1.key }) {
        do throws(LibreError) {
          _ = try setup.get().sink(environment: session.environment)
        } catch {
          errors.append(error)
        }
      }
      for error in errors.dropLast() { Session.report(error) }
      if let error = errors.last { throw error }
      try session.write("\(path): \(session.file == nil ? "not found, using defaults" : "valid")\n")
    }
  }

  struct Set: ConfigurationFileCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a setting into the configuration file.",
      discussion: """
        The rest of the file stays as it is: comments, order, line ends. libre config show --describe lists the settings; \
        libre sink set changes a sink.

        Examples:
          libre config set unit mmol/L
          libre config set sync.mode manual
        """)

    @Argument(help: .value("key", "The setting."), completion: .settings)
    var key: String

    @Argument(help: .value("value", "Its value."))
    var value: String

    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if Setting.all.contains(where: { $0.key == key }) { return }
      let parts = key.split(separator: ".")
      if parts.count > 2, parts[0] == "sinks" {
        throw ValidationError("\(key) belongs to a sink. Try: libre sink set \(parts[1]) \(parts[2])=VALUE")
      }
      throw ValidationError("unknown setting \(key). Try: one of \(Setting.all.map(\.key).joined(separator: ", "))")
    }

    func execute() throws(LibreError) {
      guard let setting = Setting.all.first(where: { $0.key == key }) else { preconditionFailure("validated before") }
      guard let text = setting.written(value) else {
        throw .configuration(.badOption(name: key, value: value, allowed: setting.allowed))
      }
      let environment = try global.environment()
      try ConfigurationFile.set(key, to: text, environment: environment)
      if !global.quiet { Session.notify("\(key) is \(text.isEmpty ? "empty" : text) from now on") }
      if !global.quiet, environment[setting.variable]?.isEmpty == false {
        Session.notify("\(setting.variable) in the environment overrides the file")
      }
    }
  }

  struct Unset: ConfigurationFileCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a setting from the configuration file, so that its default applies again.",
      discussion: """
        Unknown keys can be removed too.

        Examples:
          libre config unset unit
          libre config unset sync.mode
        """)

    @Argument(help: .value("key", "The setting."), completion: .settings)
    var key: String

    @OptionGroup var global: GlobalOptions

    func validate() throws {
      try refuse(
        if: key == "sinks" || key.hasPrefix("sinks."),
        "\(key) belongs to sinks. Try: libre sink set, or libre sink remove")
    }

    func execute() throws(LibreError) {
      let isChanged = try ConfigurationFile.set(key, to: nil, environment: global.environment())
      if !isChanged, !global.quiet { Session.notify("\(key) is not in the configuration file") }
    }
  }

  struct Path: ConfigurationFileCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the path of the configuration file, even if it does not exist.",
      discussion: """
        Examples:
          libre config path
          libre config path | xargs -o nano
        """)

    @OptionGroup var global: GlobalOptions

    func execute() throws(LibreError) {
      let path = try ConfigurationFile.requiredPath(environment: global.environment())
      try Session.write(output: Array("\(path)\n".utf8))
    }
  }
}

/// A command for the configuration file itself; it works even if an error in the file stops every other command.
protocol ConfigurationFileCommand: ParsableCommand {
  var global: GlobalOptions { get }
  func execute() throws(LibreError)
}

extension ConfigurationFileCommand {
  func run() throws {
    do throws(LibreError) {
      try execute()
    } catch {
      Session.report(error)
      throw ExitCode(error.exitStatus)
    }
  }
}
