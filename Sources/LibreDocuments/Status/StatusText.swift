// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem
import LibreKit
import NFCTransport
import SampleSync
import SensorHistory
import TextFormats

package enum StatusText {
  package static func text(of status: StatusReport, style: Style, unit: GlucoseUnit) -> String {
    var rows = [["Readers", readers(status)], ["Store", store(status)]]
    if let file = status.keptAside.first {
      let count = CountText.of(status.keptAside.count, "reading")
      rows.append(["Kept aside", "\(count), not in the store yet\n  Try: libre import \(SafeText.line(file))"])
    }
    if let sensor = status.sensor {
      let name = sensor.facts.identity.serial ?? sensor.facts.identity.uid?.description ?? "without UID"
      let end =
        sensor.endsAt.map { ", \($0 > status.at ? "ends" : "ended") \(LocalTime.minuteText($0))" } ?? ""
      rows.append(["Sensor", "\(name), \(sensor.words)\(end)"])
      rows.append(["Last read", lastRead(sensor)])
      if let problem = sensor.facts.doubt.map(ReadingProblem.startInDoubt) {
        rows.append(["Times", "\(problem.message)\n  Try: \(problem.resolution)"])
      }
    }
    if let latest = status.latest {
      let value = "\(latest.mark)\(unit.shown(latest.concentration)) \(unit.rawValue)"
      let age = latest.ageMinutes.map { ", \(DurationText.ago(minutes: $0))" } ?? ""
      rows.append(["Newest value", value + age + (latest.isStale ? ", stale" : "")])
    }
    if status.sinks.isEmpty { rows.append(["Sinks", "none (libre sink add)"]) }
    var text = Columns.lines(rows).map { "\($0)\n" }.joined()
    if !status.sinks.isEmpty { text += style.bold("Sinks") + "\n" + SinksTable(style: style).list(status.sinks) }
    return text
  }

  private static func lastRead(_ sensor: SensorCondition) -> String {
    let time = sensor.facts.lastReadAt.map(LocalTime.text) ?? "at an unknown time"
    guard let reader = sensor.facts.lastReader, let percent = reader.batteryPercent else { return time }
    let charge = reader.isBatteryLow ? "\n  Try: charge it soon" : ""
    return "\(time), by \(SafeText.line(reader.name)), whose battery is at \(percent) %\(charge)"
  }

  private static func readers(_ status: StatusReport) -> String {
    guard let readers = status.readers else { return "not checked (libre status --probe)" }
    let names = readers.readers.map {
      "\(SafeText.line($0.reader.name))\($0.iso15693 == .no ? " (no ISO 15693)" : "")"
    }
    return names.isEmpty ? "none found (libre doctor)" : names.joined(separator: ", ")
  }

  private static func store(_ status: StatusReport) -> String {
    if let error = status.storeError { return "\(error.message)\n  Try: \(error.resolution)" }
    guard let sensors = status.sensors else { return "\(status.storePath), not created yet (libre read)" }
    return "\(status.storePath), \(CountText.of(sensors, "sensor"))"
  }
}
