// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A meter by everything that it says of itself.
package struct MeterDescription: Hashable, Sendable {
  package let identity: MeterIdentity
  /// The services by which meters are recognised, as far as it has them; the first one is read.
  package let services: [MeterService]
  /// Maker's name, as sent.
  package var maker: String?
  /// Model number, as sent.
  package var modelNumber: String?
  /// Serial number, as sent or, for Roche, from the advertised name; nil if unknown or a placeholder.
  package var serialNumber: String?
  package var firmware: String?
  /// 0…100 per cent; nil if unknown.
  package var batteryPercent: Int?
  /// The abilities of a glucose meter; nil if unknown.
  package var features: GlucoseFeatures?
  /// Time that the meter's clock showed during the transfer; nil if it cannot be read. No time of a record depends on it.
  package var clock: CivilTime?

  package init(identity: MeterIdentity, services: [MeterService]) {
    self.identity = identity
    self.services = services
  }

  /// The catalogue's entry; nil for a meter that is not in it, which is read by the specification.
  package var model: MeterModel? {
    MeterCatalogue.model(name: identity.name, maker: maker, modelNumber: modelNumber, services: services)
  }

  /// The name by which messages call the meter: the advertised one, else the address.
  package var displayName: String { identity.name ?? identity.address }

  /// The text that stays the same as long as the meter lives: the serial number, else the address.
  package var lastingID: String { serialNumber ?? identity.address }
}
