// SPDX-License-Identifier: Apache-2.0
import Meters
package import SensorHistory
import TextFormats

/// One reading of a meter as text: the meter, the records that are new, and a count of all.
package enum MeterReadingTable {
  package static func text(of output: MeterOutput, unit: GlucoseUnit, style: Style) -> String {
    let shown = output.items.filter(\.isNew)
    var lines = [style.bold(SafeText.line(output.meter.displayName))] + facts(output)
    if !shown.isEmpty { lines += [""] + table(shown, unit, style) }
    lines += ["", count(output)]
    lines += output.reading.rejected.map { rejected in
      style.warning("packet not decoded: ") + HexText.string(of: rejected.bytes) + ": " + rejected.reason.message
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func facts(_ output: MeterOutput) -> [String] {
    let meter = output.meter
    let model = [meter.maker, meter.modelNumber].compactMap(\.self).joined(separator: " ")
    return Columns.facts([
      "address": meter.identity.address, "model": model.isEmpty ? nil : model, "serial": meter.serialNumber,
      "known as": meter.model.map { "\($0.title) (\(MeterModel.caution))" },
      "battery": meter.batteryPercent.map { "\($0) %" },
      "clock": meter.clock.map { text($0) + difference(output) },
    ])
  }

  /// The distance between the two clocks, if it is large enough to matter: every time of a record depends on the meter's.
  private static func difference(_ output: MeterOutput) -> String {
    guard let ahead = output.clockAheadSeconds, abs(ahead) >= toleratedSeconds else { return "" }
    let minutes = (abs(ahead) + 30) / 60
    let words = ahead > 0 ? "ahead of" : "behind"
    return ", \(DurationText.of(minutes: minutes)) \(words) this machine; set the meter's clock by its menu"
  }

  private static let toleratedSeconds = 5 * 60

  private static func table(_ items: [MeterReceipt.Item], _ unit: GlucoseUnit, _ style: Style) -> [String] {
    let rows = items.map { item in
      let time = item.meterTime.map { String(text($0).prefix(16)) } ?? "–"
      return [time, value(item, unit), notes(item).joined(separator: ", ")]
    }
    return Columns.table(["time of the meter", "value", "note"], rows, [.left, .right], style: style)
  }

  private static func value(_ item: MeterReceipt.Item, _ unit: GlucoseUnit) -> String {
    if let concentration = item.result.entry?.concentration { return "\(unit.shown(concentration)) \(unit.rawValue)" }
    if let ketone = item.glucose?.ketoneMillimolesPerLitre { return "\(ketone) mmol/L ketone" }
    if let glucose = item.glucose { return glucose.value?.description ?? "–" }
    guard let pressure = item.pressure, let systolic = pressure.systolic.number,
      let diastolic = pressure.diastolic.number
    else { return "–" }
    let pulse = pressure.pulse?.number.map { ", pulse \($0)" } ?? ""
    return "\(systolic)/\(diastolic) \(pressure.unit.rawValue)\(pulse)"
  }

  private static func notes(_ item: MeterReceipt.Item) -> [String] {
    var notes: [String] = []
    if let reason = item.reason { notes.append("not stored as a value: \(reason.message)") }
    if let meal = item.glucose?.context?.meal { notes.append(meal.words) }
    if let user = item.pressure?.user { notes.append("user \(user + 1)") }
    if item.reason == nil { notes += item.glucose?.status.words ?? item.pressure?.status?.words ?? [] }
    return notes
  }

  private static func count(_ output: MeterOutput) -> String {
    let aside = output.receipt.leftAside.count
    return "\(CountText.of(output.items.count, "record")) received: \(output.receipt.newEntries.count) new, "
      + "\(output.receipt.knownCount) known from before" + (aside > 0 ? ", \(aside) left aside" : "")
  }

  private static func text(_ time: CivilTime) -> String { time.description.replacing("T", with: " ") }
}
