// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import LibreKit
public import SampleSinks
public import SampleStore

/// What is set up for one sink: its section of the configuration file, looked through.
public struct SinkSetup: Sendable {
  /// As it stands in the file.
  let section: SinkSection
  public let name: String
  public let type: SinkType
  /// Every parameter of the type, the defaults filled in.
  public let values: [String: String]
  /// What it may be told.
  public let parts: Set<SampleBatch.Part>
  /// At its enrolment, samples of so many days before go into its outbox.
  public let backfillDays: Int
  /// Plain HTTP to another machine is wanted.
  public let allowsHTTP: Bool
  /// False for one that the file switches off.
  public let isEnabled: Bool
  /// How long a request may take in all.
  public let timeoutSeconds: Int
  /// The calibration of the values that it gets: the factory's, or a model that needs neighbours. Values of such a model
  /// are sent once the neighbours are there.
  public let calibration: CalibrationChoice
  /// Imported values of these sources are not sent: those of `ignore_sources` in the file. A variable of one shell does
  /// not change what is sent, whichever process sends it.
  public let ignoredSources: Set<String>
  public let secretFile: String?
  public let secretCommand: String?
  /// The file's own `reference_id`; empty for none.
  private let referenceID: String

  /// What a section may say besides the parameters of its type.
  public static let commonParameters: [SinkType.Parameter] = [
    .init("type", "the type of the sink"),
    .init("enabled", "false stops sending to it; its outbox goes on", default: "true", choices: ["true", "false"]),
    .init(
      "send", "the parts that it gets: a list in brackets, of those that its type can take",
      default: SampleBatch.Part.history.rawValue),
    .init(
      "calibration", "the calibration of the values that it gets: factory, reader or linear:SLOPE,OFFSET",
      default: "factory"),
    .init(
      "backfill_days", "days before its set-up from which it gets samples", default: String(standardBackfillDays)),
    .init(
      "allow_http", "true allows HTTP and MQTT without TLS to another machine", default: "false",
      choices: ["true", "false"]),
    .init("timeout_seconds", "maximum duration of a request, 1 to 600", default: String(standardTimeoutSeconds)),
    .init("secret_file", "a file of mode 600 with the secret in its first line", default: "", isPath: true),
    .init("secret_command", "a command that writes the secret in its first line", default: ""),
  ]
  static let commonKeys = commonParameters.map(\.key)
  static let standardBackfillDays = 90
  static let standardTimeoutSeconds = 30

  /// The variable that may hold the secret: `LIBRE_SECRET_NIGHT` for `night`.
  public var secretVariable: String { Self.secretVariable(name) }

  static func secretVariable(_ name: String) -> String {
    Setting.secretVariablePrefix + name.uppercased().replacing("-", with: "_")
  }

  /// The rings whose samples it gets.
  public var rings: Set<SampleRing> {
    var rings: Set<SampleRing> = []
    if parts.contains(.history) { rings.insert(.history) }
    if parts.contains(.trend) { rings.insert(.trend) }
    return rings
  }

  /// The imported values and finger-sticks that it gets.
  public var kinds: Set<EntryKind> {
    var kinds: Set<EntryKind> = []
    if parts.contains(.imported) { kinds.insert(.imported) }
    if parts.contains(.fingerSticks) { kinds.insert(.fingerStick) }
    return kinds
  }

  /// `settings` are those of the file outside its sections. Throws `LibreError.sink` for a name, a type, a key or a part
  /// that is none, and for a number that is none.
  init(_ section: SinkSection, settings: [Setting: String] = [:]) throws(LibreError) {
    self.section = section
    referenceID = settings[.referenceID] ?? ""
    ignoredSources = Setting.names(settings[.ignoreSources] ?? "")
    name = section.name
    guard Self.isName(name) else { throw .sink(.badName(name)) }
    let types = Registry.sinkTypes
    guard let typeName = section.values["type"] else { throw .sink(.option(sink: name, .missing(key: "type"))) }
    guard let type = types.first(where: { $0.name == typeName }) else {
      let allowed = types.map(\.name).joined(separator: ", ")
      throw .sink(.option(sink: name, .bad(key: "type", value: typeName, allowed: allowed)))
    }
    self.type = type
    let known = type.parameters.map(\.key)
    for key in section.values.keys.sorted() where !known.contains(key) && !Self.commonKeys.contains(key) {
      throw .sink(.unknownKey(sink: name, key: key, known: known + Self.commonKeys))
    }
    var values: [String: String] = [:]
    for parameter in type.parameters { values[parameter.key] = section.values[parameter.key] ?? parameter.defaultValue }
    self.values = values
    backfillDays = try Self.number("backfill_days", section, in: 0...36_500) ?? Self.standardBackfillDays
    timeoutSeconds = try Self.number("timeout_seconds", section, in: 1...600) ?? Self.standardTimeoutSeconds
    allowsHTTP = try Self.truth("allow_http", section) ?? false
    isEnabled = try Self.truth("enabled", section) ?? true
    calibration = try Self.calibration(section)
    secretFile = section.values["secret_file"]
    if let secretFile, !secretFile.hasPrefix("/"), !secretFile.hasPrefix("~/") {
      throw .sink(
        .option(
          sink: name, .bad(key: "secret_file", value: secretFile, allowed: "a path that begins with / or ~/")))
    }
    secretCommand = section.values["secret_command"]
    parts = try Self.parts(section, type)
  }

