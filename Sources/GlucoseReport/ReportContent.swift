// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// All data of a report, before it is drawn.
package struct ReportContent: Sendable {
  package struct Sensor: Hashable, Sendable {
    /// Name such as `FreeStyle Libre 0M00028U5DW`, or the program that a history comes from.
    package let name: String
    /// Time of its first and last history value in the span and their number, even if another source's values are used
    /// instead; nil without values.
    package let from: Instant?
    package let to: Instant?
    package let count: Int

    package init(name: String, from: Instant?, to: Instant?, count: Int) {
      self.name = name
      self.from = from
      self.to = to
      self.count = count
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
  /// Creation time of the report; nil to leave it out.
  package var madeAt: Instant?
  /// Program and version: `libre 0.1.0`.
  package var tool: String
  /// Values in the order of time.
  package var points: [GlucosePoint]
  /// Finger-sticks in the order of time. They are drawn, and no number counts them.
  package var fingerSticks: [FingerStick]
  package var byDay: StatisticsByDay
  /// Statistics; nil without values.
  package var metrics: GlucoseMetrics?
  /// Profile; nil for values of too few days.
  package var profile: AmbulatoryProfile?
  package var gaps: [DataGap]
  package var sensors: [Sensor]
  /// Calibration that turned counts into concentrations: `factory`.
  package var calibration: String
  /// Sentences that are said of that calibration wherever it is named.
  package var calibrationNotes: [String]
  /// Notes for the reader of the report, one sentence each.
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
    self.unit = unit
    self.clock = clock
    self.from = from
    self.to = to
    self.madeAt = madeAt
    self.tool = tool
    self.points = points
    self.fingerSticks = fingerSticks
    self.byDay = byDay
    self.metrics = metrics
    self.profile = profile
    self.gaps = gaps
    self.sensors = sensors
    self.calibration = calibration
    self.calibrationNotes = calibrationNotes
    self.notes = notes
    self.disclaimer = disclaimer
    self.smoothing = smoothing
  }
}
