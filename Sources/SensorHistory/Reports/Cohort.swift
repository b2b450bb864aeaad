// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport

/// Several histories, each with all of its figures: a line for each subject of a study, or person of a family.
package struct Cohort: Sendable {
  package enum Grouping: String, CaseIterable, Sendable {
    case file
    case subject
    case person
  }

  /// One history and its figures, which are those of `GlucoseHistory.statistics`.
  package struct Member: Sendable {
    package let name: String
    package let statistics: StatisticsByDay
    package let metrics: GlucoseMetrics?
    package let profile: AmbulatoryProfile?
    package let provenance: HistoryProvenance

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
  package let members: [Member]
  package let from: Instant?
  package let to: Instant?

  package init(_ grouping: Grouping, _ members: [Member], from: Instant?, to: Instant?) {
    (self.grouping, self.members, self.from, self.to) = (grouping, members, from, to)
  }
}
