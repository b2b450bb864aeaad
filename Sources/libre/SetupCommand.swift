// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import SampleSync
import SensorHistory
import TextFormats

struct SetupCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "setup", "Explain what happens to your data, check the reader, and set up a receiver.",
    discussion: """
      Explains what is read from a sensor, where it is kept and who gets it, whether this machine can read a sensor, and \
      what is set up. At a terminal it asks for the unit, the time zone and the calibration if they are not set, and offers to set up \
      a receiver and alerts. Enter skips a question, Ctrl-D all remaining ones. It can be run again at any time, and changes nothing \
      without an answer.

      Without a terminal, or with --no-input, it asks nothing.

      Examples:
        libre setup
        libre setup --no-input
      """)

  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) async throws {
    let environment = session.environment
    let text = SetupText(style: session.style)
    let status = try StatusReport(
      storePath: session.storePath(), setups: session.sinkSetups, environment: environment,
      ignoring: session.ignoredSources, alerts: session.alertViews(), now: LocalTime.now, readers: nil)
    try session.write(
      text.explanation(
        of: status, configuration: ConfigurationFile.path(environment: environment), isConfigured: session.file != nil,
        persons: Persons.all(environment: Session.environment)))
    try session.write(text.display(session.configuration, zone: LocalTime.zoneName))
    var asks = session.isInteractive
    if asks { asks = try Questions.asked { try offerSettings(session) } }
    let diagnosis = await Session.diagnosis()
    try session.write(text.reader(diagnosis))
    try session.write(text.alerts(status.alerts, unit: session.configuration.unit))
    try session.write(text.sinkTypes())
    if asks { asks = try Questions.asked { try offerSinks(session) } }
    if asks, status.alerts.isEmpty { _ = try Questions.asked { try offerAlerts(session) } }
    try session.write(text.next(diagnosis, hasSinks: try !session.sinkViews().isEmpty))
  }

  private func offerSettings(_ session: Session) throws {
    try offer(.unit, "Unit of glucose, mg/dL or mmol/L, or Enter to leave it: ", session)
    try offer(.timeZone, "Time zone, such as Europe/Rome, or Enter to follow this computer's: ", session)
    try offer(
      .calibration,
      """
      The calibration makes glucose of what the sensor measures: factory by the sensor's own numbers, reader for whoever
      compares with Abbott's app.
      \(Catalogue.standard.calibrations.flatMap(\.claim).joined(separator: "\n"))
      Calibration, factory or reader, or Enter for factory:\u{20}
      """, session)
  }

  private func offer(_ setting: Setting, _ question: String, _ session: Session) throws {
    guard session.configuration[setting].origin == .standard else { return }
    while let answer = try Questions.answer(to: question) {
      guard let value = setting.written(answer) else {
        session.remark("invalid value \(answer) for \(setting.key)", resolution: "use \(setting.allowed)")
        continue
      }
      try ConfigurationFile.set(setting.key, to: value, environment: session.environment)
      return session.remark("\(setting.key) is \(value) from now on (libre config show)")
    }
  }

  /// Asks for sinks until the user wants no more. Errors in one are reported, and the question is repeated.
  private func offerSinks(_ session: Session) throws {
    let names = SinkType.all.map(\.name)
    while let word = try Questions.answer(to: "Set one up? Its type, or Enter for none: "),
      !["n", "no", "none"].contains(word.lowercased())
    {
      guard let type = SinkType.all.first(where: { $0.name == word }) else {
        session.remark("unknown type \(word)", resolution: "one of \(names.joined(separator: ", "))")
        continue
      }
      do {
        try add(type, session)
      } catch let error as LibreError {
        Session.report(error)
      }
    }
  }

  /// Offers the two rules that everybody needs whose sensor is read by hand.
  private func offerAlerts(_ session: Session) throws {
    let question = "Be told on this desktop of low values, and when a scan is due? y or Enter for no: "
    guard try Questions.answer(to: question)?.lowercased().hasPrefix("y") ?? false else { return }
    for kind in [AlertKind.low, .scanDue] {
      let setup = try session.addAlert(kind.rawValue, AlertSetup.keys(of: kind, unit: session.configuration.unit))
      session.remark(
        "\(kind.rawValue): \(AlertText.limit(of: setup.rule, unit: session.configuration.unit))",
        resolution: "libre alerts test \(kind.rawValue)")
    }
  }

  /// Asks for the parameters of a sink. Enter at a required one cancels it.
  private func add(_ type: SinkType, _ session: Session) throws {
    let name = try Questions.answer(to: "Your name for it, or Enter for \(type.name): ") ?? type.name
    var values: [String: String] = [:]
    for parameter in type.parameters where parameter.defaultValue == nil {
      let choices = parameter.choices.isEmpty ? "" : " (\(parameter.choices.joined(separator: ", ")))"
      guard let value = try Questions.answer(to: "\(parameter.key), \(parameter.summary)\(choices): ") else {
        return session.remark("\(type.name) is not set up: it needs \(parameter.key)")
      }
      values[parameter.key] = parameter.isPath && value != "-" ? FileSystem.absolute(value) : value
    }
    var secret: Secret?
    if type.secret != .none {
      let need = type.secret == .required ? "needed" : "if it has one"
      secret = try Questions.hiddenAnswer(to: "Secret, \(need); it is not shown. Enter for none: ").map(
        SinkSecret.typed)
      if secret != nil {
        let path = try SinkFile.secretPath(of: name, environment: session.environment)
        values["secret_file"] = try ConfigurationPath.written(path, environment: session.environment)
      }
    }
    let section = try SinkSection(
      name: name, type: type.name, values: values, send: nil, environment: session.environment)
    let setup = try SinkSetup(section, settings: session.file?.settings ?? [:])
    try setup.check(secret: secret, environment: session.environment)
    let path = ConfigurationFile.path(environment: session.environment) ?? ""
    StandardError.draw("\n\(section.text)\n")
    guard try Questions.answer(to: "Write this to \(path)? y or Enter for no: ")?.lowercased().hasPrefix("y") ?? false
    else { return session.remark("\(name) is not set up") }
    try session.add(setup, secret: secret)
  }
}

