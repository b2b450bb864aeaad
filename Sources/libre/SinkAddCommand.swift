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
      Writes a section into the configuration file, and begins to keep an outbox with the samples of the last 90 days \
      (--backfill-days). Nothing is sent yet: libre sink test tries the receiver, libre sync sends. A receiver is told \
      the history's glucose and no more, unless --send says so. A secret never stands on the command line: it comes from a file \
      that only you can read (chmod 600), a command, standard input (typed unseen at a terminal), or the variable LIBRE_SECRET_NAME.

      libre sink list --supported lists the types with their keys.

      Examples:
        libre sink add ns nightscout url=https://ns.example --secret-stdin < key
        libre sink add home mqtt url=mqtt://localhost --send glucose.trend
      """)

  @Argument(help: ArgumentHelp("Your name for it: small letters, digits and -.", valueName: "name"))
  var name: String

  @Argument(
    help: ArgumentHelp("What it is: \(types).", valueName: "type"), completion: .list(Registry.sinkTypes.map(\.name)))
  var type: String

  @Argument(help: ArgumentHelp("What the type has to know.", valueName: "key=value"))
  var values: [String] = []

  @Option(help: ArgumentHelp("What it is told; several may be given.", valueName: "part"))
  var send: [String] = []

  @Option(help: ArgumentHelp("How much of the past it gets.", valueName: "days"))
  var backfillDays: Int?

  @Option(help: ArgumentHelp("How long a request may take.", valueName: "seconds"))
  var timeoutSeconds: Int?

  @Flag(help: "Allow HTTP or MQTT without TLS to another machine.")
  var allowHttp = false

  @Option(
    help: ArgumentHelp("A file of mode 600 with the secret in its first line.", valueName: "file"), completion: .file())
  var secretFile: String?

  @Option(help: ArgumentHelp("A command that writes the secret in its first line.", valueName: "command"))
  var secretCommand: String?

  @Flag(help: "Read the secret from standard input, and keep it beside the configuration file.")
  var secretStdin = false

  @Flag(help: "Show the section and write nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  private static var types: String { Registry.sinkTypes.map(\.name).joined(separator: ", ") }

  func validate() throws {
    if [secretFile != nil, secretCommand != nil, secretStdin].count(where: \.self) > 1 {
      throw ValidationError(
        "--secret-file, --secret-command and --secret-stdin exclude each other. Try: one of them")
    }
    let values = try SinkValues(self.values)
    guard SinkSetup.isName(name) else {
      throw ValidationError("\(name) cannot be a name. Try: small letters, digits and -, a letter or digit first")
    }
    guard Registry.sinkTypes.contains(where: { $0.name == type }) else {
      throw ValidationError("unknown type \(type). Try: one of \(Self.types)")
    }
    if values.texts["type"] != nil { throw ValidationError("type is given twice. Try: once") }
    for key in ["secret_file", "secret_command"] where values.texts[key] != nil {
      throw ValidationError("\(key) has an option of its own. Try: --\(key.replacing("_", with: "-"))")
    }
  }

  func execute(_ session: Session) throws {
    let environment = Session.environment
    let given = try SinkValues(self.values)
    var values = given.values(of: type)
    let send = send + (given.send ?? [])
    if let backfillDays { values["backfill_days"] = String(backfillDays) }
    if let timeoutSeconds { values["timeout_seconds"] = String(timeoutSeconds) }
    if allowHttp { values["allow_http"] = "true" }
    values["secret_file"] = try secretFile.map { path throws(LibreError) in
      _ = try SinkSecret.read(file: path)
      return FileSystem.absolute(path)
    }
    values["secret_command"] = secretCommand
    let ownSecret = secretStdin ? try SinkFile.secretPath(of: name, environment: environment) : nil
    if let ownSecret { values["secret_file"] = ownSecret }
    let draft = SinkDraft(name: name, type: type, values: values, send: send.isEmpty ? nil : send)
    let checked = try draft.checked(in: session.file)
    let secret = secretStdin ? try session.secretOnStandardInput(of: name) : nil
    // What the receiver is must be right before anything is written; its secret may come later.
    try checked.check(secret: secret, environment: environment)
    if dryRun { return try session.write(draft.text) }
    try session.add(draft, secret: secret)
  }
}
