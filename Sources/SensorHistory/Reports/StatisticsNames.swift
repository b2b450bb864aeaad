// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport

extension StatisticsGroup.Key {
  /// The name: `08:00`, `2024-05-02`, a sensor's `day 3`, `2024-W18`, `2024-05`, `0M00009DHCR`, or
  /// `libreview FreeStyle LibreLink`.
  package func label(_ clock: WallClock) -> String {
    switch self {
    case .hour(let hour): "\(Self.twoDigits(hour)):00"
    case .day(let day): clock.name(ofDay: day)
    case .week(let monday): Self.week(of: monday)
    case .month(let first): String(Instant(daysSince1970: first).rfc3339.prefix(7))
    case .source(.sensor(let sensor, let wear)):
      wear > 1 ? "\(SensorNames.short(sensor)), wear \(wear)" : SensorNames.short(sensor)
    case .source(.imported(let source, let device)): SensorNames.title(source: source, device: device)
    }
  }

  package var sensor: SensorIdentity? { if case .source(.sensor(let sensor, _)) = self { sensor } else { nil } }

  /// The name for `--source`; nil for a group that is not of one source.
  package var source: String? {
    switch self {
    case .hour, .day, .week, .month: nil
    case .source(.sensor): HistoryScope.ownSource
    case .source(.imported(let source, _)): source
    }
  }

  /// A week belongs to the year of its Thursday (ISO 8601).
  private static func week(of monday: Int) -> String {
    let thursday = monday + 3
    let year = CivilTime(Instant(daysSince1970: thursday)).year
    let newYear = CivilTime(year: year, month: 1, day: 1)?.instant(offsetSeconds: 0).secondsSince1970 ?? 0
    let week = (thursday - Int(newYear / Instant.secondsPerDay)) / 7 + 1
    return "\(Instant(daysSince1970: thursday).rfc3339.prefix(4))-W\(twoDigits(week))"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
