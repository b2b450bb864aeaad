// SPDX-License-Identifier: Apache-2.0
import GlucoseReport

/// The origin of the numbers made of a history, so that a reader of them can make them again.
package struct HistoryProvenance: Hashable, Sendable {
  /// The times of the first and the last value that counts; nil without values, and at unknown times of the day.
  package let first: Instant?
  package let last: Instant?
  /// The calibrations of the sensor values, `as imported` without one; nil without values.
  package let calibration: String?
  package let leftOut: [String: Int]
  package let files: FileFacts

  package init(
    first: Instant?, last: Instant?, calibration: String?, leftOut: [String: Int] = [:], files: FileFacts = FileFacts()
  ) {
    (self.first, self.last, self.calibration) = (first, last, calibration)
    (self.leftOut, self.files) = (leftOut, files)
  }

  /// The values of files that were left out, and the zone in which their times were taken.
  package struct FileFacts: Hashable, Sendable {
    package private(set) var leftOut: [String: Int] = [:]
    package private(set) var localZone: String?

    package init() {}

    package mutating func add(_ tally: ImportTally) {
      leftOut.merge(tally.counts.reasons, uniquingKeysWith: +)
      if tally.counts.conflicts > 0 { leftOut["in conflict with another value", default: 0] += tally.counts.conflicts }
      if tally.hasLocalTimes { localZone = tally.timeZone ?? "a zone without a name" }
    }
  }
}

extension GlucoseHistory {
  package var provenance: HistoryProvenance {
    let points = quarters.points
    let isDated = clock.kind != .sensorAge
    var reasons = files.leftOut
    for (reason, count) in [
      ("flagged by the sensor, or without a value", leftOut),
      ("of a sensor that was never read at a known time", undated),
      ("of a sensor that another one replaced", superseded),
      ("beside another value of the same quarter of an hour", candidates - points.count),
    ] where count > 0 { reasons[reason, default: 0] += count }
    return HistoryProvenance(
      first: isDated ? points.first?.time : nil, last: isDated ? points.last?.time : nil,
      calibration: points.isEmpty ? nil : calibrationName, leftOut: reasons, files: files)
  }
}
