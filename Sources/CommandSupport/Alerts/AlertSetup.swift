// SPDX-License-Identifier: Apache-2.0
import SampleSync
package import SensorHistory
package import TextFormats

/// A rule for alerts as it is configured: a table `[alerts.NAME]` of the configuration file.
package struct AlertSetup: Sendable {
  /// A way by which an alert reaches a person.
  package enum Way: Hashable, Sendable {
    case desktop
    /// The log, which is the journal for a service.
    case journal
    case sink(String)
    case command

    /// The word in the list `tell`, where a program has none.
    init?(_ word: String) {
      switch word {
      case "desktop": self = .desktop
      case "journal": self = .journal
      case _ where word.hasPrefix("sink:"): self = .sink(String(word.dropFirst(5)))
      default: return nil
      }
    }

    package var word: String {
      switch self {
      case .desktop: "desktop"
      case .journal: "journal"
      case .sink(let name): "sink:\(name)"
      case .command: "command"
      }
    }

    /// Place among the ways: what fails is named by those after it.
    var order: Int {
      switch self {
      case .desktop: 0
      case .sink: 1
      case .journal: 2
      case .command: 3
      }
    }
  }

  package let rule: AlertRule
  package let ways: [Way]
  /// The program with its arguments for the way `command`.
  package let run: [String]
  package let isEnabled: Bool

  package static let table = "alerts"

  /// The number of a kind, as the user writes it.
  package struct Number: Sendable {
    package let key: String
    package let standard: String
    package let allowed: String
    package let parse: @Sendable (String, GlucoseUnit) -> Double?
    /// True for a value with a unit of glucose.
    var isGlucose = false

    /// The text as it is written into the file, with its unit, so that it does not depend on the setting `unit`.
    package func written(_ text: String, _ unit: GlucoseUnit) -> String {
      isGlucose && text.last?.isNumber == true ? "\(text) \(unit.rawValue)" : text
    }
  }

  package static func number(of kind: AlertKind) -> Number? {
    switch kind {
    case .low: glucose("below", standard: 70)
    case .high: glucose("above", standard: 250)
    case .falling, .rising:
      Number(
        key: "by", standard: "2 mg/dL", allowed: "a change in a minute such as 2 mg/dL or 0.11 mmol/L",
        parse: { text, unit in rate(text, unit) }, isGlucose: true)
    case .scanDue: minutes("before", standard: 15, in: 5...240)
    case .noValue: minutes("after", standard: 25, in: 10...1_440)
    case .sinkFails: minutes("after", standard: 60, in: 1...10_080)
    case .sensorEnds: nil
    case .bridgeBattery:
      Number(
        key: "below", standard: String(ReaderDescription.lowBatteryPercent),
        allowed: "a number of percent from 1 to 99",
        parse: { text, _ in Int(text).flatMap { (1...99).contains($0) ? Double($0) : nil } })
    }
  }

  /// The keys of a new table: its kind, its number, by default the usual one, and how often it repeats.
  package static func keys(
    of kind: AlertKind, number text: String? = nil, repeating: String? = nil, unit: GlucoseUnit
  ) -> [(String, TOMLValue)] {
    var keys: [(String, TOMLValue)] = [("kind", .string(kind.rawValue))]
    if let number = number(of: kind) {
      keys.append((number.key, .string(number.written(text ?? number.standard, unit))))
    }
    if let text = repeating ?? (kind == .low ? "15m" : nil) { keys.append(("repeat", .string(text))) }
    return keys
  }

  private static func glucose(_ key: String, standard: Double) -> Number {
    Number(
      key: key, standard: "\(Int(standard)) mg/dL", allowed: "a value such as 70 mg/dL or 3.9 mmol/L",
      parse: { text, unit in (try? GlucoseArgument.concentration(text, unit: unit))?.milligramsPerDecilitre },
      isGlucose: true)
  }

  private static func minutes(_ key: String, standard: Int, in range: ClosedRange<Int>) -> Number {
    Number(
      key: key, standard: "\(standard)m",
      allowed: "a time from \(MinutesText.short(range.lowerBound)) to \(MinutesText.short(range.upperBound))",
      parse: { text, _ in MinutesText.minutes(text).flatMap { range.contains($0) ? Double($0) : nil } })
  }

  private static func rate(_ text: String, _ unit: GlucoseUnit) -> Double? {
    let units = GlucoseUnit.allCases.first { text.lowercased().hasSuffix($0.rawValue.lowercased()) }
    let digits = text.dropLast(units?.rawValue.count ?? 0).filter { $0 != " " }
    guard let number = Double(digits), number.isFinite else { return nil }
    let rate =
      switch units ?? unit {
      case .milligramsPerDecilitre: number
      case .millimolesPerLitre: GlucoseConcentration(millimolesPerLitre: number).milligramsPerDecilitre
      }
    return (0.5...20).contains(rate) ? rate : nil
  }

  /// Reads a table of the file at `path`.
  /// - Throws: `badValue` or `unknownKey` with the key that is wrong.
  package init(path: String, name: String, _ value: TOMLValue, unit: GlucoseUnit) throws(LibreError) {
    func bad(_ key: String?, _ value: String, _ allowed: String) -> LibreError {
      let place = [Self.table, name, key].compactMap(\.self).joined(separator: ".")
      return .configuration(.badValue(origin: path, key: place, value: value, allowed: allowed))
    }
    guard SinkSetup.isName(name) else { throw bad(nil, name, Self.nameRule) }
    guard case .table(let table) = value else { throw bad(nil, "what it is", #"a table with kind = "low" or another"#) }
    func text(_ key: String) -> String? { table[key]?.settingText }
    func texts(_ key: String) throws(LibreError) -> [String]? {
      guard let value = table[key] else { return nil }
      guard case .array(let elements) = value else { throw bad(key, "what it is", #"a list such as ["desktop"]"#) }
      return try elements.map { element throws(LibreError) in
        guard case .string(let text) = element else { throw bad(key, "what it is", "texts in quotes") }
        return text
      }
    }
    let kinds = AlertKind.allCases.map(\.rawValue).joined(separator: ", ")
    guard let kind = text("kind").flatMap(AlertKind.init) else { throw bad("kind", text("kind") ?? "nothing", kinds) }
    let number = Self.number(of: kind)
    let isGlucose = [AlertKind.low, .high, .falling, .rising].contains(kind)
    let known =
      ["kind", "tell", "run", "repeat", "quiet_hours", "enabled"] + (number.map { [$0.key] } ?? [])
      + (isGlucose ? ["hysteresis"] : [])
    for key in table.keys.sorted() where !known.contains(key) {
      throw .configuration(
        .unknownKey(path: path, key: "\(Self.table).\(name).\(key)", known: known))
    }
    func parsed<Value>(_ key: String, _ allowed: String, _ parse: (String) -> Value?) throws(LibreError) -> Value? {
      guard table[key] != nil else { return nil }
      guard let text = text(key), let value = parse(text) else {
        throw bad(key, text(key) ?? "what it is", allowed)
      }
      return value
    }
    let limit = try number.flatMap { number throws(LibreError) in
      try parsed(number.key, number.allowed) { number.parse($0, unit) } ?? number.parse(number.standard, unit)
    }
    let hysteresis = try parsed("hysteresis", "a distance in mg/dL such as 5") { text in
      Double(text).flatMap { (0...100).contains($0) ? $0 : nil }
    }
    let repeats = try parsed("repeat", "a time from 5m to 1d") { text in
      MinutesText.minutes(text).flatMap { (5...1_440).contains($0) ? $0 : nil }
    }
    let quiet = try parsed("quiet_hours", "hours such as 22:00-07:00") { QuietHours($0) }
    rule = AlertRule(
      name, kind, limit: limit ?? 0, hysteresis: hysteresis, repeatMinutes: repeats, quiet: quiet)
    isEnabled = try parsed("enabled", "true or false", Bool.init) ?? true
    run = try texts("run") ?? []
    var ways: Set<Way> = run.isEmpty ? [] : [.command]
    for word in try texts("tell") ?? (run.isEmpty ? [Way.desktop.word] : []) {
      guard let way = Way(word) else { throw bad("tell", word, Self.wayRule) }
      ways.insert(way)
    }
    self.ways = ways.sorted { ($0.order, $0.word) < ($1.order, $1.word) }
    if self.ways.isEmpty { throw bad("tell", "nothing", Self.wayRule) }
  }

  package static let wayRule = #"desktop, journal or sink:NAME, or run = ["PROGRAM"] for a program"#
  package static let nameRule = "lower-case letters, digits and -, beginning with a letter or digit"
}

extension ConfigurationFile {
  /// The rules by name, each with its error: an invalid one does not affect others.
  package func alertSetups() -> [(name: String, setup: Result<AlertSetup, LibreError>)] {
    let unit = settings[.unit].flatMap { GlucoseUnit(rawValue: Setting.unit.spelled($0)) } ?? .milligramsPerDecilitre
    return alerts.sorted { $0.key < $1.key }.map { name, value in
      (name, Result { () throws(LibreError) in try AlertSetup(path: path, name: name, value, unit: unit) })
    }
  }
}
