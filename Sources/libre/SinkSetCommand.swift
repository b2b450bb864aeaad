// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import LibreKit
import SampleSinks
import SampleStore
import SampleSync

struct SinkSetCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change the parameters of a sink.",
    discussion: """
      Writes the keys into the sink's section of the configuration file; all other lines stay as they are. A key without a \
      value is removed, so that its default applies again. libre sink list --supported lists the keys of each type; a \
      secret comes from secret_file or secret_command.

      Examples:
        libre sink set night url=https://ns.example send=glucose.history,glucose.trend
        libre sink set home timeout_seconds= --dry-run
      """)

  @Argument(help: ArgumentHelp("Name of the sink.", valueName: "name"), completion: .sinks)
  var name: String

  @Argument(help: ArgumentHelp("Key and new value; without a value the key is removed.", valueName: "key=value"))
  var values: [String]

  @Flag(help: "Show the new section, and write nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws { _ = try SinkValues(values) }

  func execute(_ session: Session) throws {
    let environment = session.environment
    let given = try SinkValues(values)
    let type = try? session.file?.sinkSetups()[name]?.get().type.name
    var changes = try given.values(of: given.texts["type"] ?? type ?? "", environment: environment)
      .mapValues { $0.isEmpty ? nil : $0 }
    if let path = changes["secret_file"] ?? nil {
      _ = try SinkSecret.read(
        file: UserDirectories.expanded(path, environment: environment), environment: environment)
      if !path.hasPrefix("~/") {
        changes["secret_file"] = try ConfigurationPath.written(FileSystem.absolute(path), environment: environment)
      }
    }
    let send = given.send.map { $0.isEmpty ? nil : $0 }
    let setup = try SinkFile.set(name, changes, send: send, isRehearsal: dryRun, environment: environment)
    let view = try session.sinkViews().first { $0.name == name }
    if dryRun {
      try session.write(setup.section.text)
    } else if let view {
      try session.write(SinksTable(style: session.style).text(of: view))
    }
    if let stored = view?.stored, stored.receiver != setup.receiver {
      session.remark(
        "\(name) \(dryRun ? "would have" : "has") a new receiver; nothing is sent to it until you confirm it",
        resolution: "libre sink enable \(name)")
    }
  }
}

/// Parameters of a sink typed as KEY=VALUE. Secrets are refused: every user of the machine can see arguments.
struct SinkValues {
  /// Values by key, without `send`, as typed.
  private(set) var texts: [String: String] = [:]
  /// The parts without empty ones; nil if `send` is not given.
  private(set) var send: [String]?

  /// Parses the arguments.
  ///
  /// - Throws: `ValidationError` for an argument without `=`, for a secret, and for a key given twice.
  init(_ arguments: [String]) throws {
    for argument in arguments {
      guard let equals = argument.firstIndex(of: "=") else {
        // The message does not repeat the word, which may be a secret.
        throw ValidationError("an argument after the name is not KEY=VALUE. Try: url=https://example.org")
      }
      let (key, value) = (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
      let isPlace = ["secret_file", "secret_command"].contains(key)
      if !isPlace, ["secret", "password", "token", "key"].contains(where: key.lowercased().contains) {
        throw ValidationError(
          "every user of this machine can see a secret on the command line. Try: --secret-stdin or --secret-file of libre sink add, or secret_file=FILE"
        )
      }
      if texts[key] != nil || key == "send" && send != nil {
        throw ValidationError("\(key) is given twice. Try: give it once")
      }
      if key == "send" { send = Self.parts(value) } else { texts[key] = value }
    }
  }

  /// The parts of a list separated by commas, without empty ones.
  static func parts(_ list: String) -> [String] { list.split(separator: ",").map(String.init) }

  /// Values by key, with paths as they are written into the configuration file.
  func values(of type: String, environment: [String: String]) throws(LibreError) -> [String: String] {
    var values = texts
    for parameter in Registry.sinkTypes.first(where: { $0.name == type })?.parameters ?? [] where parameter.isPath {
      guard let text = texts[parameter.key], text != "-", !text.isEmpty else { continue }
      let path = FileSystem.absolute(text)
      values[parameter.key] =
        parameter.isReceiver ? path : try ConfigurationPath.written(path, environment: environment)
    }
    return values
  }
}
