// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore
import SampleSync
import TextFormats

struct SinkAddCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "add", "Set up a receiver.",
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

  @Argument(help: .value("name", "Your name for the sink: lower-case letters, digits and -."))
  var name: String

  @Argument(help: .value("type", "Type of the receiver: \(types)."), completion: .list(SinkType.all.map(\.name)))
  var type: String

  @Argument(help: .value("key=value", "Parameters of the type, see libre sink list --supported."))
  var values: [String] = []

  @Option(
    help: .value("part", "Parts of the data to send, separated by commas; may be repeated. Default: glucose.history."))
  var send: [String] = []

  @Option(help: .value("days", "Age of the oldest samples to send. Default: 90; 0 for mqtt."))
  var backfillDays: Int?

  @Option(help: .value("seconds", "Timeout of a request."))
  var timeoutSeconds: Int?

  @Flag(help: "Allow unencrypted HTTP or MQTT to another machine.")
  var allowHttp = false

  @OptionGroup var place: SecretOptions

  @Flag(help: "Read the secret from standard input, and save it next to the configuration file.")
  var secretStdin = false

  @Flag(help: "Show the section, and write nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions

  private static var types: String { SinkType.all.map(\.name).joined(separator: ", ") }

  func validate() throws {
    try refuse(
      if: [place.secretFile != nil, place.secretCommand != nil, secretStdin].count(where: \.self) > 1,
      "--secret-file, --secret-command and --secret-stdin exclude each other. Try one of them")
    let values = try SinkValues(self.values)
    try refuse(
      if: !SinkSetup.isName(name),
      "invalid name \(name). Try: lower-case letters, digits and -, starting with a letter or digit")
    try refuse(if: !SinkType.all.contains { $0.name == type }, "unknown type \(type). Try: one of \(Self.types)")
    try refuse(if: values.texts["type"] != nil, "type is given twice. Try: give it once")
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
    values["secret_file"] = try place.secretFile.map { path throws(LibreError) in
      _ = try SinkSecret.read(file: path, environment: environment)
      return try ConfigurationPath.written(FileSystem.absolute(path), environment: environment)
    }
    values["secret_command"] = place.secretCommand
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

struct SecretOptions: ParsableArguments {
  @Option(help: .value("file", "File of mode 600 with the secret in its first line."), completion: .file())
  var secretFile: String?

  @Option(help: .value("command", "Command that prints the secret in its first line."))
  var secretCommand: String?
}

struct SinkSetCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "set", "Change the parameters of a sink.",
    discussion: """
      Writes the keys into the sink's section of the configuration file; all other lines stay as they are. A key without a \
      value is removed, so that its default applies again. libre sink list --supported lists the keys of each type; a \
      secret comes from secret_file or secret_command.

      Examples:
        libre sink set night url=https://ns.example send=glucose.history,glucose.trend
        libre sink set home timeout_seconds= --dry-run
      """)

  @Argument(help: .value("name", "Name of the sink."), completion: .sinks)
  var name: String

  @Argument(help: .value("key=value", "Key and new value; without a value the key is removed."))
  var values: [String]

  @Flag(help: "Show the new section, and write nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions

  func validate() throws { _ = try SinkValues(values) }

  func execute(_ session: Session) throws {
    let environment = session.environment
    let given = try SinkValues(values)
    let type = try? session.sinkSetups[name]?.get().type.name
    var changes = try given.values(of: given.texts["type"] ?? type ?? "", environment: environment)
      .mapValues { $0.isEmpty ? nil : $0 }
    if let path = changes["secret_file"] ?? nil {
      _ = try SinkSecret.read(file: UserDirectories.expanded(path, environment: environment), environment: environment)
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
  private(set) var texts: [String: String] = [:]
  /// The parts without empty ones; nil if `send` is not given.
  private(set) var send: [String]?

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

  static func parts(_ list: String) -> [String] { list.split(separator: ",").map(String.init) }

  /// Values by key, with paths as they are written into the configuration file.
  func values(of type: String, environment: [String: String]) throws(LibreError) -> [String: String] {
    var values = texts
    for parameter in SinkType.all.first(where: { $0.name == type })?.parameters ?? [] where parameter.isPath {
      guard let text = texts[parameter.key], text != "-", !text.isEmpty else { continue }
      let path = FileSystem.absolute(text)
      values[parameter.key] =
        parameter.isReceiver ? path : try ConfigurationPath.written(path, environment: environment)
    }
    return values
  }
}

struct WebhookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "webhook", "Check requests that libre sends to a webhook.",
    discussion: """
      Examples:
        libre webhook verify body --signature "$SIGNATURE" --secret-file key
        libre schema sample
      """,
    subcommands: [Verify.self])

  struct Verify: LibreCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check the signature of a received body.",
      discussion: """
        The signature is the value of the header libre-signature: t=SECONDS,v1=HEX, where v1 is the HMAC-SHA256 of \
        "SECONDS." and the body. Terra's signatures have the same form. The secret is in LIBRE_WEBHOOK_SECRET unless \
        --secret-file or --secret-command is given. Exit status: 0 valid, 65 malformed, 77 wrong or too old.

        Examples:
          libre webhook verify body --signature "$SIGNATURE" --secret-file key
          libre webhook verify - --signature "$SIGNATURE" --tolerance 86400 < body
        """)

    @Argument(help: .value("file", "File with the unchanged body, - for standard input."), completion: .file())
    var body: String

    @Option(help: .value("value", "Value of the header libre-signature."))
    var signature: String

    @OptionGroup var place: SecretOptions

    @Option(help: .value("seconds", "Maximum difference between the signature's time and now."))
    var tolerance: Int64 = WebhookSignature.toleranceSeconds

    @OptionGroup var global: GlobalOptions

    var inputPath: String? { body }

    func validate() throws {
      try check(tolerance, of: "--tolerance", allowed: "seconds, such as 300", (0...Int64(Int32.max)).contains)
      try refuse(
        if: place.secretFile != nil && place.secretCommand != nil,
        "--secret-file and --secret-command exclude each other. Try one of them")
    }

    func execute(_ session: Session) throws {
      let secret = try SinkSecret.chosen(
        file: place.secretFile, command: place.secretCommand, variable: SecretVariable.webhook,
        environment: Session.environment)
      let bytes = try Files.read(body)
      do throws(WebhookSignature.Failure) {
        try WebhookSignature.verify(signature, body: bytes, secret: secret, now: LocalTime.now, tolerance: tolerance)
      } catch {
        throw LibreError.sink(.signature(error))
      }
      try session.write("the signature is valid\n")
    }
  }
}
