// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import GlucoseReport

/// Several histories, each with all of its figures: a line for each subject of a study, or person of a family.
package struct Cohort: Sendable {
  /// The kind of a line.
  package enum Grouping: String, CaseIterable, Sendable {
    case file
    /// A subject of tables with a column of subjects.
    case subject
    /// A person of this computer.
    case person
  }

  /// One history and its figures, which are those of `GlucoseHistory.statistics`.
  package struct Member: Sendable {
    package let name: String
    package let statistics: StatisticsByDay
    /// The numbers that clinics use; nil without values.
    package let metrics: GlucoseMetrics?
    /// The ambulatory profile; nil for values of too few days, or at unknown times of the day.
    package let profile: AmbulatoryProfile?
    /// The origin of the figures.
    package let provenance: HistoryProvenance

    /// Creates a member; `from` and `to` limit the span of its history, and nil means its first or last value.
    package init(_ name: String, _ history: GlucoseHistory, from: Instant?, to: Instant?) {
      self.name = name
      (statistics, metrics) = history.statistics(from: from, to: to)
      let points = history.quarters.points
      let isDated = history.clock.kind != .sensorAge
      profile = isDated ? AmbulatoryProfile(points, clock: history.clock) : nil
      provenance = history.provenance
    }
  }

  package let grouping: Grouping
  /// The members, in the order of their files or rows.
  package let members: [Member]
  /// The chosen limits of the span; nil if each history has its own.
  package let from: Instant?
  package let to: Instant?

  package init(_ grouping: Grouping, _ members: [Member], from: Instant?, to: Instant?) {
    (self.grouping, self.members, self.from, self.to) = (grouping, members, from, to)
  }
}
