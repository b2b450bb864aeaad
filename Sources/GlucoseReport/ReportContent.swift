// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// All that a report shows, before it is drawn.
public struct ReportContent: Sendable {
  public struct Sensor: Hashable, Sendable {
    /// `FreeStyle Libre 0M00028U5DW`, or the name of the program that a history comes from.
    public let name: String
    /// Its first and last history value in the stretch, and how many it has, also where another source's counts; nil for
    /// none.
    public let from: Instant?
    public let to: Instant?
    public let count: Int

    public init(name: String, from: Instant?, to: Instant?, count: Int) {
      self.name = name
      self.from = from
      self.to = to
      self.count = count
    }
  }

  public var unit: GlucoseUnit
  public var clock: WallClock
  /// The stretch that was asked for, or that the values fill.
  public var from: Instant
  public var to: Instant
  /// nil: the report says nothing of when it was made.
  public var madeAt: Instant?
  /// `libre 0.1.0`.
  public var tool: String
  /// In the order of time.
  public var points: [GlucosePoint]
  public var byDay: StatisticsByDay
  /// nil for no values.
  public var metrics: GlucoseMetrics?
  /// nil for values of too few days.
  public var profile: AmbulatoryProfile?
  public var gaps: [DataGap]
  public var sensors: [Sensor]
  /// What turned counts into concentrations: `factory`.
  public var calibration: String
  /// What a reader has to know of this report, a sentence each.
  public var notes: [String]
  public var disclaimer: String
  /// How the lines of single values are drawn; nil: as the values are. It changes no number, and no profile.
  public var smoothing: Smoothing?

  public init(
    unit: GlucoseUnit, clock: WallClock, from: Instant, to: Instant, madeAt: Instant?, tool: String,
    points: [GlucosePoint], byDay: StatisticsByDay, metrics: GlucoseMetrics?, profile: AmbulatoryProfile?,
    gaps: [DataGap], sensors: [Sensor], calibration: String, notes: [String], disclaimer: String,
    smoothing: Smoothing? = nil
  ) {
    self.unit = unit
    self.clock = clock
    self.from = from
    self.to = to
    self.madeAt = madeAt
    self.tool = tool
    self.points = points
    self.byDay = byDay
    self.metrics = metrics
    self.profile = profile
    self.gaps = gaps
    self.sensors = sensors
    self.calibration = calibration
    self.notes = notes
    self.disclaimer = disclaimer
    self.smoothing = smoothing
  }
}
