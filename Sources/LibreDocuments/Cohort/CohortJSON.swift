// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
import HostSystem
package import SensorHistory
import TextFormats

/// `libre.cohort/1`, and its figures as comma-separated values.
package enum CohortJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "cohort", summary: "several histories, each with all figures of libre.stats and its profile",
    description:
      "Several histories, each with its figures, which are those of libre.stats/1 for this history alone, and the percentiles of its ambulatory profile. Not for treatment decisions.",
    fields.members, parts: StatsFigures.definitions)

  typealias MemberRow = (member: Cohort.Member, unit: GlucoseUnit)
  typealias QuarterRow = (minute: Int, quarter: AmbulatoryProfile.Quarter, unit: GlucoseUnit)

  package static let fields = Fields<(cohort: Cohort, unit: GlucoseUnit)>(
    [
      Field("from") { $0.cohort.from?.rfc3339 },
      Field("to") { $0.cohort.to?.rfc3339 },
      Field("time_zone", .string, "Null if it has no name.") { _ in LocalTime.zoneName },
      Field("by", .one(of: Cohort.Grouping.self), "What a member is.") { $0.cohort.grouping.rawValue },
    ] + StatsFigures.ranges() + [
      Field("members", array: member) { row in row.cohort.members.map { ($0, row.unit) } }
    ])

  /// A history with its figures; its profile is not a column, because it has rows of its own.
  static let member = Fields<MemberRow>(
    [
      Field("name", .string, "The name of the file, with its folder if another has the same; or of the subject.") {
        $0.member.name
      }
    ] + StatsFigures.provenance.map { Field($0) { $0.member.provenance } }
      + StatsFigures.fields.map { Field($0) { ($0.member.statistics, $0.member.metrics, $0.unit) } } + [
        Field(
          "profile",
          "Each quarter of an hour of local time, over all days; null for less than \(AmbulatoryProfile.minimumDays) days.",
          arrayOrNull: quarter
        ) { row in quarters(of: row) }
      ])

  static func quarters(of row: MemberRow) -> [QuarterRow]? {
    row.member.profile?.quarters.enumerated().map { ($0 * 15, $1, row.unit) }
  }

  static let quarter = Fields<QuarterRow>(
    [
      Field("time", .string.matching("^[0-9]{2}:[0-9]{2}$"), "Its beginning.") { row in
        [row.minute / 60, row.minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      },
      Field("values", .count) { $0.quarter.count },
    ] + AmbulatoryProfile.percentages.indices.flatMap(percentile))

  /// A percentile in mg/dL, and with that unit also in mmol/L; null for too few values.
  private static func percentile(_ index: Int) -> [Field<QuarterRow>] {
    let name = "p\(Int(saturating: AmbulatoryProfile.percentages[index]))"
    return [
      Field("\(name)_mg_dl") { $0.quarter.percentiles?[index] },
      Field(millimoles: "\(name)_mmol_l", unit: { $0.unit }) { $0.quarter.percentiles?[index] },
    ]
  }
}

/// A cohort as comma-separated values, with the names and digits of `libre.cohort/1`.
package enum CohortCSV {
  /// The figures: a row for each member. Members of an object are columns by their own name; `percent_in_range`, which
  /// two objects have, is there once. A kind of episode has three columns, such as `episodes_low_count`.
  package static func figures(of cohort: Cohort, unit: GlucoseUnit) -> String {
    CohortJSON.member.table(of: cohort.members.map { ($0, unit) })
  }

  /// The ambulatory profiles: a row for each quarter of an hour of each member that has a profile.
  package static func profiles(of cohort: Cohort, unit: GlucoseUnit) -> String {
    let rows: [ProfileRow] = cohort.members.flatMap { member in
      (CohortJSON.quarters(of: (member, unit)) ?? []).map { (member.name, $0) }
    }
    return profile.table(of: rows)
  }

  private typealias ProfileRow = (name: String, quarter: CohortJSON.QuarterRow)

  private static let profile: Fields<ProfileRow> = [
    Field("name") { $0.name },
    Field(including: CohortJSON.quarter) { $0.quarter },
  ]
}
