// SPDX-License-Identifier: Apache-2.0

/// Every value of a meter that can be read, subscribed to or, for the three that carry requests, written to.
///
/// The set is closed: a characteristic that deletes, sets a clock or changes a setting is not in it, except the three that
/// `MeterRequest` writes, and those take only the requests of `RecordAccessRequest`, `OneTouchRequest` and `BridgeRequest`.
/// Numbers: Bluetooth SIG, Assigned Numbers, "Characteristic UUIDs".
package enum MeterCharacteristic: Hashable, Sendable, CaseIterable {
  /// One record per notification.
  case glucoseMeasurement
  /// Meal, medication and other notes on a record, by notification; optional.
  case glucoseContext
  case glucoseFeature
  /// Takes requests for records, and indicates their end.
  case recordAccess
  /// The clock of Roche meters, inside the glucose service. It is not part of the specification
  /// (read: NightscoutFoundation/xDrip, pannal/JugglucoNG).
  case dateTime
  /// One measurement of a cuff per indication.
  case bloodPressureMeasurement
  case bloodPressureFeature
  case currentTime
  case maker
  case modelNumber
  case serialNumber
  case firmware
  case battery
  case oneTouchCommand
  case oneTouchAnswer
  case bridgeCommand
  /// Notifies of a bridge's readings.
  case bridgeAnswer

  /// The service in which it lies. Two characteristics with one number are possible, so it is looked up there only.
  package var service: MeterService { facts.service }

  /// Identifier as BlueZ writes it: 36 lower-case characters.
  package var uuid: String { facts.uuid }

  /// The name in words.
  var text: String { facts.text }

  private var facts: (service: MeterService, uuid: String, text: String) {
    switch self {
    case .glucoseMeasurement: (.glucose, assigned("2a18"), "glucose records")
    case .glucoseContext: (.glucose, assigned("2a34"), "notes on records")
    case .glucoseFeature: (.glucose, assigned("2a51"), "abilities")
    case .recordAccess: (.glucose, assigned("2a52"), "answers to requests for records")
    case .dateTime: (.glucose, assigned("2a08"), "time")
    case .bloodPressureMeasurement: (.bloodPressure, assigned("2a35"), "blood pressure measurements")
    case .bloodPressureFeature: (.bloodPressure, assigned("2a49"), "abilities")
    case .currentTime: (.currentTime, assigned("2a2b"), "time")
    case .maker: (.deviceInformation, assigned("2a29"), "maker")
    case .modelNumber: (.deviceInformation, assigned("2a24"), "model")
    case .serialNumber: (.deviceInformation, assigned("2a25"), "serial number")
    case .firmware: (.deviceInformation, assigned("2a26"), "firmware version")
    case .battery: (.battery, assigned("2a19"), "battery level")
    case .oneTouchCommand: (.oneTouch, "af9df7a2-e595-11e3-96b4-0002a5d5c51b", "command channel")
    case .oneTouchAnswer: (.oneTouch, "af9df7a3-e595-11e3-96b4-0002a5d5c51b", "answers")
    case .bridgeCommand: (.bridge, "6e400002-b5a3-f393-e0a9-e50e24dcca9e", "command channel")
    case .bridgeAnswer: (.bridge, "6e400003-b5a3-f393-e0a9-e50e24dcca9e", "readings")
    }
  }
}

/// A GATT service that this module knows: the part of a meter in which characteristics lie. Numbers: Bluetooth SIG, Assigned
/// Numbers, "Service UUIDs"; OneTouch: NightscoutFoundation/xDrip and tidepool-org/uploader.
package enum MeterService: Hashable, Sendable, CaseIterable {
  /// A meter with numbered records.
  case glucose
  /// A cuff.
  case bloodPressure
  /// LifeScan's own service of the OneTouch meters.
  case oneTouch
  /// Nordic's serial line over Bluetooth, which bridges use, and many devices of other kinds.
  case bridge
  case deviceInformation
  case battery
  case currentTime

  /// Identifier as BlueZ writes it: 36 lower-case characters.
  package var uuid: String {
    switch self {
    case .glucose: assigned("1808")
    case .bloodPressure: assigned("1810")
    case .oneTouch: "af9df7a1-e595-11e3-96b4-0002a5d5c51b"
    case .bridge: "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    case .deviceInformation: assigned("180a")
    case .battery: assigned("180f")
    case .currentTime: assigned("1805")
    }
  }

  /// The services by which a meter is recognised. A OneTouch meter does not advertise its service, so it is also
  /// recognised by its name (`MeterCatalogue`).
  package static let meters: [MeterService] = [.glucose, .bloodPressure, .oneTouch]
}

/// The whole identifier of a number that the Bluetooth SIG assigned.
private func assigned(_ digits: String) -> String { "0000\(digits)-0000-1000-8000-00805f9b34fb" }
