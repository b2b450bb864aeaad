// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import SensorHistory
import TextFormats

package enum FindTable {
  package static func text(of rows: [FindListing.Row], style: Style) -> String {
    let cells = rows.map { row in
      [
        SensorNames.short(row.sensor.identity), DurationText.of(minutes: row.sensor.ageMinutes),
        row.readAt.map(LocalTime.minuteText) ?? "–", store(row), row.places.first?.path ?? "", place(row),
      ]
    }
    return Columns.table(["sensor", "age", "read", "store", "file", "place"], cells, style: style)
      .map { "\($0)\n" }.joined()
  }

  private static func store(_ row: FindListing.Row) -> String {
    row.isKnown ? "known" + (row.person.map { ", \($0)" } ?? "") : "new"
  }

  /// `hex in lines 812–855, and 2 other files`.
  private static func place(_ row: FindListing.Row) -> String {
    guard let first = row.places.first else { return "" }
    let place = first.found?.text ?? first.format ?? ""
    let others = row.places.count - 1
    return others > 0 ? "\(place), and \(CountText.of(others, "other file"))" : place
  }
}
