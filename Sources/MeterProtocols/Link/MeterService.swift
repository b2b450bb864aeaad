// SPDX-License-Identifier: Apache-2.0

/// A GATT service that this module knows: the part of a meter in which characteristics lie.
///
/// The first three are the ones by which a meter is recognised. Numbers: Bluetooth SIG, Assigned Numbers, "Service UUIDs";
/// OneTouch: NightscoutFoundation/xDrip and tidepool-org/uploader.
package enum MeterService: Hashable, Sendable, CaseIterable {
  /// The glucose service (GLS): a meter with numbered records.
  case glucose
  /// The blood pressure service (BLS): a cuff.
  case bloodPressure
  /// LifeScan's own service of the OneTouch meters.
  case oneTouch
  case deviceInformation
  case battery
  case currentTime

  /// Identifier as BlueZ writes it: 36 lower-case characters.
  package var uuid: String {
    switch self {
    case .glucose: GATTNumber.uuid("1808")
    case .bloodPressure: GATTNumber.uuid("1810")
    case .oneTouch: "af9df7a1-e595-11e3-96b4-0002a5d5c51b"
    case .deviceInformation: GATTNumber.uuid("180a")
    case .battery: GATTNumber.uuid("180f")
    case .currentTime: GATTNumber.uuid("1805")
    }
  }

  /// The services by which a meter is recognised. A OneTouch meter does not advertise its service, so it is also
  /// recognised by its name (`MeterCatalogue`).
  package static let meters: [MeterService] = [.glucose, .bloodPressure, .oneTouch]
}

/// Numbers that the Bluetooth SIG assigned, as whole identifiers.
enum GATTNumber {
  static func uuid(_ digits: String) -> String { "0000\(digits)-0000-1000-8000-00805f9b34fb" }
}
