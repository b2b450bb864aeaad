// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import GlucoseReport
package import LibreKit

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
