// SPDX-License-Identifier: Apache-2.0

/// Every value of a meter that can be read, subscribed to or, for the two that carry requests, written to.
///
/// The set is closed: a characteristic that deletes, sets a clock or changes a setting is not in it, except the two that
/// `MeterRequest` writes, and those take only the requests of `RecordAccessRequest` and `OneTouchRequest`. Numbers: Bluetooth
/// SIG, Assigned Numbers, "Characteristic UUIDs".
package enum MeterCharacteristic: Hashable, Sendable, CaseIterable {
  /// `2A18`: one record per notification.
  case glucoseMeasurement
  /// `2A34`: meal, medication and other notes on a record, by notification; optional.
  case glucoseContext
  /// `2A51`: the abilities of a glucose meter; read.
  case glucoseFeature
  /// `2A52`: takes requests for records, and indicates their end.
  case recordAccess
  /// `2A08` inside the glucose service: the clock of Roche meters; read. It is not part of the specification
  /// (read: NightscoutFoundation/xDrip, pannal/JugglucoNG).
  case dateTime
  /// `2A35`: one measurement of a cuff per indication.
  case bloodPressureMeasurement
  /// `2A49`: the abilities of a cuff; read.
  case bloodPressureFeature
  /// `2A2B`: the clock; read.
  case currentTime
  /// `2A29`: the name of the maker; read.
  case maker
  /// `2A24`: the model number; read.
  case modelNumber
  /// `2A25`: the serial number; read.
  case serialNumber
  /// `2A26`: the firmware's version; read.
  case firmware
  /// `2A19`: the battery in per cent; read.
  case battery
  /// The characteristic of OneTouch meters to which commands are written.
  case oneTouchCommand
  /// The characteristic of OneTouch meters that notifies of answers.
  case oneTouchAnswer

  /// The service in which it lies. Two characteristics with one number are possible, so it is looked up there only.
  package var service: MeterService { facts.service }

  /// Identifier as BlueZ writes it: 36 lower-case characters.
  package var uuid: String { facts.uuid }

  private var facts: (service: MeterService, uuid: String) {
    switch self {
    case .glucoseMeasurement: (.glucose, GATTNumber.uuid("2a18"))
    case .glucoseContext: (.glucose, GATTNumber.uuid("2a34"))
    case .glucoseFeature: (.glucose, GATTNumber.uuid("2a51"))
    case .recordAccess: (.glucose, GATTNumber.uuid("2a52"))
    case .dateTime: (.glucose, GATTNumber.uuid("2a08"))
    case .bloodPressureMeasurement: (.bloodPressure, GATTNumber.uuid("2a35"))
    case .bloodPressureFeature: (.bloodPressure, GATTNumber.uuid("2a49"))
    case .currentTime: (.currentTime, GATTNumber.uuid("2a2b"))
    case .maker: (.deviceInformation, GATTNumber.uuid("2a29"))
    case .modelNumber: (.deviceInformation, GATTNumber.uuid("2a24"))
    case .serialNumber: (.deviceInformation, GATTNumber.uuid("2a25"))
    case .firmware: (.deviceInformation, GATTNumber.uuid("2a26"))
    case .battery: (.battery, GATTNumber.uuid("2a19"))
    case .oneTouchCommand: (.oneTouch, "af9df7a2-e595-11e3-96b4-0002a5d5c51b")
    case .oneTouchAnswer: (.oneTouch, "af9df7a3-e595-11e3-96b4-0002a5d5c51b")
    }
  }
}

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
