// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import SensorHistory
import TextFormats

/// A rule for alerts as it is set up, with what it has told.
package struct AlertView: Sendable {
  package let rule: AlertRule
  /// The ways by which it tells, in words.
  package let ways: [String]
  package let isEnabled: Bool
  package let memory: AlertMemory?

  package init(_ rule: AlertRule, ways: [String], isEnabled: Bool, memory: AlertMemory?) {
    (self.rule, self.ways, self.isEnabled, self.memory) = (rule, ways, isEnabled, memory)
  }

  /// The time until which the user has silenced it; nil if it is not silenced.
  func silentUntil(at now: Instant) -> Instant? {
    memory?.snooze.flatMap { $0.isOver(at: now) ? nil : $0.end }
  }
}

package struct AlertsListing: Sendable {
  package let at: Instant
  package let unit: GlucoseUnit
  package let alerts: [AlertView]

  package init(at: Instant, unit: GlucoseUnit, _ alerts: [AlertView]) {
    (self.at, self.unit, self.alerts) = (at, unit, alerts)
  }
}

/// `libre.alerts/1`: the rules for alerts.
package enum AlertsJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "alerts", summary: "the rules for alerts", description: "The rules for alerts, and when each told last.",
    fields.members)

  package static let fields: Fields<AlertsListing> = [
    Field("at") { $0.at },
    Field("alerts", array: rule) { listing in listing.alerts.map { ($0, listing.at) } },
  ]

  static let rule: Fields<(view: AlertView, now: Instant)> = [
    Field("name", .nonEmpty) { $0.view.rule.name },
    Field("kind", .one(of: AlertKind.self)) { $0.view.rule.kind.rawValue },
    Field("limit", .number, "mg/dL, mg/dL per minute, minutes or percent, by the kind.") { $0.view.rule.limit },
    Field("repeat_minutes") { $0.view.rule.repeatMinutes },
    Field("tell", .array(of: .string)) { $0.view.ways },
    Field("enabled", .boolean) { $0.view.isEnabled },
    Field("silent_until") { $0.view.silentUntil(at: $0.now) },
    Field("told_at") { $0.view.memory?.toldAt },
    Field("lasts", .boolean, "True while the cause of its last alert lasts.") { $0.view.memory?.told.isEmpty == false },
  ]
}

package enum AlertsTable {
  package static func text(of listing: AlertsListing, style: Style) -> String {
    let rows = listing.alerts.map { view in
      [
        view.rule.name, view.rule.kind.rawValue, AlertText.limit(of: view.rule, unit: listing.unit),
        view.ways.joined(separator: ", "), state(of: view, listing.at),
        view.memory?.toldAt.map(LocalTime.minuteText) ?? "–",
      ]
    }
    return Columns.table(["name", "kind", "when", "tells by", "state", "told"], rows, style: style)
      .map { "\($0)\n" }.joined()
  }

  /// The state in words: `armed`, `silent until 2024-05-02 12:15`, `off`.
  package static func state(of view: AlertView, _ now: Instant) -> String {
    if !view.isEnabled { return "off" }
    if let end = view.silentUntil(at: now) { return "silent until \(LocalTime.minuteText(end))" }
    return "armed"
  }
}
