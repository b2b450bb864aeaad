// SPDX-License-Identifier: Apache-2.0
import LibreKit
package import Meters
import TextFormats

package enum BridgesJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "bridges", summary: "Bluetooth bridges that are near",
    description: "Bluetooth bridges that a search has heard, also those that libre does not read.", fields.members)

  package static let fields: Fields<[FoundMeter]> = [
    Field("tool", .tool) { _ in Program.tool }, Field("bridges", array: bridge) { $0 },
  ]

  private static let bridge: Fields<FoundMeter> = [
    Field("address", .nonEmpty) { $0.identity.address },
    Field("name") { $0.identity.name },
    Field("known_as", .string, "Its title in libre bridges.") { $0.bridge?.title },
    Field("obstacle", .string, "The reason why it is not read.") { $0.bridge?.obstacle },
    Field("signal_dbm", .integer, "Strength of its signal.") { $0.signalStrength },
  ]
}
