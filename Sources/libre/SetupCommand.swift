// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import LibreKit
import NFCTransport
import SampleSinks
import SampleSync

struct SetupCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "setup", "Explain what happens to your data, check the reader, and set up a receiver.",
    discussion: """
      Explains what is read from a sensor, where it is kept and who gets it, whether this machine can read a sensor, and \
      what is set up. At a terminal it asks for the unit, the time zone and the calibration if they are not set, and offers to set up \
      a receiver. Enter skips a question, Ctrl-D all remaining ones. It can be run again at any time, and changes nothing \
      without an answer.

      Without a terminal, or with --no-input, it asks nothing.

      Examples:
        libre setup
        libre setup --no-input
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) async throws {
    let environment = session.environment
    let text = SetupText(style: session.style)
    let status = try StatusReport(
      storePath: session.storePath(), file: session.file, environment: environment, ignoring: session.ignoredSources,
      now: LocalTime.now, readers: nil)
    try session.write(
      text.explanation(
        of: status, configuration: ConfigurationFile.path(environment: environment), isConfigured: session.file != nil,
        persons: Persons.all(environment: Session.environment)))
    try session.write(text.display(session.configuration, zone: LocalTime.zoneName))
    var asks = session.isInteractive
    if asks { asks = try Questions.asked { try offerSettings(session) } }
    let diagnosis = await Session.diagnosis()
    try session.write(text.reader(diagnosis))
    try session.write(text.sinkTypes())
    if asks { asks = try Questions.asked { try offerSinks(session) } }
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
      \(Registry.calibrations.flatMap(\.claim).joined(separator: "\n"))
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
    let names = Registry.sinkTypes.map(\.name)
    while let word = try Questions.answer(to: "Set one up? Its type, or Enter for none: "),
      !["n", "no", "none"].contains(word.lowercased())
    {
      guard let type = Registry.sinkTypes.first(where: { $0.name == word }) else {
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
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let readers = probe ? await ReaderSurvey(asking: Registry.readerBackends) : nil
    let status = try StatusReport(
      storePath: session.storePath(), file: session.file, environment: session.environment,
      ignoring: session.ignoredSources, now: LocalTime.now, readers: readers)
    if json {
      try session.write { StatusJSON.write(status, to: &$0) }
    } else {
      try session.write(StatusText(style: session.style, unit: session.configuration.unit).text(of: status))
    }
    return status.storeError?.exitStatus ?? 0
  }
}