  /// Letters of a file's name and, but for the dash, of a variable's: no two names have the same variable.
  public static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.first.map { $0 != UInt8(ascii: "-") } ?? false
      && name.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains)
  }

  private static func number(
    _ key: String, _ section: SinkSection, in range: ClosedRange<Int>
  ) throws(LibreError) -> Int? {
    guard let text = section.values[key] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .sink(
        .option(
          sink: section.name,
          .bad(key: key, value: text, allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)")))
    }
    return number
  }

  private static func truth(_ key: String, _ section: SinkSection) throws(LibreError) -> Bool? {
    switch section.values[key] {
    case nil: return nil
    case "false": return false
    case "true": return true
    case let text?: throw .sink(.option(sink: section.name, .bad(key: key, value: text, allowed: "true or false")))
    }
  }

  /// A correction by finger-sticks changes with each of them, and what has been sent should not.
  private static func calibration(_ section: SinkSection) throws(LibreError) -> CalibrationChoice {
    guard let text = section.values["calibration"] else { return .factory }
    switch CalibrationChoice(text) {
    case .factory: return .factory
    case .series(let model): return .series(model)
    case .user, .model, nil:
      throw .sink(
        .option(sink: section.name, .bad(key: "calibration", value: text, allowed: sendable.joined(separator: ", "))))
    }
  }

  private static let sendable = CalibrationEntry.ready.filter { name in
    switch CalibrationChoice(name) {
    case .factory, .series: true
    case .user, .model, nil: false
    }
  }

  private static func parts(_ section: SinkSection, _ type: SinkType) throws(LibreError) -> Set<SampleBatch.Part> {
    let possible = type.parts.union([.history])
    var parts: Set<SampleBatch.Part> = []
    for word in section.send ?? [SampleBatch.Part.history.rawValue] {
      guard let part = SampleBatch.Part(rawValue: word), possible.contains(part) else {
        throw .sink(
          .option(
            sink: section.name,
            .bad(key: "send", value: word, allowed: possible.map(\.rawValue).sorted().joined(separator: ", "))))
      }
      parts.insert(part)
    }
    let values: [SampleBatch.Part] = [.history, .trend, .fingerSticks, .imported]
    guard values.contains(where: parts.contains) else {
      let allowed = values.filter(possible.contains).map(\.rawValue).joined(separator: ", ")
      throw .sink(.option(sink: section.name, .bad(key: "send", value: "without samples", allowed: allowed)))
    }
    return parts
  }

  /// The user's own name for the person: the variable's, else the file's; nil for none. Throws
  /// `LibreError.configuration(badValue)`.
  func person(environment: [String: String]) throws(LibreError) -> String? {
    let setting = Setting.referenceID
    let variable = environment[setting.variable].flatMap { $0.isEmpty ? nil : $0 }
    let text = variable ?? referenceID
    guard setting.accepts(text) else {
      let origin = variable == nil ? section.path : setting.variable
      throw .configuration(.badValue(origin: origin, key: setting.key, value: text, allowed: setting.allowed))
    }
    return text.isEmpty ? nil : text
  }

  /// What the sink is enrolled for: its kind, and what its section says of where it sends to and whose the values are. A
  /// name for the person that is set for all sinks does not make it another receiver.
  public var receiver: String {
    let places = type.parameters.filter(\.isReceiver).compactMap { values[$0.key] }.filter { !$0.isEmpty }
    return ([type.name] + places).joined(separator: " ")
  }

  /// The sink for a look at it, with a placeholder where a command would give the secret: commands may ask people, and
  /// are run when there is something to send. Throws as `sink` does.
  public func sketch(environment: [String: String]) throws(LibreError) -> any SampleSink {
    let isAsked = secretOrigin(environment: environment) == Self.secretCommandKey
    return try isAsked && type.secret != .none
      ? sink(with: Secret("(secret)"), environment) : sink(environment: environment)
  }

  static let secretCommandKey = "secret_command"

  /// The sink itself. Throws `LibreError.sink` for a secret that cannot be had, and for what the type does not take.
  public func sink(environment: [String: String]) throws(LibreError) -> any SampleSink {
    try sink(with: type.secret == .none ? nil : secret(environment: environment), environment)
  }

  /// Throws `LibreError.sink` for what the type does not take; a secret that is not given yet is asked for later.
  public func check(secret: Secret?, environment: [String: String]) throws(LibreError) {
    _ = try secret == nil ? sketch(environment: environment) : sink(with: secret, environment)
  }

  private func sink(with secret: Secret?, _ environment: [String: String]) throws(LibreError) -> any SampleSink {
    var values = values
    if let person = try person(environment: environment) {
      for parameter in type.parameters where parameter.isPerson && (values[parameter.key] ?? "").isEmpty {
        values[parameter.key] = person
      }
    }
    do throws(SinkOptionError) {
      return try type.make(SinkOptions(name: name, values: values, secret: secret, allowsHTTP: allowsHTTP))
    } catch {
      throw .sink(.option(sink: name, error))
    }
  }
}

extension ConfigurationFile {
  /// Every sink by its name, or what is wrong with it: one that is wrong keeps no other from working.
  public func sinkSetups() -> [String: Result<SinkSetup, LibreError>] {
    sinkSections().mapValues { section in
      Result { () throws(LibreError) in try SinkSetup(section.get(), settings: values) }
    }
  }
}
