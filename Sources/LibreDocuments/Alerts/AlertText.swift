// SPDX-License-Identifier: Apache-2.0
package import SensorHistory
import TextFormats

/// The words of an alert: a title, and a sentence with value, unit, direction and age.
package enum AlertText {
  /// Sentence that stands beside alerts wherever they are set up.
  package static let caution = """
    Alerts are a convenience, no medical alarm: they are silent while the reader is away or the sensor is not read,
    while this computer sleeps or is off, and while a phone holds the bridge.
    """

  package static func title(of alert: Alert, person: String?) -> String {
    let words =
      switch (alert.rule.kind, alert.subject) {
      case (.low, .past): "Glucose was low"
      case (_, .past): "Glucose was high"
      case (.low, _): "Glucose is low"
      case (.high, _): "Glucose is high"
      case (.falling, _): "Glucose falls fast"
      case (.rising, _): "Glucose rises fast"
      case (.scanDue, _): "Scan the sensor now"
      case (.noValue, _): "No new value"
      case (.sensorEnds, _): "The sensor ends soon"
      case (.sinkFails, _): "Sending fails"
      case (.bridgeBattery, _): "Charge the reader"
      }
    return person.map { "\($0): \(words)" } ?? words
  }

  package static func sentence(of alert: Alert, unit: GlucoseUnit) -> String {
    let ago = alert.minutesAgo.map { DurationText.ago(minutes: $0) } ?? ""
    switch alert.subject {
    case .present(let glucose, let rate):
      let speed = rate.map { ", \(unit.shown(ratePerMinute: $0)) \(unit.rawValue) per minute" }
      let arrow = rate.map { " \(TrendDirection(ratePerMinute: $0).arrow)" } ?? ""
      let isSpeed = alert.rule.kind == .falling || alert.rule.kind == .rising
      return "\(unit.shown(glucose)) \(unit.rawValue)\(arrow)\(isSpeed ? speed ?? "" : ""), \(ago)"
    case .past(let glucose, let isOver):
      let end = isOver ? "It is over." : "No newer value is known."
      return "\(unit.shown(glucose)) \(unit.rawValue), \(ago). \(end)"
    case .scanDue(let minutes):
      return
        "The sensor was read \(ago), and overwrites values that were not read in \(DurationText.of(minutes: minutes))."
    case .noValue: return "The newest value was measured \(ago)."
    case .sensorEnds(let minutes): return "\(sensor(alert)) ends in \(DurationText.of(minutes: minutes))."
    case .sinkFails(let name, let reason, let queued):
      return "\(name): \(reason), \(CountText.of(queued, "sample")) queued"
    case .battery(let reader, let percent): return "The battery of \(reader) is at \(percent) %."
    }
  }

  private static func sensor(_ alert: Alert) -> String { alert.sensor.map { "Sensor \($0.label)" } ?? "The sensor" }

  /// The number that a rule waits for: `below 70 mg/dL`.
  package static func limit(of rule: AlertRule, unit: GlucoseUnit) -> String {
    func shown(_ value: Double) -> String { unit.shown(GlucoseConcentration(milligramsPerDecilitre: value)) }
    let rate = DecimalText.shortest(
      unit == .millimolesPerLitre
        ? GlucoseConcentration(milligramsPerDecilitre: rule.limit).millimolesPerLitre : rule.limit, places: 2)
    return switch rule.kind {
    case .low: "below \(shown(rule.limit)) \(unit.rawValue)"
    case .high: "above \(shown(rule.limit)) \(unit.rawValue)"
    case .falling, .rising: "by \(rate) \(unit.rawValue) per minute"
    case .scanDue: "\(DurationText.of(minutes: Int(rule.limit))) before values are lost"
    case .noValue, .sinkFails: "after \(DurationText.of(minutes: Int(rule.limit)))"
    case .sensorEnds: "a day and an hour before"
    case .bridgeBattery: "below \(DecimalText.shortest(rule.limit, places: 0)) %"
    }
  }
}