struct StatusCommand: CommandWithStore, CommandWithDocument, CancellableCommand {
  static let configuration = CommandConfiguration(
    "status", "Show readers, sensor, store and sinks at a glance.",
    discussion: """
      Does not use the network or a reader; --probe lists the readers too. In JSON each status has a number, as in Sahha's \
      API: \(Availability.allCases.map { "\($0.rawValue) \($0.code)" }.joined(separator: ", ")).

      Examples:
        libre status
        libre status --json | jq '.sinks[] | {name, status_code, pending}'
      """)

  @Flag(help: "List the connected readers too.")
  var probe = false

  @OptionGroup var document: DocumentOption
  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let readers = probe ? await ReaderSurvey(asking: Catalogue.standard.readerBackends) : nil
    let stores = try session.household().compactMap { try? StoreFile.openForReading($0.storePath()) }
    let status = try StatusReport(
      storePath: session.storePath(), setups: session.sinkSetups, environment: session.environment,
      ignoring: session.ignoredSources, alerts: session.alertViews(),
      keptAside: UnstoredReading.files(missingIn: stores, environment: session.environment), now: LocalTime.now,
      readers: readers)
    try session.write(
      json: json, document: { StatusJSON.write(status, to: &$0) },
      text: StatusText.text(of: status, style: session.style, unit: session.configuration.unit))
    return status.storeError?.exitStatus ?? 0
  }
}

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
        let settings: [SettingInUse] = values.map { setting, value in
          (
            key: setting.key, value: value.text, origin: value.origin.text, defaultValue: setting.defaultValue,
            allowed: setting.allowed, summary: setting.summary, variable: setting.variable
          )
        }
        return try session.write { ConfigJSON.write((path, settings), to: &$0) }
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
      abstract: "Check the configuration file, its sinks with their secrets, its alerts, and the environment.",
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
      for (_, setup) in session.sinkSetups.sorted(by: { $0.key < $1.key }) {
        do throws(LibreError) {
          _ = try setup.get().sink(environment: session.environment)
        } catch {
          errors.append(error)
        }
      }
      for (_, setup) in session.file?.alertSetups() ?? [] {
        if case .failure(let error) = setup { errors.append(error) }
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
      try refuse(
        if: key == AlertSetup.table || key.hasPrefix("\(AlertSetup.table)."),
        "\(key) belongs to alerts. Try: libre alerts remove")
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
