// SPDX-License-Identifier: Apache-2.0

/// The situations that a rule for alerts can wait for (libre/BeTold, "What can be told").
///
/// The usual numbers are libre's own choice; 70 and 250 mg/dL are limits of the international consensus on time in range.
package enum AlertKind: String, Hashable, Sendable, CaseIterable {
  case low, high, falling, rising
  case scanDue = "scan-due"
  case noValue = "no-value"
  case sensorEnds = "sensor-ends"
  case sinkFails = "sink-fails"
  case bridgeBattery = "bridge-battery"

  package enum Urgency: Int, Hashable, Sendable {
    case minor = 0
    case normal = 1
    case critical = 2
  }

  package var urgency: Urgency {
    switch self {
    case .low, .falling: .critical
    case .high, .rising, .scanDue, .noValue: .normal
    case .sensorEnds, .sinkFails, .bridgeBattery: .minor
    }
  }
}

/// A rule for alerts of one person: what it waits for, and when it stays silent. The ways by which it tells are not its
/// concern.
package struct AlertRule: Hashable, Sendable {
  package let name: String
  package let kind: AlertKind
  /// The number that `kind` compares, always positive, in mg/dL (per minute), minutes or percent; 0 for a kind without.
  package let limit: Double
  /// Distance from the limit that ends an episode of `low`, `high` (mg/dL), `falling` or `rising` (mg/dL per minute).
  package let hysteresis: Double
  /// Minutes after which an alert is repeated while its cause lasts; nil for never.
  package let repeatMinutes: Int?
  package let quiet: QuietHours?

  package init(
    _ name: String, _ kind: AlertKind, limit: Double, hysteresis: Double? = nil, repeatMinutes: Int? = nil,
    quiet: QuietHours? = nil
  ) {
    (self.name, self.kind, self.limit, self.repeatMinutes, self.quiet) = (name, kind, limit, repeatMinutes, quiet)
    self.hysteresis = hysteresis ?? (kind == .falling || kind == .rising ? 0.5 : 5)
  }
}

/// Hours of each day in which a rule stays silent, in local time: `22:00-07:00`.
package struct QuietHours: Hashable, Sendable {
  /// Minutes since midnight.
  package let from: Int
  package let to: Int

  package init?(_ text: String) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
    guard ends.count == 2, let from = ends[0], let to = ends[1], from != to else { return nil }
    (self.from, self.to) = (from, to)
  }

  func contains(_ minute: Int) -> Bool {
    from < to ? (from..<to).contains(minute) : minute >= from || minute < to
  }

  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isASCII) }),
      let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), hour < 24, minute < 60
    else { return nil }
    return Int(hour) * 60 + Int(minute)
  }
}

package struct Alert: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case present(GlucoseConcentration, ratePerMinute: Double?)
    /// The lowest or highest value of an episode that was over, or that no newer value continues, when it became known.
    case past(GlucoseConcentration, isOver: Bool)
    case scanDue(minutesLeft: Int)
    case noValue
    case sensorEnds(minutesLeft: Int)
    case sinkFails(name: String, reason: String, queued: Int)
    case battery(reader: String, percent: Int)
  }

  package let rule: AlertRule
  package let at: Instant
  package let subject: Subject
  /// Minutes since the value was measured, or the sensor was read; nil where an alert is about neither.
  package let minutesAgo: Int?
  package let sensor: SensorIdentity?
  package let isRepeated: Bool

  package init(
    _ rule: AlertRule, at: Instant, _ subject: Subject, minutesAgo: Int? = nil, sensor: SensorIdentity? = nil,
    isRepeated: Bool = false
  ) {
    (self.rule, self.at, self.subject, self.minutesAgo) = (rule, at, subject, minutesAgo)
    (self.sensor, self.isRepeated) = (sensor, isRepeated)
  }

  /// An alert as a rule would tell it, for an attempt: its limit as the value.
  package static func example(of rule: AlertRule, at now: Instant) -> Alert {
    let glucose = GlucoseConcentration(
      milligramsPerDecilitre: rule.kind == .low || rule.kind == .high ? rule.limit : 100)
    return switch rule.kind {
    case .low, .high: Alert(rule, at: now, .present(glucose, ratePerMinute: 0), minutesAgo: 1)
    case .falling: Alert(rule, at: now, .present(glucose, ratePerMinute: -rule.limit), minutesAgo: 1)
    case .rising: Alert(rule, at: now, .present(glucose, ratePerMinute: rule.limit), minutesAgo: 1)
    case .scanDue: Alert(rule, at: now, .scanDue(minutesLeft: Int(rule.limit)), minutesAgo: 480 - Int(rule.limit))
    case .noValue: Alert(rule, at: now, .noValue, minutesAgo: Int(rule.limit))
    case .sensorEnds: Alert(rule, at: now, .sensorEnds(minutesLeft: 1_440))
    case .sinkFails: Alert(rule, at: now, .sinkFails(name: "a sink", reason: "it does not answer", queued: 1))
    case .bridgeBattery: Alert(rule, at: now, .battery(reader: "the reader", percent: Int(rule.limit)), minutesAgo: 1)
    }
  }

  package var urgency: AlertKind.Urgency { if case .past = subject { .normal } else { rule.kind.urgency } }
}
