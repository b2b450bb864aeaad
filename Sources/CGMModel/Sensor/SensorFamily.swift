// SPDX-License-Identifier: Apache-2.0

/// The kind of sensor, which decides the layout of the memory and whether it is encrypted.
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

  /// The name of the family's first product. The name on the box is that of `SensorProduct`.
  public var productName: String { productText.description }

  package var productText: StaticString { facts.productName }

  /// The first digit of the serial number on the box; nil if it is not known.
  package var serialDigit: Unicode.Scalar? { facts.serialDigit }

  /// True where the sensor encrypts its memory with a cipher that is publicly known (Libre1Core/EncryptedFamilies,
  /// "Families").
  public var isEncrypted: Bool { facts.memory == .encrypted }

  /// True where public knowledge is enough to read the memory, now or in a later version.
  public var isReadable: Bool { facts.memory != .unreadable }

  private enum Memory { case plain, encrypted, unreadable }

  /// All facts about each product. The layout of its memory is a `SensorLayout` of Libre1Core.
  private var facts: (productName: StaticString, serialDigit: Unicode.Scalar?, memory: Memory) {
    switch self {
    case .libre1: ("FreeStyle Libre", "0", .plain)
    case .libreUS14Day: ("FreeStyle Libre 14 day (US)", "0", .encrypted)
    case .librePro: ("FreeStyle Libre Pro", "1", .plain)
    case .libre2: ("FreeStyle Libre 2", "3", .encrypted)
    case .libre2Generation2: ("FreeStyle Libre 2 (second security generation)", "3", .unreadable)
    case .libre3: ("FreeStyle Libre 3", nil, .unreadable)
    case .libreSense: ("Libre Sense", "7", .unreadable)
    case .lingo: ("Lingo", nil, .unreadable)
    case .unknown: ("sensor of unknown family", nil, .plain)
    }
  }
}
