// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem
import LibreKit
package import SampleStore
import TextFormats

/// The sensors of the store, as text.
package struct SensorsTable: Sendable {
  private let style: Style
  private let now: Instant

  package init(style: Style, now: Instant) {
    self.style = style
    self.now = now
  }

  /// A table with a line per sensor, about its latest wear.
  package func list(_ sensors: [StoredSensor]) -> String {
    let head = ["sensor", "UID", "wears", "started", "ends", "scans", "samples", "last read", "now"]
    let rows = sensors.map { sensor in
      let wear = sensor.latestWear
      let condition = wear.map { SensorCondition($0, of: sensor, now: now) }
      return [
        SensorNames.title(sensor.identity), sensor.identity.uid?.description ?? "–", String(sensor.wears.count),
        Self.minute(wear?.anchor.activatedAt) + (wear?.anchor.isProvisional ?? false ? "?" : ""),
        Self.minute(condition?.endsAt),
        String(sensor.wears.reduce(0) { $0 + $1.scans }),
        String(sensor.sampleCount), Self.minute(wear?.lastReadAt),
        condition?.words ?? "not started",
      ]
    }
    let alignments: [Columns.Alignment] = [.left, .left, .right, .left, .left, .right, .right, .left, .left]
    return Columns.table(head, rows, alignments, style: style).joined(separator: "\n") + "\n"
  }

  /// Everything about one sensor. `calibration` is that of its newest value.
  package func text(of sensor: StoredSensor, calibration: CalibrationDescription?) -> String {
    var facts: [[String]] = []
    if let uid = sensor.identity.uid {
      facts.append(["UID", uid.description + (sensor.patchInfo.map { ", patch info \($0)" } ?? "")])
    }
    if let fingerprint = sensor.identity.fingerprint { facts.append(["fingerprint", fingerprint.description]) }
    if let region = sensor.region { facts.append(["region", region.name.replacing("_", with: " ")]) }
    if let minutes = sensor.maxLifeMinutes { facts.append(["made for", DurationText.of(minutes: minutes)]) }
    if let calibration {
      let numbers = calibration.parameters.map { "\($0.name) \(DecimalText.shortest($0.value, places: 6))" }
      facts.append([
        "calibration", "\(calibration.model), version \(calibration.version): \(numbers.joined(separator: ", "))",
      ])
    }
    let state = sensor.latestWear.map { SensorCondition($0, of: sensor, now: now).words } ?? "not started"
    let head = ["\(style.bold(SensorNames.title(sensor.identity))): \(state)"] + Self.indented(facts)
    let wears = sensor.wears.map { wear in
      [style.bold("Wear \(wear.number)")] + Self.indented(self.facts(of: wear, sensor)) + conflicts(wear)
    }
    return ([head] + wears).map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private func facts(of wear: StoredWear, _ sensor: StoredSensor) -> [[String]] {
    let condition = SensorCondition(wear, of: sensor, now: now)
    var facts: [[String]] = []
    if let start = wear.anchor.activatedAt {
      facts.append(["started", "\(LocalTime.text(start)), \(Self.words(wear.anchor))"])
    } else {
      let reason = wear.lastReadAt == nil ? "no scan of it has a time" : "its clock had stopped when it was read"
      facts.append(["started", "unknown: \(reason)"])
    }
    if let agreement = wear.agreement {
      let dated = wear.disagreements.count
      let votes = agreement.votes < dated ? ", by \(agreement.votes) of \(dated) scans" : ""
      facts.append(["by all scans", Self.words(after: agreement.after, until: agreement.until) + votes])
    }
    if let end = condition.endsAt { facts.append([end > now ? "ends" : "ended", LocalTime.text(end)]) }
    facts.append(["now", condition.words])
    let last = [
      wear.lastReadAt.map(LocalTime.text) ?? "at an unknown time",
      condition.lastState.flatMap { $0 == .unknown(nil) ? nil : "then \(SensorCondition.words($0))" },
      wear.ageMinutes.map { "\(DurationText.of(minutes: $0)) old" },
    ]
    facts.append(["last read", wear.scans == 0 ? "never: imported" : last.compactMap(\.self).joined(separator: ", ")])
    let scans = CountText.of(wear.scans, "scan")
    facts.append([
      "samples", "\(wear.historySamples) of the history, \(wear.trendSamples) of the trend, from \(scans)",
    ])
    if let latest = wear.disagreements.last { facts.append(["clock", clock(latest, of: wear)]) }
    if let calibration = wear.userCalibration { facts.append(["your calibration", Self.words(calibration)]) }
    return facts
  }

  private func clock(_ latest: ScanDisagreement, of wear: StoredWear) -> String {
    let minutes = abs(latest.seconds) / 60
    let way = latest.seconds > 0 ? "ahead of" : "behind"
    let words =
      minutes < 1
      ? "agrees within a minute at the latest scan"
      : "at the latest scan \(DurationText.of(minutes: minutes)) \(way) the start time"
    let drift = wear.driftSecondsPerDay.map { drift in
      let text = DecimalText.fixed(drift, places: 1)
      return ", drifting by \(text.hasPrefix("-") ? text : "+" + text) s per day"
    }
    return words + (drift ?? "")
  }

  private func conflicts(_ wear: StoredWear) -> [String] {
    guard !wear.conflicts.isEmpty else { return [] }
    let rows = wear.conflicts.map { conflict in
      [
        conflict.kept.ring.rawValue, "minute \(conflict.kept.minute)", "kept \(Self.counts(conflict.kept))",
        "other \(Self.counts(conflict.other))", conflict.isOtherSalvaged ? "from a damaged body" : "",
      ]
    }
    return ["  \(style.warning("Conflicts")): the same minute was read with different counts; both are kept"]
      + Columns.lines(rows, [.left, .left, .left, .left, .left]).map { "    " + $0 }
  }

  private static func words(_ calibration: UserCalibration) -> String {
    let slope = DecimalText.shortest(calibration.slope, places: 4)
    let offset = DecimalText.shortest(abs(calibration.intercept), places: 1)
    let points = CountText.of(calibration.points.count, "finger-stick")
    let formula = "\(slope) × value \(calibration.intercept < 0 ? "−" : "+") \(offset) mg/dL"
    return "\(formula), from \(points), \(LocalTime.text(calibration.madeAt))"
  }

  private static func counts(_ raw: RawSample) -> String {
    let counts = "\(raw.glucose)/\(raw.temperature)/\(raw.temperatureAdjustment)"
    return raw.hasError ? "\(counts) with error \(raw.errorField.map(String.init) ?? "unknown")" : counts
  }

  private static func words(_ anchor: ActivationAnchor) -> String {
    if anchor.isProvisional { return "only from the modification time of a file, which may be wrong" }
    return switch anchor.origin {
    case .scan: "from the scan at \(anchor.readAt.map(LocalTime.text) ?? "an unknown time")"
    case .history: "from an imported history"
    case .user: "set by you: scans do not change it"
    case nil: "of unknown origin"
    }
  }

  private static func words(after: Instant, until: Instant) -> String {
    let seconds = until.secondsSince1970 - after.secondsSince1970
    // Each scan alone is exact to a minute; all together are more exact.
    return "\(LocalTime.text(until)), within \(seconds) s"
  }

  private static func minute(_ instant: Instant?) -> String { instant.map(LocalTime.minuteText) ?? "–" }

  private static func indented(_ facts: [[String]]) -> [String] {
    Columns.lines(facts, [.left, .left]).map { "  " + $0 }
  }
}
