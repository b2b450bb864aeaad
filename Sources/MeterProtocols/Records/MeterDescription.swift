// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A meter by everything that it says of itself.
public struct MeterDescription: Hashable, Sendable {
  public let identity: MeterIdentity
  /// The services by which meters are recognised, as far as it has them; the first one is read.
  public let services: [MeterService]
  /// Maker's name, as sent.
  public var maker: String?
  /// Model number, as sent.
  public var modelNumber: String?
  /// Serial number, as sent or, for Roche, from the advertised name; nil if unknown or a placeholder.
  public var serialNumber: String?
  public var firmware: String?
  /// 0…100 per cent; nil if unknown.
  public var batteryPercent: Int?
  /// The abilities of a glucose meter; nil if unknown.
  public var features: GlucoseFeatures?
  /// Time that the meter's clock showed during the transfer; nil if it cannot be read. No time of a record depends on it.
  public var clock: CivilTime?

  public init(identity: MeterIdentity, services: [MeterService]) {
    self.identity = identity
    self.services = services
  }

  /// The catalogue's entry; nil for a meter that is not in it, which is read by the specification.
  public var model: MeterModel? {
    MeterCatalogue.model(name: identity.name, maker: maker, modelNumber: modelNumber, services: services)
  }

  /// The name by which messages call the meter: the advertised one, else the address.
  public var displayName: String { identity.name ?? identity.address }

  /// The text that stays the same as long as the meter lives: the serial number, else the address.
  public var lastingID: String { serialNumber ?? identity.address }
}
