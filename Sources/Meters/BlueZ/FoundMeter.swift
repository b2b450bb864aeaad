// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A Bluetooth device that this computer hears or knows. Whether it is a meter, `MeterCatalogue` says by its services and
/// its name.
package struct FoundMeter: Hashable, Sendable {
  package let identity: MeterIdentity
  /// Those that it advertised, as far as this project knows them; a paired meter's, those found when it was connected.
  package let services: [MeterService]
  /// Strength of its signal in dBm, about -100 to -30; nil if it is not in the air now.
  package let signalStrength: Int?
  package let isPaired: Bool
  package let isConnected: Bool
  /// The object of bluetoothd.
  let path: String

  /// True if it is in the air now, or connected.
  package var isNear: Bool { signalStrength != nil || isConnected }

  /// The name that the user knows, or the address.
  package var title: String { identity.name ?? identity.address }
}

extension FoundMeter {
  /// The device at a path; nil if it does not exist or has no address.
  init?(at path: String, in tree: ObjectTree) {
    guard let properties = tree.properties(BlueZ.device, at: path), let address = properties["Address"]?.text,
      address.utf8.count <= 32
    else { return nil }
    // The alias of a device without a name is its address with hyphens, so it is not used. Bluetooth allows 248 bytes.
    let name = properties["Name"]?.text.map { String($0.prefix(248)) }
    let uuids = Set((properties["UUIDs"]?.texts ?? []).map { $0.lowercased() })
    self.init(
      identity: MeterIdentity(address: address.uppercased(), name: name?.isEmpty == true ? nil : name),
      services: MeterService.allCases.filter { uuids.contains($0.uuid) },
      signalStrength: properties["RSSI"]?.number.flatMap { Int(exactly: $0) },
      isPaired: properties["Paired"]?.boolean ?? false, isConnected: properties["Connected"]?.boolean ?? false,
      path: path)
  }
}
