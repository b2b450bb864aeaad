// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem
package import LibreKit
package import SampleStore
import SensorHistory
package import TextFormats

package struct SinkSetup: Sendable {
  package let section: SinkSection
  package var name: String { section.name }
  package let type: SinkType
  /// Value of every parameter of the type, with defaults applied.
  package let values: [String: String]
  package let parts: Set<SampleBatch.Part>
  /// Number of days before its enrolment whose samples are queued; 0 for the newest value alone.
  package let backfillDays: Int
  /// Least time between a run that sent something and the next one; 0 for at once.
  package let intervalMinutes: Int
  package let allowsHTTP: Bool
  package let isEnabled: Bool
  package let timeoutSeconds: Int
  /// The factory's calibration, or a model that needs neighbours, whose values are sent when these have been read.
  package let calibration: CalibrationChoice
  /// Sources whose imported values are not sent: `ignore_sources` in the file. The environment variable does not apply,
  /// so that every process sends the same.
  package let ignoredSources: Set<String>
  /// Path of the file with the secret, a `ConfigurationPath`.
  package let secretFile: String?
  package let secretCommand: String?
  private let defaults: SinkDefaults

  /// Keys of every section, besides the parameters of its type.
  package static let commonParameters: [SinkType.Parameter] = [
    .init("type", "the type of the sink"),
    .init("enabled", "false stops sending to it; its outbox goes on", default: "true", choices: ["true", "false"]),
    .init(
      "send", "the parts that it gets: a list in brackets; its type limits the choice",
      default: SampleBatch.Part.history.rawValue),
    .init(
      "calibration", "the calibration of the values that it gets: factory, reader or linear:SLOPE,OFFSET",
      default: "factory"),
    .init(
      "backfill_days", "days before its set-up from which it gets samples; by default none for mqtt",
      default: String(SinkType.standardBackfillDays)),
    .init(
      "interval", "least time between two runs, such as 15m, 2h or 1d; what comes meanwhile stays queued",
      default: immediately),
    .init(
      "allow_http", "true allows HTTP and MQTT without TLS to another machine", default: "false",
      choices: ["true", "false"]),
    .init("timeout_seconds", "maximum duration of a request, 1 to 600", default: String(standardTimeoutSeconds)),
    .init(
      "secret_file", "a file of mode 600 with the secret in its first line; relative to this file's directory",
      default: "", isPath: true),
    .init("secret_command", "a command that writes the secret in its first line", default: ""),
  ]
  private static let immediately = "immediate"
  static let commonKeys = commonParameters.map(\.key)
  static let standardTimeoutSeconds = 30

  /// Variable that may hold the secret: `LIBRE_SECRET_NIGHT` for `night`.
  package var secretVariable: String { Self.secretVariable(name) }
  package static func secretVariable(_ name: String) -> String {
    SecretVariable.sinkPrefix + name.uppercased().replacing("-", with: "_")
  }

  package var rings: Set<SampleRing> { chosen([.history: .history, .trend: .trend]) }
  package var kinds: Set<EntryKind> {
    chosen([.imported: .imported, .fingerSticks: .fingerStick, .bloodPressure: .bloodPressure])
  }

  private func chosen<Value: Hashable>(_ values: [SampleBatch.Part: Value]) -> Set<Value> {
    Set(values.filter { parts.contains($0.key) }.values)
  }

  /// `types` are those that the section may name.
  /// - Throws: `LibreError.sink` for an invalid name, type, key, part or number.
  package init(
    _ section: SinkSection, types: [SinkType] = SinkType.all, defaults: SinkDefaults = SinkDefaults()
  ) throws(LibreError) {
    (self.section, self.defaults) = (section, defaults)
    ignoredSources = defaults.ignoredSources
    guard Self.isName(section.name) else { throw .sink(.badName(section.name)) }
    let type = try section.value("type", allowed: types.map(\.name).joined(separator: ", ")) { name in
      types.first { $0.name == name }
    }
    guard let type else { throw section.error(.missing(key: "type")) }
    self.type = type
    let known = type.parameters.map(\.key) + Self.commonKeys
    for key in section.values.keys.sorted() where !known.contains(key) {
      throw .sink(.unknownKey(sink: section.name, key: key, known: known))
    }
    var values: [String: String] = [:]
    for parameter in type.parameters {
      values[parameter.key] =
        section.values[parameter.key] ?? (parameter.isUnit ? defaults.unit : nil) ?? parameter.defaultValue
    }
    self.values = values
    backfillDays = try section.number("backfill_days", in: 0...36_500) ?? type.standardBackfillDays
    intervalMinutes =
      try section.value("interval", allowed: "\(Self.immediately), or a time from 1m to 1d, such as 15m") { text in
        text == Self.immediately ? 0 : MinutesText.minutes(text).flatMap { (1...1_440).contains($0) ? $0 : nil }
      } ?? 0
    timeoutSeconds = try section.number("timeout_seconds", in: 1...600) ?? Self.standardTimeoutSeconds
    allowsHTTP = try section.value("allow_http", allowed: "true or false", Bool.init) ?? false
    isEnabled = try section.value("enabled", allowed: "true or false", Bool.init) ?? true
    let sendable = CalibrationEntry.ready.filter { CalibrationChoice($0)?.isSendable == true }
    calibration =
      try section.value("calibration", allowed: sendable.joined(separator: ", ")) { text in
        CalibrationChoice(text).flatMap { $0.isSendable ? $0 : nil }
      } ?? .factory
    secretFile = try section.value("secret_file", allowed: ConfigurationPath.allowed) { path in
      ConfigurationPath.isValid(path) ? path : nil
    }
    secretCommand = section.values[Self.secretCommandKey]
    parts = try Self.parts(section, type)
  }

  package static let switchedOff = "the configuration says enabled = false"

  /// True if its letters are valid in a file's name and, except the dash, in a variable's: so no two names have one
  /// variable.
  package static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.first.map { $0 != UInt8(ascii: "-") } ?? false
      && name.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains)
  }

  private static func parts(_ section: SinkSection, _ type: SinkType) throws(LibreError) -> Set<SampleBatch.Part> {
    let possible = type.sendableParts
    func bad(_ word: String, _ allowed: [String]) -> LibreError {
      let words =
        type.takesSamples ? allowed.joined(separator: ", ") : "no list: a receiver of this type gets alerts only"
      return section.error(.bad(key: "send", value: word, allowed: words))
    }
    if !type.takesSamples, section.send == nil { return [] }
    var parts: Set<SampleBatch.Part> = []
    for word in section.send ?? [SampleBatch.Part.history.rawValue] {
      guard let part = SampleBatch.Part(rawValue: word), possible.contains(part) else {
        throw bad(word, possible.map(\.rawValue))
      }
      parts.insert(part)
    }
    let values: [SampleBatch.Part] = [.history, .trend, .fingerSticks, .imported, .bloodPressure]
    guard values.contains(where: parts.contains) else {
      throw bad("without samples", values.filter(possible.contains).map(\.rawValue))
    }
    return parts
  }

  /// The user's name for the person, from the variable or the file; nil if not set. Throws `badReferenceID`.
  func person(environment: [String: String]) throws(LibreError) -> String? {
    let variable = environment[ReferenceID.variable].flatMap { $0.isEmpty ? nil : $0 }
    let text = variable ?? defaults.referenceID
    guard ReferenceID.accepts(text) else {
      throw .sink(.badReferenceID(origin: variable == nil ? section.path : ReferenceID.variable, value: text))
    }
    return text.isEmpty ? nil : text
  }

  /// Identity of the receiver: its type, address and account, without a name for the person that is set for all sinks.
  package var receiver: String {
    let places = type.parameters.filter(\.isReceiver).compactMap { values[$0.key] }.filter { !$0.isEmpty }
    return ([type.name] + places).joined(separator: " ")
  }

  /// The sink for inspection, with a placeholder for the secret of a command, which may ask a person.
  package func sketch(environment: [String: String]) throws(LibreError) -> any SampleSink {
    let isAsked = secretOrigin(environment: environment) == Self.secretCommandKey
    return try isAsked && type.secret != .none
      ? sink(with: Secret("(secret)"), environment) : sink(environment: environment)
  }

  static let secretCommandKey = "secret_command"

  /// Throws `LibreError.sink` for an unavailable secret, and for invalid values of its type.
  package func sink(environment: [String: String]) throws(LibreError) -> any SampleSink {
    try sink(with: type.secret == .none ? nil : secret(environment: environment), environment)
  }

  /// Throws `LibreError.sink` for invalid values of its type; a missing secret is requested later.
  package func check(secret: Secret?, environment: [String: String]) throws(LibreError) {
    _ = try secret == nil ? sketch(environment: environment) : sink(with: secret, environment)
  }

  private func sink(with secret: Secret?, _ environment: [String: String]) throws(LibreError) -> any SampleSink {
    var values = values
    if let person = try person(environment: environment) {
      for parameter in type.parameters where parameter.isPerson && (values[parameter.key] ?? "").isEmpty {
        values[parameter.key] = person
      }
    }
    // The file of a receiver is not part of the configuration, and its path identifies it.
    for parameter in type.parameters where parameter.isPath && !parameter.isReceiver {
      guard let path = values[parameter.key], !path.isEmpty else { continue }
      guard ConfigurationPath.isValid(path) else {
        throw section.error(.bad(key: parameter.key, value: path, allowed: ConfigurationPath.allowed))
      }
      values[parameter.key] = ConfigurationPath.absolute(path, in: section.path, environment: environment)
    }
    do throws(SinkOptionError) {
      return try type.make(SinkOptions(name: name, values: values, secret: secret, allowsHTTP: allowsHTTP))
    } catch {
      throw section.error(error)
    }
  }
}

extension CalibrationChoice {
  /// False for a finger-stick calibration: it changes with each finger-stick, and sent values should not.
  fileprivate var isSendable: Bool {
    switch self {
    case .factory, .series: true
    case .user, .model: false
    }
  }
}

/// The set-up of each configured sink by name, or why it has none: an invalid sink does not affect others.
package typealias SinkSetups = [String: Result<SinkSetup, LibreError>]
