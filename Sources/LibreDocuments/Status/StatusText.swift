// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem
import SampleSync
import SensorHistory
import TextFormats

package enum StatusText {
  package static func text(of status: StatusReport, style: Style, unit: GlucoseUnit) -> String {
    var rows: [[String]] = []
    func add(_ title: String, _ text: String, remedy: String? = nil) {
      rows.append([title, text])
      if let remedy { rows.append(["", "  Try: \(remedy)"]) }
    }
    add("Readers", readers(status))
    if let error = status.storeError {
      add("Store", error.message, remedy: error.resolution)
    } else if let sensors = status.sensors {
      add("Store", "\(status.storePath), \(CountText.of(sensors, "sensor"))")
    } else {
      add("Store", "\(status.storePath), not created yet (libre read)")
    }
    if let file = status.keptAside.first {
      add(
        "Kept aside", "\(CountText.of(status.keptAside.count, "reading")), not in the store yet",
        remedy: "libre import \(file)")
    }
    if let sensor = status.sensor {
      let (identity, reader) = (sensor.facts.identity, sensor.facts.lastReader)
      let name = identity.serial ?? identity.uid?.description ?? "without UID"
      let end = sensor.endsAt.map { ", \($0 > status.at ? "ends" : "ended") \(LocalTime.minuteText($0))" } ?? ""
      add("Sensor", "\(name), \(sensor.words)\(end)")
      let time = sensor.facts.lastReadAt.map(LocalTime.text) ?? "at an unknown time"
      let battery = reader.flatMap { reader in
        reader.batteryPercent.map { ", by \(reader.name), whose battery is at \($0) %" }
      }
      add("Last read", time + (battery ?? ""), remedy: reader?.isBatteryLow ?? false ? "charge it soon" : nil)
      if let problem = sensor.facts.doubt.map(ReadingProblem.startInDoubt) {
        add("Times", problem.message, remedy: problem.resolution)
      }
    }
    if let latest = status.latest {
      let value = "\(latest.mark)\(unit.shown(latest.concentration)) \(unit.rawValue)"
      let age = latest.ageMinutes.map { ", \(DurationText.ago(minutes: $0))" } ?? ""
      add("Newest value", value + age + (latest.isStale ? ", stale" : ""))
    }
    let alerts = status.alerts.map { view in
      let state = AlertsTable.state(of: view, status.at)
      return state == "armed" ? view.rule.name : "\(view.rule.name) (\(state))"
    }
    add("Alerts", alerts.isEmpty ? "none (libre alerts add)" : alerts.joined(separator: ", "))
    if status.sinks.isEmpty { add("Sinks", "none (libre sink add)") }
    var text = Columns.lines(rows).map { "\($0)\n" }.joined()
    if !status.sinks.isEmpty {
      text += style.bold("Sinks") + "\n" + SinksTable(style: style).list(status.sinks, runs: 3)
    }
    return text
  }

  private static func readers(_ status: StatusReport) -> String {
    guard let readers = status.readers else { return "not checked (libre status --probe)" }
    let names = readers.readers.map {
      "\($0.reader.name)\($0.iso15693 == .no ? " (no ISO 15693)" : "")"
    }
    return names.isEmpty ? "none found (libre doctor)" : names.joined(separator: ", ")
  }
}
