// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
package import LibreKit
import SampleStore
import TextFormats

/// The people whose sensors this computer reads, as text.
package struct PersonsTable: Sendable {
  private let style: Style

  package init(style: Style) { self.style = style }

  package func text(of persons: [PersonSummary]) -> String {
    let rows = persons.map { row in
      [
        row.person.word, row.fullName ?? "–", row.born ?? "–",
        row.storeError?.message ?? row.sensor.map { SensorNames.short($0.identity) } ?? "–",
        row.lastReadAt.map(LocalTime.minuteText) ?? "–", row.sinks.isEmpty ? "–" : row.sinks.joined(separator: ", "),
      ].map { SafeText.line($0) }
    }
    return Columns.table(
      ["person", "name", "born", "latest sensor", "last read", "sinks"], rows,
      [.left, .left, .left, .left, .left, .left],
      style: style
    ).joined(separator: "\n") + "\n"
  }
}
