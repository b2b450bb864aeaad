// SPDX-License-Identifier: Apache-2.0
package import Libre1Core
import TextFormats

package enum ScenariosJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "scenarios", summary: "the simulated sensors (libre simulate --list --json)",
    description: "Situations of simulated sensors.", fields.members)

  package static let fields: Fields<[Scenario]> = [
    Field("scenarios", array: scenario) { $0 }
  ]

  private static let scenario: Fields<Scenario> = [
    Field("name", .nonEmpty, "The value for --scenario.") { $0.name },
    Field("address", .string.matching("^sim:"), "The value for --reader.") { "sim:\($0.name)" },
    Field("summary") { $0.summary },
  ]
}
