// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem
package import SampleStore
import SensorHistory
import TextFormats

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
      let condition = wear.map { SensorCondition($0.facts, now: now) }
      return [
        SensorNames.title(sensor.identity), sensor.identity.uid?.description ?? "–", String(sensor.wears.count),
        Self.minute(wear?.anchor.activatedAt) + (wear?.anchor.isProvisional ?? false ? "?" : ""),
        Self.minute(condition?.endsAt), String(sensor.wears.reduce(0) { $0 + $1.scans }), String(sensor.sampleCount),
        Self.minute(wear?.lastReadAt), condition?.words ?? "not started",
      ]
    }
    let alignments: [Columns.Alignment] = [.left, .left, .right, .left, .left, .right, .right]
    return Columns.table(head, rows, alignments, style: style).joined(separator: "\n") + "\n"
  }

  /// Everything about one sensor. `calibration` is that of its newest value.
  package func text(of sensor: StoredSensor, calibration: CalibrationDescription?) -> String {
    let facts = Columns.facts([
      "UID": sensor.identity.uid?.words(with: sensor.patchInfo), "product": sensor.identity.product?.caution,
      "fingerprint": sensor.identity.fingerprint?.description, "region": sensor.region?.words,
      "made for": sensor.maxLifeMinutes.map { DurationText.of(minutes: $0) }, "calibration": calibration?.words(),
    ])
    let state = sensor.latestWear.map { SensorCondition($0.facts, now: now).words } ?? "not started"
    let head = ["\(style.bold(SensorNames.title(sensor.identity))): \(state)"] + facts
    let wears = sensor.wears.map { wear in
      [style.bold("Wear \(wear.number)")] + self.facts(of: wear, sensor) + conflicts(wear)
    }
    return ([head] + wears).map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private func facts(of wear: StoredWear, _ sensor: StoredSensor) -> [String] {
    let condition = SensorCondition(wear.facts, now: now)
    let reason = wear.lastReadAt == nil ? "no scan of it has a time" : "its clock had stopped when it was read"
    let last = [
      wear.lastReadAt.map(LocalTime.text) ?? "at an unknown time",
      condition.lastState.flatMap { $0 == .unknown(nil) ? nil : "then \(SensorCondition.words($0))" },
      wear.ageMinutes.map { "\(DurationText.of(minutes: $0)) old" },
    ]
    let isOver = condition.endsAt.map { $0 <= now } ?? false
    let samples = "\(wear.historySamples) of the history, \(wear.trendSamples) of the trend"
    return Columns.facts([
      "started": wear.anchor.activatedAt.map { "\(LocalTime.text($0)), \(Self.words(wear.anchor))" }
        ?? "unknown: \(reason)",
      "by all scans": wear.agreement.map { agreement in
        let dated = wear.disagreements.count
        let votes = agreement.votes < dated ? ", by \(agreement.votes) of \(dated) scans" : ""
        // Each scan alone is exact to a minute; all together are more exact.
        let seconds = agreement.until.secondsSince1970 - agreement.after.secondsSince1970
        return "\(LocalTime.text(agreement.until)), within \(seconds) s\(votes)"
      },
      isOver ? "ended" : "ends": condition.endsAt.map(LocalTime.text),
      "now": condition.words,
      "last read": wear.scans == 0 ? "never: imported" : last.compactMap(\.self).joined(separator: ", "),
      "samples": "\(samples), from \(CountText.of(wear.scans, "scan"))",
      "clock": wear.disagreements.last.map { clock($0, of: wear) },
      "your calibration": wear.userCalibration.map(Self.words),
    ])
  }

  private func clock(_ latest: ScanDisagreement, of wear: StoredWear) -> String {
    let minutes = abs(latest.seconds) / 60
    let way = latest.seconds > 0 ? "ahead of" : "behind"
    let words =
      minutes < 1
      ? "agrees within a minute at the latest scan"
      : "at the latest scan \(DurationText.of(minutes: minutes)) \(way) the start time"
    let drift = wear.driftSecondsPerDay.map {
      ", drifting by \(DecimalText.signed(DecimalText.fixed($0, places: 1))) s per day"
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
      + Columns.indented(rows).map { "  " + $0 }
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
    switch anchor.doubt {
    case .modificationTime: return "only from the modification time of a file, which may be wrong"
    case .clockNotSet: return "only by a clock that was not set: wrong"
    case .disputed: return "disputed: its scans disagree by more than a day"
    case nil: break
    }
    return switch anchor.origin {
    case .scan: "from the scan at \(anchor.readAt.map(LocalTime.text) ?? "an unknown time")"
    case .history: "from an imported history"
    case .user: "set by you: scans do not change it"
    case nil: "of unknown origin"
    }
  }

  private static func minute(_ instant: Instant?) -> String { instant.map(LocalTime.minuteText) ?? "–" }
}
