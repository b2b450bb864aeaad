// SPDX-License-Identifier: Apache-2.0
package import SensorHistory
import TextFormats

/// An alert with the words in which it is told.
package struct WordedAlert: Sendable {
  package let alert: Alert
  /// The person's name, if several people are known.
  package let person: String?
  package let title: String
  package var sentence: String { ([words] + notes).joined(separator: " ") }
  private let words: String
  /// True for an attempt by the user: what it says did not happen.
  package let isTest: Bool
  /// Ways by which it could not be told, in sentences.
  private var notes: [String] = []

  package init(_ alert: Alert, person: String?, unit: GlucoseUnit, isTest: Bool = false) {
    (self.alert, self.person, self.isTest) = (alert, person, isTest)
    title = (isTest ? "Test: " : "") + AlertText.title(of: alert, person: person)
    words = AlertText.sentence(of: alert, unit: unit)
  }

  package func noting(_ notes: [String]) -> WordedAlert {
    var noting = self
    noting.notes = notes
    return noting
  }
}

/// `libre.alert/1`: what the user's command and receivers get for an alert.
package enum AlertJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "alert", summary: "an alert", description: "An alert. A convenience, no medical alarm.", fields.members)

  /// The document in one line.
  package static func line(of alert: WordedAlert) -> [UInt8] { JSONWriter.line { write(alert, to: &$0) } }

  /// The members that are known, as text.
  package static func facts(of alert: WordedAlert) -> [(name: String, value: String)] {
    fields.columns.map { ($0.name, $0.cell(alert)) }.filter { !$0.1.isEmpty }
  }

  package static let fields: Fields<WordedAlert> = [
    Field("at") { $0.alert.at },
    Field("rule", .nonEmpty, "The user's name for the rule.") { $0.alert.rule.name },
    Field("kind", .one(of: AlertKind.self)) { $0.alert.rule.kind.rawValue },
    Field("urgency", .one(of: "minor", "normal", "critical")) { "\($0.alert.urgency)" },
    Field(
      ifKnown: "person", .string, "The person, on a computer that knows several: a name of libre person list, or me."
    ) {
      $0.person
    },
    Field("title", .nonEmpty) { $0.title },
    Field("text", .nonEmpty) { $0.sentence },
    Field("repeated", .boolean, "True if it was told before, and its cause lasts.") { $0.alert.isRepeated },
    Field("test", .boolean, "True for libre alerts test: nothing has happened.") { $0.isTest },
    Field("past", .boolean, "True for a value that was not the present one when it became known.") { $0.alert.isPast },
    Field("glucose_mg_dl", .number, "The value; of a past one the lowest or highest.") { $0.alert.milligrams },
    Field("rate_mg_dl_per_min") { $0.alert.ratePerMinute },
    Field("minutes_ago", .count, "Minutes since the value was measured, or the sensor was read.") {
      $0.alert.minutesAgo.map { max($0, 0) }
    },
    Field("minutes_left", .count, "Minutes until values are lost, or the sensor ends.") { $0.alert.minutesLeft },
    Field("serial") { $0.alert.sensor?.serial },
    Field("sink", .string, "The receiver that fails.") { $0.alert.sink },
    Field("battery_percent", .integer.from(0, to: 100)) { $0.alert.batteryPercent },
  ]
}

extension Alert {
  fileprivate var isPast: Bool { if case .past = subject { true } else { false } }
  fileprivate var milligrams: Double? {
    switch subject {
    case .present(let glucose, _), .past(let glucose, _): glucose.milligramsPerDecilitre
    case .scanDue, .noValue, .sensorEnds, .sinkFails, .battery: nil
    }
  }
  fileprivate var ratePerMinute: Double? { if case .present(_, let rate) = subject { rate } else { nil } }
  fileprivate var minutesLeft: Int? {
    switch subject {
    case .scanDue(let minutes), .sensorEnds(let minutes): minutes
    case .present, .past, .noValue, .sinkFails, .battery: nil
    }
  }
  fileprivate var sink: String? { if case .sinkFails(let name, _, _) = subject { name } else { nil } }
  fileprivate var batteryPercent: Int? { if case .battery(_, let percent) = subject { percent } else { nil } }
}
