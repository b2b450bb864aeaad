// SPDX-License-Identifier: Apache-2.0
package import CGMModel

package struct ReportContent: Sendable {
  package struct Sensor: Hashable, Sendable {
    /// Name such as `FreeStyle Libre 0M00028U5DW`, or the program that a history comes from.
    package let name: String
    /// Facts about the history values in the span, also if another source's values are used instead; nil without values.
    package let from: Instant?
    package let to: Instant?
    package let count: Int

    package init(name: String, from: Instant?, to: Instant?, count: Int) {
      (self.name, self.from, self.to, self.count) = (name, from, to, count)
    }
  }

  /// Name and date of birth of the person, for the head of each page; nil for none.
  package var person: String?
  package var born: String?
  package var unit: GlucoseUnit
  package var clock: WallClock
  /// Requested span, or the span of the values.
  package var from: Instant
  package var to: Instant
  package var madeAt: Instant?
  package var tool: String
  package var points: [GlucosePoint]
  /// Finger-sticks in the order of time. They are drawn, and no number counts them.
  package var fingerSticks: [FingerStick]
  package var byDay: StatisticsByDay
  package var metrics: GlucoseMetrics?
  package var profile: AmbulatoryProfile?
  package var gaps: [DataGap]
  package var sensors: [Sensor]
  /// Calibration that turned counts into concentrations: `factory`.
  package var calibration: String
  /// Sentences that are said of that calibration wherever it is named.
  package var calibrationNotes: [String]
  package var notes: [String]
  package var disclaimer: String
  /// Smoothing of the drawn lines; nil draws the values themselves. It affects neither numbers nor profiles.
  package var smoothing: Smoothing?

  package init(
    unit: GlucoseUnit, clock: WallClock, from: Instant, to: Instant, madeAt: Instant?, tool: String,
    points: [GlucosePoint], fingerSticks: [FingerStick] = [], byDay: StatisticsByDay, metrics: GlucoseMetrics?,
    profile: AmbulatoryProfile?, gaps: [DataGap], sensors: [Sensor], calibration: String,
    calibrationNotes: [String] = [],
    notes: [String], disclaimer: String,
    smoothing: Smoothing? = nil
  ) {
    (self.unit, self.clock, self.from) = (unit, clock, from)
    (self.to, self.madeAt, self.tool) = (to, madeAt, tool)
    (self.points, self.fingerSticks, self.byDay) = (points, fingerSticks, byDay)
    (self.metrics, self.profile, self.gaps) = (metrics, profile, gaps)
    (self.sensors, self.calibration, self.calibrationNotes) = (sensors, calibration, calibrationNotes)
    (self.notes, self.disclaimer, self.smoothing) = (notes, disclaimer, smoothing)
  }
}
