// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import LibreKit
import SampleSinks
import SampleSync

struct SinkAddCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Set up a receiver.",
    discussion: """
      Writes a section into the configuration file, and creates an outbox (a queue in the store) with the samples of the \
      last 90 days (--backfill-days). An MQTT broker keeps no past values, so it gets the newest one and those from now on. \
      Nothing is sent yet: libre sink test tests the receiver, libre sync sends. A receiver gets only the glucose values of \
      the history, unless --send adds more. A secret is never given on the command line: it comes from a file that only you \
      can read (chmod 600), a command, standard input (hidden at a terminal), or the variable LIBRE_SECRET_NAME.

      libre sink list --supported lists the types with their keys.

      Examples:
        libre sink add ns nightscout url=https://ns.example --secret-stdin < key
        libre sink add home mqtt url=mqtt://localhost --send glucose.trend
      """)

  @Argument(help: ArgumentHelp("Your name for the sink: lower-case letters, digits and -.", valueName: "name"))
  var name: String

  @Argument(
    help: ArgumentHelp("Type of the receiver: \(types).", valueName: "type"),
    completion: .list(Registry.sinkTypes.map(\.name)))
  var type: String

  @Argument(help: ArgumentHelp("Parameters of the type, see libre sink list --supported.", valueName: "key=value"))
  var values: [String] = []

  @Option(
    help: ArgumentHelp(
      "Parts of the data to send, separated by commas; may be repeated. Default: glucose.history.", valueName: "part"))
  var send: [String] = []

  @Option(help: ArgumentHelp("Age of the oldest samples to send. Default: 90; 0 for mqtt.", valueName: "days"))
  var backfillDays: Int?

  @Option(help: ArgumentHelp("Timeout of a request.", valueName: "seconds"))
  var timeoutSeconds: Int?

  @Flag(help: "Allow unencrypted HTTP or MQTT to another machine.")
  var allowHttp = false

  @Option(
    help: ArgumentHelp("File of mode 600 with the secret in its first line.", valueName: "file"), completion: .file())
  var secretFile: String?

  @Option(help: ArgumentHelp("Command that prints the secret in its first line.", valueName: "command"))
  var secretCommand: String?

  @Flag(help: "Read the secret from standard input, and save it next to the configuration file.")
  var secretStdin = false

  @Flag(help: "Show the section, and write nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  private static var types: String { Registry.sinkTypes.map(\.name).joined(separator: ", ") }

  func validate() throws {
    if [secretFile != nil, secretCommand != nil, secretStdin].count(where: \.self) > 1 {
      throw ValidationError(
        "--secret-file, --secret-command and --secret-stdin exclude each other. Try one of them")
    }
    let values = try SinkValues(self.values)
    guard SinkSetup.isName(name) else {
      throw ValidationError(
        "invalid name \(name). Try: lower-case letters, digits and -, starting with a letter or digit")
    }
    guard Registry.sinkTypes.contains(where: { $0.name == type }) else {
      throw ValidationError("unknown type \(type). Try: one of \(Self.types)")
    }
    if values.texts["type"] != nil { throw ValidationError("type is given twice. Try: give it once") }
    for key in ["secret_file", "secret_command"] where values.texts[key] != nil {
      throw ValidationError("\(key) has its own option. Try: --\(key.replacing("_", with: "-"))")
    }
  }

  func execute(_ session: Session) throws {
    let environment = session.environment
    let given = try SinkValues(self.values)
    var values = try given.values(of: type, environment: environment)
    let send = send.flatMap(SinkValues.parts) + (given.send ?? [])
    if let backfillDays { values["backfill_days"] = String(backfillDays) }
    if let timeoutSeconds { values["timeout_seconds"] = String(timeoutSeconds) }
    if allowHttp { values["allow_http"] = "true" }
    values["secret_file"] = try secretFile.map { path throws(LibreError) in
      _ = try SinkSecret.read(file: path, environment: environment)
      return try ConfigurationPath.written(FileSystem.absolute(path), environment: environment)
    }
    values["secret_command"] = secretCommand
    if secretStdin {
      let path = try SinkFile.secretPath(of: name, environment: environment)
      values["secret_file"] = try ConfigurationPath.written(path, environment: environment)
    }
    let section = try SinkSection(
      name: name, type: type, values: values, send: send.isEmpty ? nil : send, environment: environment)
    let setup = try SinkSetup(section, settings: session.file?.settings ?? [:])
    let secret = secretStdin ? try session.secretOnStandardInput(of: name) : nil
    // The receiver's parameters are checked before anything is written; its secret may be added later.
    try setup.check(secret: secret, environment: environment)
    if dryRun { return try session.write(section.text) }
    try session.add(setup, secret: secret)
  }
}
