// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import GlucoseReport

/// Several histories, each with all of its figures: a line for each subject of a study, or person of a family.
public struct Cohort: Sendable {
  /// The kind of a line.
  public enum Grouping: String, CaseIterable, Sendable {
    case file
    /// A subject of tables with a column of subjects.
    case subject
    /// A person of this computer.
    case person
  }

  /// One history and its figures, which are those of `GlucoseHistory.statistics`.
  public struct Member: Sendable {
    public let name: String
    public let statistics: StatisticsByDay
    /// The numbers that clinics use; nil without values.
    public let metrics: GlucoseMetrics?
    /// The ambulatory profile; nil for values of too few days, or at unknown times of the day.
    public let profile: AmbulatoryProfile?
    /// The origin of the figures.
    public let provenance: HistoryProvenance

    /// Creates a member; `from` and `to` limit the span of its history, and nil means its first or last value.
    public init(_ name: String, _ history: GlucoseHistory, from: Instant?, to: Instant?) {
      self.name = name
      (statistics, metrics) = history.statistics(from: from, to: to)
      let points = history.quarters.points
      let isDated = history.clock.kind != .sensorAge
      profile = isDated ? AmbulatoryProfile(points, clock: history.clock) : nil
      provenance = history.provenance
    }
  }

  public let grouping: Grouping
  /// The members, in the order of their files or rows.
  public let members: [Member]
  /// The chosen limits of the span; nil if each history has its own.
  public let from: Instant?
  public let to: Instant?

  public init(_ grouping: Grouping, _ members: [Member], from: Instant?, to: Instant?) {
    (self.grouping, self.members, self.from, self.to) = (grouping, members, from, to)
  }
}
