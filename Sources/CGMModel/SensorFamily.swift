// SPDX-License-Identifier: Apache-2.0

/// Which product a sensor is: it decides whether the memory is encrypted and how it is laid out.
public enum SensorFamily: String, Hashable, Sendable, CaseIterable {
  case libre1
  case libreUS14Day = "libre_us14day"
  case librePro = "libre_pro"
  case libre2
  /// Libre 2 with the later security (US, Canada, Russia, Latin America): not readable with public knowledge.
  case libre2Generation2 = "libre2_gen2"
  case libre3
  case libreSense = "libre_sense"
  case lingo
  case unknown

  /// The product's name as a person knows it.
  public var productName: String {
    switch self {
    case .libre1: "FreeStyle Libre"
    case .libreUS14Day: "FreeStyle Libre 14 day (US)"
    case .librePro: "FreeStyle Libre Pro"
    case .libre2: "FreeStyle Libre 2"
    case .libre2Generation2: "FreeStyle Libre 2 (second security generation)"
    case .libre3: "FreeStyle Libre 3"
    case .libreSense: "Libre Sense"
    case .lingo: "Lingo"
    case .unknown: "sensor of unknown family"
    }
  }

  /// True where the sensor encrypts its memory with a cipher that is publicly known (FORMAT 8).
  public var isEncrypted: Bool { self == .libreUS14Day || self == .libre2 }

  /// True where public knowledge is enough to read the memory, now or in a later version.
  public var isReadable: Bool {
    switch self {
    case .libre1, .libreUS14Day, .librePro, .libre2, .unknown: true
    case .libre2Generation2, .libre3, .libreSense, .lingo: false
    }
  }
}
